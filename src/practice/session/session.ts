/** Which conversation this is; `/clear` begins another one in the same process. */
export class Session {
  id: string;
  promptId: string | undefined;
  readonly cwd: string;
  readonly transcriptPath: string;

  constructor(id: string, cwd: string, transcriptPath: string) {
    this.id = id;
    this.cwd = cwd;
    this.transcriptPath = transcriptPath;
  }

  identity(): Record<string, unknown> {
    return { session_id: this.id, transcript_path: this.transcriptPath, cwd: this.cwd };
  }
}
