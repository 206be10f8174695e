import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface PaneOptions {
  readonly behaviour?: Record<string, unknown>;
  readonly plan?: string;
  readonly size?: readonly [columns: number, rows: number];
  readonly env?: Record<string, string>;
  /** For each event, an additional hook command, which runs after the command that records the hook's input. */
  readonly hooks?: Record<string, string>;
  /** If true, `start` does not wait until the composer is ready. */
  readonly immediate?: boolean;
}

type Json = Record<string, unknown>;

const PROGRAM = resolve(import.meta.dirname, '../../dist/practice/main.js');
const EVENTS =
  'SessionStart UserPromptSubmit PreToolUse PostToolUse PermissionRequest Notification Stop StopFailure PreCompact PostCompact SessionEnd'.split(
    ' ',
  );
const running: PracticePane[] = [];

/** A practice agent in its own tmux server. Tests check its log, its hooks and its screen. */
export class PracticePane {
  readonly dir = mkdtempSync(join(tmpdir(), 'practice-'));
  readonly project = join(this.dir, 'demo');
  readonly sessionId = randomUUID();
  private readonly socket = join(this.dir, 't.sock');

  static async start(options: PaneOptions = {}): Promise<PracticePane> {
    const pane = new PracticePane();
    running.push(pane);
    pane.prepare(options);
    await pane.launch(options);
    if (!options.immediate) await pane.until('ready composer', async () => /^❯\u00a0/m.test(await pane.screen()));
    return pane;
  }

  private prepare({ behaviour = {}, plan, hooks = {} }: PaneOptions): void {
    mkdirSync(this.project);
    mkdirSync(join(this.dir, 'bin'));
    writeFileSync(join(this.project, '.practice.json'), JSON.stringify({ thinkMs: 20, ...behaviour }));
    if (plan !== undefined) writeFileSync(join(this.project, 'PLAN.md'), plan);
    const record = `cat >> ${join(this.dir, 'hooks.jsonl')}`;
    const commands = (event: string) => [record, ...(hooks[event] === undefined ? [] : [hooks[event]])];
    const group = (event: string) => [{ hooks: commands(event).map((command) => ({ type: 'command', command })) }];
    const settings = {
      hooks: Object.fromEntries(EVENTS.map((event) => [event, group(event)])),
      statusLine: { type: 'command', command: `cat >> ${join(this.dir, 'status.jsonl')}` },
    };
    writeFileSync(join(this.dir, 'settings.json'), JSON.stringify(settings));
  }

  private async launch({ size = [100, 30], env = {} }: PaneOptions): Promise<void> {
    const variables = { BATON_PRACTICE_LOG: join(this.dir, 'log.jsonl'), ...env };
    const geometry = ['-x', String(size[0]), '-y', String(size[1])];
    await this.tmux('new-session', '-d', '-s', 'hold', 'cat');
    await this.tmux('set', '-g', 'remain-on-exit', 'on');
    await this.tmux(
      ...['new-session', '-d', '-s', 'agent', ...geometry, '-c', this.project],
      ...Object.entries(variables).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
      ...[
        process.execPath,
        '--import',
        this.exitCodeWriter(),
        PROGRAM,
        '--session-id',
        this.sessionId,
        '--name',
        'Ada',
      ],
      ...['--settings', join(this.dir, 'settings.json')],
    );
  }

  /**
   * Node writes the exit code last, when the pane's folder may already be deleted. The file for the exit code is
   * therefore outside of this folder.
   */
  private get exitCodeFile(): string {
    return `${this.dir}.exit-code`;
  }

  /** Creates a script that makes node write its exit code into a file, and returns the script's path. */
  private exitCodeWriter(): string {
    const file = join(this.dir, 'write-exit-code.mjs');
    const target = JSON.stringify(this.exitCodeFile);
    writeFileSync(
      file,
      `import { writeFileSync } from 'node:fs';\nprocess.on('exit', (code) => writeFileSync(${target}, String(code)));\n`,
    );
    return file;
  }

  tmux(...words: string[]): Promise<string> {
    return this.feedTmux('', words);
  }

  private feedTmux(input: string, words: readonly string[]): Promise<string> {
    return new Promise((settle, reject) => {
      const argv = ['-S', this.socket, '-f', '/dev/null', ...words];
      // Set PATH for the tmux client, because tmux gives a new pane the PATH of its client and ignores `-e PATH`.
      const path = `${join(this.dir, 'bin')}:${process.env.PATH}`;
      const options = { timeout: 120_000, env: { ...process.env, PATH: path, LC_ALL: 'C.UTF-8', TMUX: '' } };
      const child = execFile('tmux', argv, options, (problem, stdout) => (problem ? reject(problem) : settle(stdout)));
      // Ignore EPIPE. Only load-buffer reads its standard input, and other tmux commands end without reading it.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  }

  async type(text: string): Promise<void> {
    await this.tmux('send-keys', '-t', 'agent', '-l', '--', text);
  }

  async press(...keys: string[]): Promise<void> {
    await this.tmux('send-keys', '-t', 'agent', ...keys);
  }

  async paste(text: string): Promise<void> {
    await this.feedTmux(text, ['load-buffer', '-']);
    await this.tmux('paste-buffer', '-p', '-r', '-d', '-t', 'agent');
  }

  /** Types a prompt and waits until it is accepted or queued. */
  async prompt(text: string): Promise<void> {
    const before = this.log('submitted').length + this.log('queued').length;
    await this.paste(text);
    await this.press('Enter');
    await this.until('accepted', () => this.log('submitted').length + this.log('queued').length > before);
  }

  async promptAndFinish(text: string): Promise<void> {
    const before = this.log('turn_ended').length;
    await this.prompt(text);
    await this.until('end of turn', () => this.log('turn_ended').length > before);
  }

  /** Creates the file `go-on`, so that a turn that waits for this file continues. */
  goOn(): void {
    writeFileSync(join(this.project, 'go-on'), '');
  }

  screen(): Promise<string> {
    return this.tmux('capture-pane', '-p', '-t', 'agent');
  }

  async field(format: string): Promise<string> {
    return (await this.tmux('display-message', '-p', '-t', 'agent', `#{${format}}`)).trim();
  }

  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + 120_000;
    while (!(await holds())) {
      if (Date.now() > deadline) throw new Error(`No ${what}.\n${await this.screen()}\n${this.text('log.jsonl')}`);
      await pause(15);
    }
  }

  /** Waits until the screen shows the text, because the screen is drawn a moment after the log is written. */
  async shows(text: string | RegExp): Promise<void> {
    const fits = (screen: string): boolean => (typeof text === 'string' ? screen.includes(text) : text.test(screen));
    await this.until(`screen with ${text}`, async () => fits(await this.screen()));
  }

  /**
   * Returns the exit code that node itself wrote, because tmux 3.3a can lose the exit status of a pane. First waits
   * until the pane is dead, because only then the screen shows all output.
   */
  async exitCode(): Promise<number> {
    await this.until('exit', async () => {
      // Make tmux check again with a short command, because tmux 3.3a sometimes misses that the process of a pane has
      // ended (SIGCHLD).
      await this.tmux('run-shell', 'true');
      return existsSync(this.exitCodeFile) && (await this.field('pane_dead')) === '1';
    });
    return Number(readFileSync(this.exitCodeFile, 'utf8'));
  }

  log(type: string): Json[] {
    return this.lines('log.jsonl').filter((entry) => entry.type === type);
  }

  hooks(event?: string): Json[] {
    return this.lines('hooks.jsonl').filter((entry) => event === undefined || entry.hook_event_name === event);
  }

  hookNames(): string[] {
    return this.hooks().map((payload) => String(payload.hook_event_name));
  }

  receivedBytes(): Buffer {
    return Buffer.concat(this.log('bytes').map((entry) => Buffer.from(String(entry.hex), 'hex')));
  }

  lines(file: string): Json[] {
    const complete = this.text(file).split('\n').slice(0, -1);
    return complete.map((line) => JSON.parse(line) as Json);
  }

  text(file: string): string {
    const path = join(this.dir, file);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  }

  async stop(): Promise<void> {
    await this.tmux('kill-server').catch(() => undefined);
    // Wait for the agent to end before `this.dir` is deleted. After the tmux server is killed, the agent still fires
    // SessionEnd and writes its log into this folder.
    const gone = () => this.log('start').length === 0 || this.log('exit').length + this.log('shell').length > 0;
    for (const end = Date.now() + 120_000; !gone() && Date.now() < end; ) await pause(15);
    rmSync(this.dir, { recursive: true, force: true });
    rmSync(this.exitCodeFile, { force: true });
  }
}

export async function stopAllPanes(): Promise<void> {
  await Promise.all(running.splice(0).map((pane) => pane.stop()));
}
