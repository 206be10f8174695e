import { spawnSync } from 'node:child_process';
import type { Parts } from './parts.ts';
import type { PromptIntake } from './prompt-intake.ts';
import type { TerminalScreen } from './screen/terminal-screen.ts';

export interface Leaving {
  readonly code: number;
  /** The reason for the exit, as written to the log. */
  readonly reason: string;
  /** The reason that the SessionEnd hook reports. Undefined if no session began, because the hook then does not run. */
  readonly sessionEnd?: 'prompt_input_exit' | 'other';
  readonly thenShell?: boolean;
}

const STATUS_LINE_GRACE_MS = 1000;

/** All ways in which the process of the practice agent can end. Each way restores the terminal. */
export class Departure {
  private readonly parts: Parts;
  private readonly screen: TerminalScreen;
  private begun = false;

  constructor(parts: Parts, screen: TerminalScreen) {
    this.parts = parts;
    this.screen = screen;
  }

  get hasBegun(): boolean {
    return this.begun;
  }

  async leave(leaving: Leaving, intake: PromptIntake): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    intake.close();
    const { hooks, statusLine } = this.parts;
    hooks.abandonWaiting();
    const { sessionEnd } = leaving;
    if (sessionEnd !== undefined) await hooks.fire('SessionEnd', () => ({ reason: sessionEnd }));
    await statusLine.settle(STATUS_LINE_GRACE_MS);
    if (leaving.thenShell) this.fallToShell();
    this.atOnce(leaving.code, leaving.reason);
  }

  /** Ends the process without hooks or waiting, for a crash or a refused start. */
  atOnce(code: number, reason: string): never {
    this.parts.log.write('exit', { code, reason });
    this.parts.statusFile.remove();
    this.screen.restore();
    process.exit(code);
  }

  /**
   * Runs a shell in the foreground of the same pane. Node cannot replace its own process by a shell, but for the
   * operator and tmux the result looks the same.
   */
  private fallToShell(): void {
    this.parts.log.write('shell');
    this.screen.restore();
    // The signal handlers cannot run while the shell blocks the thread. Remove the handlers, so that a signal ends this
    // process directly.
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.removeAllListeners(signal);
    process.stdin.pause();
    spawnSync('sh', ['-i'], { stdio: 'inherit', cwd: this.parts.session.cwd });
  }
}
