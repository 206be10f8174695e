import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CliFault } from '../cli-fault.ts';
import { errnoWords } from '../output/errno-words.ts';

export interface ServerPlan {
  readonly self: readonly string[];
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /**
   * One entry for each planned SIGKILL of the server. After the SIGKILL, the demo starts the server again with the
   * environment variables in the entry.
   */
  readonly restarts: readonly Readonly<Record<string, string>>[];
  readonly onKilled: () => void;
  /** Called if the server ends although no kill was planned. */
  readonly onBroken: (fault: CliFault) => void;
}

const POLITE_MS = 5_000;
const NOT_FOR_THE_CHILD = [
  'TMUX',
  'TMUX_PANE',
  'BATON_AGENT_ID',
  'BATON_AGENT_TOKEN',
  'BATON_PREDECESSOR',
  'BATON_CRASH_AT',
];

/** The demo's own server, as a separate process that can be killed. */
export class DemoServer {
  /** How often the server has ended by SIGKILL so far. */
  kills = 0;
  private readonly plan: ServerPlan;
  private readonly restarts: Readonly<Record<string, string>>[];
  private child: ChildProcess | undefined;
  private stopping = false;

  constructor(plan: ServerPlan) {
    this.plan = plan;
    this.restarts = [...plan.restarts];
  }

  start(extra: Readonly<Record<string, string>> = {}): void {
    const { self, home, env } = this.plan;
    const [program = '', ...words] = self;
    const log = openSync(this.logFile, 'a', 0o600);
    const clean = Object.fromEntries(Object.entries(env).filter(([key]) => !NOT_FOR_THE_CHILD.includes(key)));
    const child = spawn(program, [...words, 'start'], {
      env: { ...clean, BATON_HOME: home, ...extra },
      stdio: ['ignore', log, log],
      // Start the server in its own process group, so that Ctrl-C reaches only the demo. The demo then stops the server
      // in an orderly way.
      detached: true,
    });
    closeSync(log);
    child.on('error', (error) => this.plan.onBroken(new CliFault(`Cannot start the server: ${errnoWords(error)}.`)));
    child.on('exit', (code, signal) => this.onExit(signal ?? `exit code ${code}`));
    this.child = child;
  }

  kill(): void {
    this.child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.stopping = true;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!this.isRunning) return;
      this.child?.kill(signal);
      const until = performance.now() + POLITE_MS;
      while (this.isRunning && performance.now() < until) await pause(20);
    }
  }

  private get isRunning(): boolean {
    const { child } = this;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  private onExit(how: string): void {
    if (this.stopping) return;
    if (how === 'SIGKILL') this.kills += 1;
    const next = how === 'SIGKILL' ? this.restarts.shift() : undefined;
    if (next === undefined) {
      this.plan.onBroken(new CliFault(`The demo's server ended unexpectedly (${how}).`, { hint: this.lastWords() }));
      return;
    }
    this.start(next);
    this.plan.onKilled();
  }

  private get logFile(): string {
    return join(this.plan.home, 'server.out');
  }

  private lastWords(): string {
    const lines = readFileSync(this.logFile, 'utf8').trim().split('\n').slice(-12).join('\n');
    return lines === '' ? 'It printed nothing.' : `Its last output:\n${lines}`;
  }
}
