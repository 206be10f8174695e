import { closeSync, openSync, readSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One line in the log of an agent of this bench: an event, and its time on the monotonic clock. */
export interface Evidence {
  readonly kind: 'ready' | 'prompt' | 'document' | 'exit';
  readonly agent: number;
  readonly pid: number;
  /** The time of the event, in milliseconds on the clock that `nowMs` reads. */
  readonly at: number;
  readonly bytes: number;
  readonly hash: string;
  /** The reference of the prompt, from its mark `[baton:REF]`; `-` if the prompt has no mark. */
  readonly ref: string;
}

/** Reads the monotonic clock in milliseconds. The agents read the same clock. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export interface Behavior {
  readonly noStop?: boolean;
  readonly status?: boolean;
}

/**
 * The logs of the agents in one folder. To find out which texts arrived, the bench believes only these logs, and not
 * Baton.
 */
export class EvidenceFile {
  readonly all: Evidence[] = [];
  private readonly folder: string;
  private readonly spool: string;
  private readonly path: string;
  private read = 0;
  private rest = '';

  /** @param folder the working folder of the agents */
  constructor(folder: string, spool: string, path: string) {
    this.folder = folder;
    this.spool = spool;
    this.path = path;
    writeFileSync(path, '');
    this.instruct({});
  }

  /** Sets the behavior of the agents from their next prompt on. */
  instruct({ noStop = false, status = false }: Behavior): void {
    const lines = [`evidence ${this.path}`, `spool ${this.spool}`];
    if (noStop) lines.push('no-stop');
    if (status) lines.push('status');
    writeFileSync(join(this.folder, '.zero-think'), `${lines.join('\n')}\n`);
  }

  /** Reads the new lines of the logs, and returns all lines so far. */
  look(): readonly Evidence[] {
    const file = openSync(this.path, 'r');
    const buffer = Buffer.alloc(1 << 16);
    for (let got = readSync(file, buffer, 0, buffer.length, this.read); got > 0; ) {
      this.read += got;
      this.rest += buffer.toString('latin1', 0, got);
      got = readSync(file, buffer, 0, buffer.length, this.read);
    }
    closeSync(file);
    const lines = this.rest.split('\n');
    this.rest = lines.pop() ?? '';
    this.all.push(...lines.map(parse));
    return this.all;
  }

  /**
   * Resolves as soon as `find` returns a value. Waits for inotify events, because polling would use CPU time that the
   * measured programs need.
   */
  until<T>(what: string, find: (all: readonly Evidence[]) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const watcher = watch(this.path, () => check());
      const timer = setTimeout(() => end(() => reject(new Error(`waited too long for ${what}`))), 60_000);
      const end = (tell: () => void): void => {
        watcher.close();
        clearTimeout(timer);
        tell();
      };
      const check = (): void => {
        const found = find(this.look());
        if (found !== undefined) end(() => resolve(found));
      };
      check();
    });
  }
}

function parse(line: string): Evidence {
  const [kind, agent, pid, at, bytes, hash = '', ref = '-'] = line.split(' ');
  return {
    kind: kind as Evidence['kind'],
    agent: Number(agent),
    pid: Number(pid),
    at: Number(BigInt(at ?? 0)) / 1e6,
    bytes: Number(bytes),
    hash,
    ref,
  };
}

/** Computes the 64-bit FNV-1a hash of a text. The agents log the same hash of each prompt that they get. */
export function fnv(text: string): string {
  let hash = 14695981039346656037n;
  for (const byte of Buffer.from(text, 'utf8')) hash = ((hash ^ BigInt(byte)) * 1099511628211n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, '0');
}
