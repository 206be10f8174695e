import { randomUUID } from 'node:crypto';
import { transcriptPathAfterClear } from './transcript-path.ts';

/** The current conversation. `/clear` begins a new conversation in the same process. */
export class Session {
  id: string;
  promptId: string | undefined;
  readonly cwd: string;
  transcriptPath: string;

  constructor(id: string, cwd: string, transcriptPath: string) {
    this.id = id;
    this.cwd = cwd;
    this.transcriptPath = transcriptPath;
  }

  /** Begins a slash command. As in the real client, a command gets its own prompt id but fires no prompt hook. */
  beginCommand(): void {
    this.promptId = randomUUID();
  }

  beginAnew(): void {
    this.id = randomUUID();
    this.promptId = undefined;
    this.transcriptPath = transcriptPathAfterClear(this.transcriptPath, this.id);
  }

  identity(): Record<string, unknown> {
    return { session_id: this.id, transcript_path: this.transcriptPath, cwd: this.cwd };
  }
}
