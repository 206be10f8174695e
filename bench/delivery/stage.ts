import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPracticeRuntime } from '../../src/adapters/runtimes/practice/practice-runtime.ts';
import { createTmuxTerminal, type TmuxTerminalOptions } from '../../src/adapters/tmux/create-tmux-terminal.ts';
import type { ScreenReader, Terminal } from '../../src/app/ports/terminal.ts';
import type { Plant } from './plant.ts';
import { PracticeAgent } from './practice-agent.ts';

const PROGRAM = resolve(import.meta.dirname, '../../dist/practice/main.js');
const runtime = createPracticeRuntime(PROGRAM);

export interface AgentRequest {
  readonly behaviour?: Readonly<Record<string, unknown>>;
  readonly settleMs?: number;
  /**
   * A command that is added as a further hook to the client's settings. The client first runs the hook that records
   * events for the bench, and then this command.
   */
  readonly policyHook?: string;
}

/** A separate tmux server with practice agents in it. */
export class Stage {
  readonly agents: PracticeAgent[] = [];
  readonly terminal: Terminal;
  serverCrashes = 0;
  private readonly plant: Plant;
  private readonly dir = mkdtempSync(join(tmpdir(), 'bd-'));
  private readonly socketPath = join(this.dir, 's');
  private readonly terminals: Terminal[] = [];
  private serverPid: number | undefined;

  constructor(plant: Plant) {
    this.plant = plant;
    this.terminal = this.makeTerminal();
  }

  makeTerminal(more: Partial<TmuxTerminalOptions> = {}): Terminal {
    const sabotage =
      this.plant === 'no_guard'
        ? { withoutGuard: true }
        : this.plant === 'mark_after_paste'
          ? { beforeMark: async () => undefined }
          : {};
    const paths = { socketPath: this.socketPath, configPath: join(this.dir, 'tmux.conf') };
    const terminal = createTmuxTerminal({ ...paths, sabotage, ...more });
    this.terminals.push(terminal);
    return terminal;
  }

  /** Runs a tmux command synchronously, because the function that reads the screen is synchronous. */
  tmux(...args: string[]): string {
    try {
      const argv = ['-u', '-S', this.socketPath, ...args];
      return execFileSync('tmux', argv, { encoding: 'utf8', stdio: 'pipe', timeout: 5000 }).trimEnd();
    } catch {
      return '';
    }
  }

  async startAgent(wish: AgentRequest = {}): Promise<PracticeAgent> {
    const { settleMs = runtime.settleMs } = wish;
    const { readScreen, readQuestion, isOurDraft } = runtime;
    const reader: ScreenReader = { readScreen, readQuestion, isOurDraft, settleMs };
    const folder = join(this.dir, `a${this.agents.length}`);
    this.furnish(folder, wish);
    const { terminal } = this;
    const pane = await terminal.launch({
      sessionName: `agent-${this.agents.length}`,
      tag: `tag-${this.agents.length}`,
      argv: launchWords(folder),
    });
    // Make tmux close the pane when the agent exits. Normally Baton's engine changes this tmux option once the agent's
    // session has begun, but this bench runs no engine.
    await terminal.closeAtExit(pane);
    this.serverPid = pane.serverPid;
    const press = (...keys: string[]) => void this.tmux('send-keys', '-t', pane.paneId, ...keys);
    const agent = new PracticeAgent({ pane, terminal, reader, folder, press });
    this.agents.push(agent);
    return agent;
  }

  /** Returns whether the tmux server has ended by itself, that is, without a call of `killServer`. */
  lookForCrash(): boolean {
    if (this.serverPid === undefined || this.tmux('display-message', '-p', '#{pid}') === String(this.serverPid)) {
      return false;
    }
    this.serverCrashes += 1;
    this.serverPid = undefined;
    return true;
  }

  killServer(): void {
    this.serverPid = undefined;
    this.tmux('kill-server');
  }

  async stop(): Promise<void> {
    this.lookForCrash();
    await Promise.all(this.terminals.map((terminal) => terminal.close()));
    this.tmux('kill-server');
    // Wait before removing the folder of the agents, because an agent that has lost its terminal still writes the last
    // lines of its log into this folder.
    await sleep(150);
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }

  private furnish(folder: string, { behaviour, policyHook }: AgentRequest): void {
    mkdirSync(folder);
    const record = `cat >> '${folder}/hooks.jsonl'`;
    const group = (...commands: string[]) => [{ hooks: commands.map((command) => ({ type: 'command', command })) }];
    const submit = policyHook === undefined ? group(record) : group(record, policyHook);
    const settings = { hooks: { UserPromptSubmit: submit, Stop: group(record) } };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
    const manner = { thinkMs: 0, contextWindow: 1_000_000_000, suggestion: 'Try "fix the lint errors"', ...behaviour };
    writeFileSync(join(folder, '.practice.json'), JSON.stringify(manner));
  }
}

function launchWords(folder: string): string[] {
  const script = 'cd "$1" && export BATON_PRACTICE_LOG="$1/practice.jsonl" && shift && exec "$@"';
  const agent = [process.execPath, PROGRAM, '--session-id', randomUUID(), '--settings', join(folder, 'settings.json')];
  return ['sh', '-c', script, 'sh', folder, ...agent];
}
