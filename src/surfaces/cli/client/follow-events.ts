import type { IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Event } from '../../../contract/resources.ts';
import { parseJson } from '../../socket/read-answer.ts';
import { readFrames } from '../../socket/read-frames.ts';
import { ServerUnreachable } from '../cli-fault.ts';
import type { Reply } from './replies.ts';

export interface Following {
  readonly after: number;
  readonly signal?: AbortSignal;
  /**
   * How long `followEvents` waits for an unreachable server before it throws. If this field is absent, `followEvents`
   * throws at once if the first connection fails, and waits for PATIENCE_MS if a later connection is lost.
   */
  readonly patienceMs?: number;
}

type Connect = (after: number, signal: AbortSignal | undefined) => Promise<IncomingMessage>;

interface Reader {
  understand<T>(body: unknown, reply: Reply<T>): T;
}

const PATIENCE_MS = 30_000;
const RETRY_MS = 50;

/** Yields every event once, in order, across dropped connections and server restarts. */
export async function* followEvents(
  connect: Connect,
  reader: Reader,
  following: Following,
): AsyncGenerator<Event, never> {
  const { signal, patienceMs = PATIENCE_MS } = following;
  let last = following.after;
  let seenAt = following.patienceMs === undefined ? Number.NEGATIVE_INFINITY : performance.now();
  for (;;) {
    signal?.throwIfAborted();
    try {
      const stream = await connect(last, signal);
      seenAt = performance.now();
      for await (const { data } of readFrames(stream)) {
        const event = reader.understand(parseJson(data), Event);
        seenAt = performance.now();
        if (event.seq <= last) continue;
        last = event.seq;
        yield event;
        signal?.throwIfAborted();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ServerUnreachable) || performance.now() - seenAt > patienceMs) throw error;
    }
    await pause(RETRY_MS);
  }
}
