import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Candidate, HookSettings } from '../../src/contract/resources.ts';
import { type BatonProcess, PROGRAM, run } from './baton-process.ts';

const PRACTICE = join(dirname(PROGRAM), '../practice/main.js');
/** The timeout of all waits is long, because the machine may be busy. */
const DEADLINE_MS = 120_000;

export interface OperatorSession {
  readonly id: string;
  readonly pane: string;
  readonly folder: string;
}

/**
 * An operator who works without Baton. The operator has a separate home with settings and a separate tmux server with a
 * shell in each pane, and starts practice agents by typing a command line.
 */
export class OperatorTmux {
  readonly home: string;
  readonly socket: string;
  private readonly baton: BatonProcess;

  constructor(baton: BatonProcess, name = 'own') {
    this.baton = baton;
    this.home = mkdtempSync(join(tmpdir(), `btu-${name}-`));
    this.socket = join(baton.home, `${name}.sock`);
    for (const folder of ['.claude', '.practice']) mkdirSync(join(this.home, folder), { recursive: true });
  }

  /** Runs `baton hooks install` and returns the part of the result that is about the practice agent. */
  async installHooks(): Promise<HookSettings> {
    const { stdout } = await this.cli('hooks', 'install', '--json');
    return JSON.parse(stdout).settings.find(({ runtime }: HookSettings) => runtime === 'practice');
  }

  cli(...words: string[]) {
    const { TMUX: _server, TMUX_PANE: _pane, ...outside } = process.env;
    const env = { ...outside, HOME: this.home, CLAUDE_CONFIG_DIR: '', BATON_HOME: this.baton.home };
    return run(process.execPath, [PROGRAM, ...words], env);
  }

  async tmux(...words: string[]): Promise<string> {
    const { TMUX: _server, TMUX_PANE: _pane, ...env } = process.env;
    const { code, stdout, stderr } = await run('tmux', ['-S', this.socket, '-f', '/dev/null', ...words], {
      ...env,
      HOME: this.home,
    });
    if (code !== 0) throw new Error(`tmux ${words.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  /** Starts a shell in a new pane. */
  shell(): Promise<string> {
    const size = ['-x', '150', '-y', '50'];
    return this.tmux('new-session', '-d', ...size, '-P', '-F', '#{pane_id}', '/bin/sh', '-i');
  }

  /** Types a line and Enter. */
  async type(pane: string, line: string): Promise<void> {
    await this.tmux('send-keys', '-l', '-t', pane, '--', line);
    await this.tmux('send-keys', '-t', pane, 'Enter');
  }

  /** Starts a practice agent from the shell of a pane. */
  session(behaviour: object = {}, pane?: string): Promise<OperatorSession> {
    return this.sessionIn(this.baton.project(behaviour), pane);
  }

  async sessionIn(folder: string, pane?: string): Promise<OperatorSession> {
    const there = pane ?? (await this.shell());
    const id = randomUUID();
    const settings = join(this.home, '.practice/settings.json');
    const log = `BATON_PRACTICE_LOG='${this.logPath(id)}'`;
    await this.type(
      there,
      `cd '${folder}' && ${log} '${process.execPath}' '${PRACTICE}' --session-id ${id} --settings '${settings}'`,
    );
    return { id, pane: there, folder };
  }

  /** Starts a session and waits until Baton has seen it. */
  async seen(behaviour: object = {}, pane?: string): Promise<OperatorSession> {
    const session = await this.session(behaviour, pane);
    await this.candidate(session.id);
    return session;
  }

  async candidate(id: string): Promise<Candidate> {
    return until(`session ${id} is seen`, async () => {
      const { candidates } = await this.baton.get<{ candidates: Candidate[] }>('/api/candidates');
      return candidates.find(({ session_id, alive }) => session_id === id && alive);
    });
  }

  logPath(id: string): string {
    return join(this.home, `${id}.jsonl`);
  }

  /** The session's own log, which tests trust more than Baton. */
  evidence(id: string): { readonly type: string; readonly text?: string }[] {
    return readFileSync(this.logPath(id), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string });
  }

  submitted(id: string, mark: string): number {
    return this.evidence(id).filter(({ type, text }) => type === 'submitted' && text?.includes(mark)).length;
  }

  /** Returns what Baton must not change on this tmux server: options, hooks, sessions, panes, buffers and clients. */
  async everything(): Promise<string> {
    const asked = [
      ['show-options', '-s'],
      ['show-options', '-g'],
      ['show-options', '-gw'],
      ['show-hooks', '-g'],
      ['list-sessions', '-F', '#{session_name} #{session_attached} #{session_windows}'],
      ['list-panes', '-a', '-F', '#{pane_id} #{pane_pid} #{pane_width}x#{pane_height}'],
      ['list-buffers'],
      ['list-clients'],
    ];
    return (await Promise.all(asked.map((words) => this.tmux(...words)))).join('\n--\n');
  }

  screen(pane: string): Promise<string> {
    return this.tmux('capture-pane', '-p', '-t', pane);
  }

  async cleanUp(): Promise<void> {
    await this.tmux('kill-server').catch(() => undefined);
  }
}

export async function until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
  const end = Date.now() + DEADLINE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Writes settings with the two hooks that an older Baton installed. */
export function writeOldHooks(file: string, script: string): void {
  const group = (event: string) => [
    { hooks: [{ type: 'command', command: `[ ! -x '${script}' ] || '${script}' practice ${event} $PPID; true` }] },
  ];
  const hooks = Object.fromEntries(['SessionStart', 'SessionEnd'].map((event) => [event, group(event)]));
  writeFileSync(file, JSON.stringify({ hooks }));
}
