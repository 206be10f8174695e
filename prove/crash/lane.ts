import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Event } from '../../src/contract/resources.ts';
import { type Answer, BatonProcess } from '../../test/support/baton-process.ts';
import { AFTER_MS } from './plan.ts';

/** The deadline of each handoff step. It is long, so that Baton does not halt a run because the machine is slow. */
const DEADLINE_SECONDS = 45;
const DEADLINES = Object.fromEntries(
  [
    'requested',
    'instructing',
    'verifying',
    'recorded',
    'shutting_down',
    'creating_successor',
    'delivering_prompt',
    'undoing',
  ].map((step) => [step, DEADLINE_SECONDS]),
);
const PATIENCE_MS = 150_000;
const POLL_MS = 60;

/** One Baton home. Its server is started again whenever it dies, as a service manager would do. */
export class Lane {
  readonly baton = new BatonProcess({
    reconcile_every_ms: 250,
    deadlines_seconds: DEADLINES,
    // Let Baton handle the packages of a dead agent after two seconds, because waiting for the usual time would make
    // the test slow.
    package_timers_seconds: { gone: 2 },
  });
  /**
   * The duration of each restart in milliseconds: from the start of the process until the server reports that its first
   * reconcile is done.
   */
  readonly recoveries: number[] = [];
  kills = 0;
  /** The total time in milliseconds during which the server was down. */
  downMs = 0;
  private readonly crashFile = join(realpathSync(mkdtempSync(join(tmpdir(), 'bc-'))), 'crash');
  private up: Promise<void> = Promise.resolve();
  private closing = false;
  private keeping: Promise<void> = Promise.resolve();
  private events: Event[] = [];
  private seq = 0;
  private polling: Promise<void> | undefined;
  private breakdown: Error | undefined;
  private fuse: { readonly timer: NodeJS.Timeout; readonly points: readonly string[] } | undefined;

  async open(): Promise<void> {
    writeFileSync(this.crashFile, '');
    await this.baton.start({ BATON_CRASH_AT: this.crashFile });
    this.keeping = this.keepUp().catch((error: Error) => {
      this.breakdown = error;
    });
  }

  async close(): Promise<void> {
    this.closing = true;
    await this.baton.cleanUp();
    await this.keeping;
  }

  private async keepUp(): Promise<void> {
    for (;;) {
      let answered: () => void = () => undefined;
      const ended = await this.baton.ended();
      if (this.closing) return;
      if (ended !== 'SIGKILL') throw new Error(`the server ended by itself (${ended}): ${this.baton.greeting}`);
      this.kills++;
      this.up = new Promise((resolve) => {
        answered = resolve;
      });
      const from = performance.now();
      const started = await this.baton.start({ BATON_CRASH_AT: this.crashFile }).then(
        () => true,
        () => false,
      );
      this.downMs += performance.now() - from;
      if (started) this.recoveries.push(performance.now() - from);
      answered();
    }
  }

  /** Sets crash points. The running server dies at the first crash point, the next server at the second, and so on. */
  arm(points: readonly string[]): void {
    const [first = '', ...more] = points;
    const [name, ms] = first.split('#');
    if (name !== AFTER_MS) {
      writeFileSync(this.crashFile, points.join('\n'));
      return;
    }
    const timer = setTimeout(() => {
      this.fuse = undefined;
      writeFileSync(this.crashFile, more.join('\n'));
      void this.baton.kill();
    }, Number(ms));
    this.fuse = { timer, points };
  }

  /** Returns whether a crash point is left at which no server has died yet. */
  isArmed(): boolean {
    return this.fuse !== undefined || readFileSync(this.crashFile, 'utf8').trim() !== '';
  }

  /** Removes all crash points and returns the points that no server reached. */
  disarm(): readonly string[] {
    clearTimeout(this.fuse?.timer);
    const left = this.fuse?.points ?? readFileSync(this.crashFile, 'utf8').split('\n').filter(Boolean);
    this.fuse = undefined;
    writeFileSync(this.crashFile, '');
    return left;
  }

  /** Makes one call; returns undefined if the server died before it answered. */
  async try<T>(method: string, path: string, body?: unknown, token?: string): Promise<Answer<T> | undefined> {
    if (this.breakdown !== undefined) throw this.breakdown;
    await this.up;
    return this.baton.call<T>(method, path, body, token).catch(async () => {
      await pause(POLL_MS);
      return undefined;
    });
  }

  async get<T>(path: string): Promise<T> {
    const upMs = (): number => performance.now() - this.downMs;
    for (const until = upMs() + PATIENCE_MS; upMs() < until; ) {
      const answer = await this.try<T>('GET', path);
      if (answer !== undefined) return answer.body;
    }
    throw new Error(`the server does not answer: ${this.baton.greeting}`);
  }

  /**
   * Repeats the call until the server answers. Use this function only for calls that do no harm when they are made
   * twice.
   */
  async post<T>(path: string, body: unknown = {}): Promise<T> {
    for (let tries = 0; ; tries++) {
      const answer = await this.try<T>('POST', path, body);
      if (answer !== undefined && answer.status < 300) return answer.body;
      if (answer !== undefined || tries === 20) throw new Error(`${path} was refused: ${JSON.stringify(answer?.body)}`);
    }
  }

  /** Returns the number of the latest event in the server's log. */
  async now(): Promise<number> {
    await this.poll();
    return this.seq;
  }

  /**
   * Waits for an event that `fits` accepts and whose number is above `after`. Returns undefined if no such event comes
   * in time.
   */
  async event(after: number, fits: (event: Event) => boolean, patienceMs = PATIENCE_MS): Promise<Event | undefined> {
    for (const until = performance.now() + patienceMs; ; await pause(POLL_MS)) {
      const found = this.events.find((event) => event.seq > after && fits(event));
      if (found !== undefined || performance.now() > until) return found;
      await this.poll();
    }
  }

  eventsOf(runId: number): readonly Event[] {
    return this.events.filter((event) => event.run_id === runId);
  }

  private poll(): Promise<void> {
    this.polling ??= this.take().finally(() => {
      this.polling = undefined;
    });
    return this.polling;
  }

  private async take(): Promise<void> {
    for (;;) {
      const page = await this.try<{ events: Event[] }>('GET', `/api/events?after=${this.seq}`);
      // If the server died during the request, ask again, so that no event is missing.
      if (page === undefined) continue;
      const { events } = page.body;
      // Store only the events of handoff runs, because the log also contains hundreds of thousands of other events.
      this.events.push(...events.filter((event) => event.run_id !== null));
      this.seq = events.at(-1)?.seq ?? this.seq;
      if (events.length === 0) return;
    }
  }
}
