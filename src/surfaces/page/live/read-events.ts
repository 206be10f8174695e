import type { Event } from '../../../contract/resources.ts';

/** Parses server-sent events from bytes. Yields whole frames only; comments and heartbeats yield no events. */
export async function* readEvents<T = Event>(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly T[]> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as unknown as TransformStream<Uint8Array, string>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const frames = (rest + value).split('\n\n');
      rest = frames.pop() ?? '';
      yield frames.flatMap((frame) => dataOf<T>(frame));
    }
  } finally {
    // Without this an aborted page would keep its connection, and the server allows only a limited number.
    reader.cancel().catch(() => undefined);
  }
}

function dataOf<T>(frame: string): T[] {
  const data = frame
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => line.slice('data: '.length));
  return data.length === 0 ? [] : [JSON.parse(data.join('\n')) as T];
}
