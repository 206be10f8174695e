import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/contract/resources.ts';
import { EVERYTHING, eventsQueryString, isWanted } from '../../../src/surfaces/page/activity/event-kinds.ts';
import {
  begun,
  hasGap,
  MAX_LIVE_ROWS,
  revealed,
  withLive,
  withOlder,
} from '../../../src/surfaces/page/activity/event-log.ts';

const event = (seq: number, about: Partial<Event> = {}): Event => ({
  seq,
  at: '2026-01-01T00:00:00.000Z',
  type: 'tool_used',
  agent_id: 1,
  run_id: null,
  by: null,
  sentence: '',
  kind: 'agent',
  bad_news: false,
  data: {},
  ...about,
});
/** Creates events, oldest first, as in the live feed. */
const from = (first: number, last: number): Event[] =>
  Array.from({ length: last - first + 1 }, (_, at) => event(first + at));
const down = (last: number, first: number): Event[] => from(first, last).reverse();
const seqs = (events: readonly Event[]): number[] => events.map(({ seq }) => seq);
const all = { isReading: false, isWanted: () => true };

describe('the event log on the page', () => {
  it('each new event is shown once in the event log, the newest first', () => {
    const log = withLive(begun(down(10, 8), 9, 3), from(9, 12), all);
    expect(seqs(log.shown)).toEqual([12, 11, 10, 9, 8]);
    expect(withLive(log, from(9, 12), all)).toBe(log);
  });

  it('while the operator reads, the event log holds back the new events and counts them', () => {
    const log = withLive(begun(down(10, 8), 10, 3), from(11, 12), { ...all, isReading: true });
    expect(seqs(log.shown)).toEqual([10, 9, 8]);
    expect(log.heldCount).toBe(2);
    expect(seqs(revealed(log).shown)).toEqual([12, 11, 10, 9, 8]);
    expect(revealed(log).heldCount).toBe(0);
  });

  it('if very many new events wait, the event log shows only the newest and can load the others', () => {
    const start = begun(down(10, 8), 10, 3);
    const reading = { ...all, isReading: true };
    const flooded = withLive(withLive(start, from(11, 310), reading), from(200, 600), reading);
    expect(flooded.heldCount).toBe(590);
    const { shown, hasOlder } = revealed(flooded);
    expect(seqs(shown)).toEqual(seqs(down(600, 600 - MAX_LIVE_ROWS + 1)));
    expect(hasOlder).toBe(true);
  });

  it('the page notices when events are missing between the event log and the live feed', () => {
    const log = begun(down(10, 8), 10, 3);
    expect(hasGap(log, from(11, 20))).toBe(false);
    expect(hasGap(log, from(12, 20))).toBe(true);
    expect(hasGap(log, [])).toBe(false);
  });

  it('the event log loads older pages on request', () => {
    const log = withOlder(begun(down(10, 8), 10, 3), down(8, 6), 3);
    expect(seqs(log.shown)).toEqual([10, 9, 8, 7, 6]);
    expect(log.hasOlder).toBe(true);
    expect(withOlder(log, down(5, 4), 3).hasOlder).toBe(false);
  });
});

describe('the filter of the log', () => {
  it('the log filter matches the same events on the server and in the live feed', () => {
    const filter = { agent: 1, run: 7, kind: 'handoff' } as const;
    const query = new URLSearchParams(eventsQueryString(filter, 100, 55));
    expect(Object.fromEntries(query)).toMatchObject({
      order: 'desc',
      limit: '100',
      agent: '1',
      run: '7',
      kind: 'handoff',
      before: '55',
    });
    expect(isWanted(filter, event(1, { kind: 'handoff', run_id: 7 }))).toBe(true);
    expect(isWanted(filter, event(1, { kind: 'agent', run_id: 7 }))).toBe(false);
    expect(isWanted(filter, event(1, { kind: 'handoff', run_id: 8 }))).toBe(false);
  });

  it('if the operator has chosen no filter, the log filter matches all events', () => {
    expect(isWanted(EVERYTHING, event(1, { kind: null, agent_id: null }))).toBe(true);
    expect(eventsQueryString(EVERYTHING, 100)).toBe('order=desc&limit=100');
  });
});
