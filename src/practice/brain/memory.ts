import { readFileSync } from 'node:fs';

export interface WrittenFile {
  readonly path: string;
  readonly purpose: string;
}

/** The agent's knowledge. It is lost when the process ends, unless a handoff document contains it. */
export class Memory {
  prompts: string[] = [];
  done: string[] = [];
  files: WrittenFile[] = [];
  decisions: string[] = [];
  nextSteps: string[] = [];
  blockers: string[] = [];
  /**
   * Questions and lessons for this agent's handoff document. The agent copies no question or lesson from its
   * predecessor's document.
   */
  questions: string[] = [];
  lessons: string[] = [];
  context: string[] = [];
  skill = '';
  /** How many times Baton has asked this agent for a handoff document. */
  instructions = 0;

  rememberFile(path: string, purpose: string): void {
    this.files = [...this.files.filter((file) => file.path !== path), { path, purpose }];
  }

  /** Returns a memory with the earlier prompts of a resumed conversation. */
  static ofTranscript(path: string): Memory {
    const memory = new Memory();
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
    memory.prompts = lines
      .map((line) => JSON.parse(line) as { type: string; message: { content: unknown } })
      .flatMap(({ type, message }) => (type === 'user' ? [String(message.content)] : []));
    return memory;
  }

  forgetEverything(): void {
    Object.assign(this, new Memory());
  }
}
