import type { Event } from '../../../contract/resources.ts';
import { SseParser } from '../../../contract/sse-parser.ts';

/** Yields the events of each chunk of bytes. A heartbeat yields an empty list, as a sign of a live connection. */
export async function* readEvents<T = Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly T[]> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader();
  const parser = new SseParser();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield parser.feed(value).map(({ data }) => JSON.parse(data) as T);
    }
  } finally {
    // Close the connection explicitly. Otherwise a page that aborts the stream would keep the connection open, and the
    // server allows only a limited number of connections.
    reader.cancel().catch(() => undefined);
  }
}
