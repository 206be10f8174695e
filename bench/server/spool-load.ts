import { type FSWatcher, renameSync, watch, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises';

export interface Sender {
  readonly id: number;
  readonly token: string;
  readonly session: string;
}

/**
 * The number of the next hook event. The numbers begin at two billion, so that the agents' own hooks never use the same
 * numbers.
 */
let next = 2_000_000_000;

const YIELD_EVERY = 50;

const INPUT = { command: 'x'.repeat(1_000) };

/**
 * Writes hook events into a spool folder, as the hook script does, and records when the reader removes each file. The
 * reader is Baton or a minimal program for comparison, and removes a file only after the event is on disk. The hook
 * script itself is not run, because two cores cannot run it 1,000 times a second.
 */
export class SpoolLoad {
  readonly #folder: string;
  readonly #watcher: FSWatcher;
  readonly #left = new Map<string, number>();
  readonly #takenMs: number[] = [];
  #onEmpty: () => void = () => undefined;

  constructor(folder: string) {
    this.#folder = folder;
    this.#watcher = watch(folder, (_, name) => name !== null && this.#note(name));
  }

  /**
   * The files that inotify has reported once. The first report means that the file got its name, the second report that
   * the file was removed.
   */
  readonly #seen = new Set<string>();
  #note(name: string): void {
    const since = this.#left.get(name);
    if (since === undefined) return;
    if (!this.#seen.has(name)) {
      this.#seen.add(name);
      return;
    }
    this.#seen.delete(name);
    this.#left.delete(name);
    this.#takenMs.push(performance.now() - since);
    if (this.#left.size === 0) this.#onEmpty();
  }

  leave(sender: Sender): void {
    const n = next++;
    const event = n % 2 === 0 ? 'PreToolUse' : 'PostToolUse';
    const payload = JSON.stringify({
      session_id: sender.session,
      hook_event_name: event,
      tool_name: `bench-${n}`,
      tool_use_id: `use-${n}`,
      tool_input: INPUT,
    });
    const name = `${sender.id}-${n}-1`;
    writeFileSync(`${this.#folder}/.${name}`, `baton1 ${sender.token} ${event}\n${payload}`);
    this.#left.set(name, performance.now());
    renameSync(`${this.#folder}/.${name}`, `${this.#folder}/${name}`);
  }

  /** Writes hook events to the spool at an even pace, for each of the agents in turn. */
  async leaveEvenly(senders: readonly Sender[], perSecond: number, count: number): Promise<void> {
    const began = performance.now();
    for (let n = 0; n < count; n++) {
      const ahead = (n / perSecond) * 1_000 - (performance.now() - began);
      if (ahead > 1) await pause(ahead);
      // Let the file watcher read its inotify reports, because the kernel drops further reports when 16,384 of them
      // wait.
      else if (n % YIELD_EVERY === 0) await immediate();
      this.leave(senders[n % senders.length] as Sender);
    }
  }

  /** Waits until the reader has removed every event. Returns the milliseconds that each event waited. */
  async taken(deadlineMs = 120_000): Promise<readonly number[]> {
    const waits = new AbortController();
    const late = pause(deadlineMs, 'late' as const, { signal: waits.signal }).catch(() => 'empty' as const);
    const empty = new Promise<'empty'>((resolve) => {
      this.#onEmpty = () => resolve('empty');
      if (this.#left.size === 0) resolve('empty');
    });
    const end = await Promise.race([empty, late]);
    waits.abort();
    if (end === 'late') throw new Error(`${this.#left.size} events still waited after ${deadlineMs} ms`);
    return this.#takenMs.splice(0);
  }

  close(): void {
    this.#watcher.close();
  }
}
