import type { IncomingMessage } from 'node:http';
import { type SseFrame, SseParser } from '../../contract/sse-parser.ts';

/**
 * The maximum silence of a connection. The server sends a heartbeat every 15 s, so a longer silence means that the
 * connection is dead.
 */
const SILENCE_MS = 60_000;

/** Yields the server-sent events of an answer until the connection closes or breaks. */
export async function* readFrames(stream: IncomingMessage): AsyncGenerator<SseFrame> {
  const parser = new SseParser();
  stream.setEncoding('utf8');
  stream.setTimeout(SILENCE_MS, () => stream.destroy());
  const chunks = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch(() => ({ done: true as const, value: '' }));
      if (next.done) return;
      yield* parser.feed(next.value);
    }
  } finally {
    stream.destroy();
  }
}
