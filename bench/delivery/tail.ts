import { closeSync, openSync, readSync } from 'node:fs';

/** The complete lines of a JSON log that other processes append to. Each line is read and parsed only once. */
export class Tail<T> {
  readonly entries: T[] = [];
  private readonly path: string;
  private readonly keep: (entry: Record<string, unknown>) => T;
  private offset = 0;
  private rest: Buffer = Buffer.alloc(0);

  constructor(path: string, keep: (entry: Record<string, unknown>) => T) {
    this.path = path;
    this.keep = keep;
  }

  read(): readonly T[] {
    const fresh = this.readNew();
    if (fresh.length === 0) return this.entries;
    const all = Buffer.concat([this.rest, fresh]);
    const end = all.lastIndexOf(0x0a) + 1;
    this.rest = all.subarray(end);
    for (const line of all.subarray(0, end).toString('utf8').split('\n')) {
      if (line !== '') this.entries.push(this.keep(JSON.parse(line) as Record<string, unknown>));
    }
    return this.entries;
  }

  private readNew(): Buffer {
    let file: number;
    try {
      file = openSync(this.path, 'r');
    } catch {
      return Buffer.alloc(0);
    }
    try {
      const chunks: Buffer[] = [];
      for (;;) {
        const chunk = Buffer.alloc(64 * 1024);
        const count = readSync(file, chunk, 0, chunk.length, this.offset);
        if (count === 0) return Buffer.concat(chunks);
        this.offset += count;
        chunks.push(chunk.subarray(0, count));
      }
    } finally {
      closeSync(file);
    }
  }
}
