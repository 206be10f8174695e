export interface WrittenFile {
  readonly path: string;
  readonly purpose: string;
}

/** What the agent knows. It ends with the process, unless a handoff document carries it over. */
export class Memory {
  prompts: string[] = [];
  done: string[] = [];
  files: WrittenFile[] = [];
  decisions: string[] = [];
  nextSteps: string[] = [];
  blockers: string[] = [];
  context: string[] = [];
  skill = '';

  rememberFile(path: string, purpose: string): void {
    this.files = [...this.files.filter((file) => file.path !== path), { path, purpose }];
  }

  forgetEverything(): void {
    Object.assign(this, new Memory());
  }
}
