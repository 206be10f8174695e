import { setTimeout as pause } from 'node:timers/promises';
import { runShellCommand } from '../run-shell-command.ts';
import type { ContextUse } from './context-use.ts';
import type { Session } from './session.ts';

const TIMEOUT_MS = 10_000;

/**
 * Reports the context use to the configured command, one report at a time. If several reports wait, only the latest is
 * sent.
 */
export class StatusLine {
  private readonly command: string | undefined;
  private readonly session: Session;
  private readonly contextUse: ContextUse;
  private wanted = false;
  private running: Promise<void> | undefined;

  constructor(command: string | undefined, session: Session, contextUse: ContextUse) {
    this.command = command;
    this.session = session;
    this.contextUse = contextUse;
  }

  update(): void {
    if (this.command === undefined) return;
    this.wanted = true;
    this.running ??= this.run(this.command).finally(() => {
      this.running = undefined;
    });
  }

  async settle(mostMs: number): Promise<void> {
    await Promise.race([this.running, pause(mostMs)]);
  }

  private async run(command: string): Promise<void> {
    while (this.wanted) {
      this.wanted = false;
      const { cwd } = this.session;
      const env = { ...process.env, PRACTICE_PROJECT_DIR: cwd };
      const input = `${JSON.stringify(this.report())}\n`;
      await runShellCommand({ command, cwd, env, input, timeoutMs: TIMEOUT_MS });
    }
  }

  private report(): Record<string, unknown> {
    const { windowSize } = this.contextUse;
    const { tokens, percent } = this.contextUse.reported;
    return {
      ...this.session.identity(),
      model: { id: 'practice-1', display_name: 'Practice 1' },
      context_window: {
        total_input_tokens: tokens,
        context_window_size: windowSize,
        used_percentage: percent,
        remaining_percentage: percent === null ? null : 100 - percent,
      },
    };
  }
}
