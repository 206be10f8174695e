import { ServerEvent } from '../wire.ts';

const MAX_EVENT = 8 * 1_048_576;

/**
 * How long to wait for the first event. The server normally sends this event at once. The first request after a start
 * of the server can hang, and then only a new request gets an answer.
 */
const FIRST_MS = 5_000;
/**
 * If the server sends nothing for this long, the stream counts as broken. A server without problems sends a heartbeat
 * every ten seconds (measured with opencode 1.15.13 and 1.18.33).
 */
const SILENT_MS = 60_000;

/**
 * Opens the server's stream of events and reads it. Throws if the first event does not come, or if the server sends
 * nothing for a minute. The caller must then open a new stream.
 */
export async function* followEvents(
  open: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<ServerEvent> {
  const cut = new AbortController();
  let timer = setTimeout(() => cut.abort(), FIRST_MS);
  try {
    for await (const event of readEvents(await open(cut.signal))) {
      // Stop the timer while the caller handles the event, because the timer must measure only how long the server
      // sends nothing.
      clearTimeout(timer);
      yield event;
      timer = setTimeout(() => cut.abort(), SILENT_MS);
    }
  } finally {
    clearTimeout(timer);
    cut.abort();
  }
}

/** Parses a stream of server-sent events. Skips events that are not JSON; ends when the stream ends. */
async function* readEvents(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ServerEvent> {
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
