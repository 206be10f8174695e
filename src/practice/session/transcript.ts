import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { CHARACTERS_PER_TOKEN, type ContextUse } from './context-use.ts';
import type { Session } from './session.ts';

/**
 * The transcript of a session. A prompt is written only after the model has received it, so a `type:user` line proves
 * that the prompt was accepted.
 */
export class Transcript {
  private readonly session: Session;
  private cached = 0;

  constructor(session: Session) {
    this.session = session;
  }

  user(prompt: string): void {
    this.append('user', { role: 'user', content: prompt });
  }

  /** Writes an interruption as a line of the user, as the real client does. */
  interrupted(): void {
    this.append('user', { role: 'user', content: [{ type: 'text', text: '[Request interrupted by user]' }] });
  }

  /**
   * Writes a prompt that joined a running turn. As in the real client, the line is an attachment and not a `type:user`
   * line.
   */
  joined(prompt: string): void {
    this.write({ type: 'attachment', attachment: { type: 'queued_command', prompt } });
  }

  assistant(content: readonly Record<string, unknown>[], use: Pick<ContextUse, 'tokens' | 'windowSize'>): void {
    const output = Math.ceil(JSON.stringify(content).length / CHARACTERS_PER_TOKEN);
    // Count the conversation up to the previous answer as input from a cache, as a real provider does.
    const cached = Math.min(this.cached, use.tokens);
    this.cached = use.tokens;
    const usage = {
      input_tokens: use.tokens - cached,
      cache_read_input_tokens: cached,
      output_tokens: output,
      context_window: use.windowSize,
    };
    this.append('assistant', { role: 'assistant', content, usage });
  }

  private append(type: string, message: Record<string, unknown>): void {
    this.write({ type, message });
  }

  private write(entry: Record<string, unknown>): void {
    const timestamp = new Date().toISOString();
    const line = { ...entry, uuid: randomUUID(), timestamp, sessionId: this.session.id };
    appendFileSync(this.session.transcriptPath, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }
}
