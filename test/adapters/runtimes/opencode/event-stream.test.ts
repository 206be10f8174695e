import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { followEvents } from '../../../../src/adapters/runtimes/opencode/host/event-stream.ts';

/** A fake server that sends events of the given types and then stays silent until the reader cancels the stream. */
async function* silentAfter(signal: AbortSignal, ...types: string[]): AsyncGenerator<Uint8Array> {
  for (const type of types) yield new TextEncoder().encode(`data: ${JSON.stringify({ type, properties: {} })}\n\n`);
  await new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('cut')));
  });
}

describe('the stream of events of opencode', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('if a request for opencode events gets no answer for five seconds, Baton aborts the request', async () => {
    const next = followEvents(async (signal) => silentAfter(signal)).next();
    const given = expect(next).rejects.toThrow('cut');
    await vi.advanceTimersByTimeAsync(5_000);
    await given;
  });

  it('if a stream of opencode events brings no event for a minute, Baton aborts the stream', async () => {
    const events = followEvents(async (signal) => silentAfter(signal, 'server.connected', 'session.idle'));
    expect((await events.next()).value).toMatchObject({ type: 'server.connected' });
    // The reader takes two minutes to handle one event. These two minutes must not count as silence of the server.
    await vi.advanceTimersByTimeAsync(120_000);
    expect((await events.next()).value).toMatchObject({ type: 'session.idle' });
    const given = expect(events.next()).rejects.toThrow('cut');
    await vi.advanceTimersByTimeAsync(60_000);
    await given;
  });
});
