import { ServerEvent } from '../wire.ts';

const MAX_EVENT = 8 * 1_048_576;

/** Parses a stream of server-sent events. Skips events that are not JSON; ends when the stream ends. */
export async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? '';
    if (text.length > MAX_EVENT) text = '';
    for (const block of blocks) {
      const event = eventIn(block);
      if (event !== undefined) yield event;
    }
  }
}

function eventIn(block: string): ServerEvent | undefined {
  const data = block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');
  try {
    return data === '' ? undefined : ServerEvent.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}
