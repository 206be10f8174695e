import { describe, expect, it } from 'vitest';
import {
  type AgentUsage,
  countUsage,
  microsFrom,
  tokensFrom,
  type UsageReport,
} from '../../../src/domain/usage/usage.ts';
import { rowsOf, totalUsage, type UsageSum } from '../../../src/domain/usage/usage-day.ts';

const tokens = (input: number, output = 0, cacheRead = 0, cacheWrite = 0) => ({ input, output, cacheRead, cacheWrite });
const transcript = (input: number, over: Partial<UsageReport> = {}): UsageReport => ({
  source: '/t.jsonl',
  session: null,
  tokens: tokens(input),
  costMicros: null,
  ...over,
});
const cost = (costMicros: number, session = 's1', over: Partial<UsageReport> = {}): UsageReport => ({
  source: 'client',
  session,
  tokens: null,
  costMicros,
  ...over,
});

/** Counts the reports one after another. Returns the total usage and the usage that each report added. */
function count(reports: readonly UsageReport[], inherited?: UsageReport) {
  let usage: AgentUsage | undefined;
  const added = reports.map((report) => {
    const counted = countUsage(usage, report, inherited);
    usage = counted?.usage ?? usage;
    return counted?.added;
  });
  return { usage, added };
}

describe('counting the usage of an agent', () => {
  it('from a running total of tokens, Baton counts only the growth since the last report', () => {
    const { usage, added } = count([transcript(100), transcript(250)]);
    expect(usage?.tokens).toEqual(tokens(250));
    expect(added.map((each) => each?.tokens?.input)).toEqual([100, 150]);
  });

  it("a running total that is repeated or lower adds nothing to an agent's usage", () => {
    const { usage, added } = count([transcript(250), transcript(250), transcript(100), transcript(250)]);
    expect(usage?.tokens).toEqual(tokens(250));
    expect(added.slice(1)).toEqual([undefined, undefined, undefined]);
  });

  it('the token totals of two transcripts of one agent are added', () => {
    const second = { source: '/u.jsonl' };
    const { usage } = count([transcript(100), transcript(40, second), transcript(120), transcript(50, second)]);
    expect(usage?.tokens).toEqual(tokens(170));
  });

  it('an agent whose client reports only a cost has unknown tokens, and an agent whose client reports only tokens has an unknown cost', () => {
    expect(count([cost(5)]).usage).toMatchObject({ tokens: null, costMicros: 5 });
    expect(count([transcript(5)]).usage).toMatchObject({ tokens: tokens(5), costMicros: null });
  });

  it('if the total cost of a new session begins at zero, the whole cost of the session counts', () => {
    expect(count([cost(100, 's1'), cost(0, 's2'), cost(30, 's2')]).usage?.costMicros).toBe(130);
  });

  it('if the cost counter of a new session has run for less time than the previous counter, the whole cost of the new session counts, even if this cost exceeds the previous total', () => {
    const reports = [cost(100, 's1', { ageMs: 5_000 }), cost(120, 's2', { ageMs: 4_000 })];
    expect(count([...reports, cost(150, 's2', { ageMs: 9_000 })]).usage?.costMicros).toBe(250);
  });

  it('the whole cost of a new session counts if its cost counter began clearly later than the previous counter, whatever the ages of the two counters are', () => {
    const began = 1_000_000;
    const reports = [
      cost(100, 's1', { ageMs: 10_000, beganAtMs: began }),
      cost(120, 's2', { ageMs: 40_000, beganAtMs: began + 60_000 }),
      cost(150, 's2', { ageMs: 90_000, beganAtMs: began + 60_000 }),
    ];
    expect(count(reports).usage?.costMicros).toBe(250);
  });

  it("if a new session's cost counter seems to begin only a few seconds after the previous one, Baton adds only the increase, because a report may be written a little late", () => {
    const reports = [
      cost(100, 's1', { ageMs: 10_000, beganAtMs: 1_000_000 }),
      cost(120, 's2', { ageMs: 40_000, beganAtMs: 1_003_000 }),
    ];
    expect(count(reports).usage?.costMicros).toBe(120);
  });

  it("if the stored cost counter has no start time, a report with a start time continues the counter, provided that the counter's age has grown", () => {
    const reports = [cost(100, 's1', { ageMs: 10_000 }), cost(120, 's2', { ageMs: 40_000, beganAtMs: 1_000_000 })];
    expect(count(reports).usage?.costMicros).toBe(120);
  });

  it("if a new session continues the client's cost counter (total and running time), Baton adds only the increase of the total", () => {
    const reports = [cost(100, 's1', { ageMs: 5_000 }), cost(120, 's2', { ageMs: 6_000 })];
    expect(count(reports).usage?.costMicros).toBe(120);
  });

  it("if a new session's total cost includes the previous session's, Baton adds only the increase", () => {
    expect(count([cost(100, 's1'), cost(100, 's2'), cost(130, 's2')]).usage?.costMicros).toBe(130);
  });

  it('a lower total cost in the same session counts as an old report and adds nothing', () => {
    expect(count([cost(100), cost(40), cost(110)]).usage?.costMicros).toBe(110);
  });

  it('for a resumed agent, only the cost that was added since the resume counts', () => {
    expect(count([cost(100), cost(120)], cost(100)).usage?.costMicros).toBe(20);
    expect(count([cost(0), cost(20)], cost(100)).usage?.costMicros).toBe(20);
    expect(count([cost(120, 's1', { ageMs: 10 })], cost(100, 's1', { ageMs: 900 })).usage?.costMicros).toBe(20);
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e13, '7', null])(
    "if one token count in a client's report is %s, Baton ignores all token counts of the report",
    (input) => {
      expect(tokensFrom({ ...tokens(1), input })).toBeNull();
    },
  );

  it.each([-0.01, Number.NaN, Number.POSITIVE_INFINITY, 2e6, '1', null])(
    "Baton ignores the cost %s in a client's report",
    (amount) => {
      expect(microsFrom(amount)).toBeNull();
    },
  );

  it('Baton stores a cost in millionths of a dollar', () => {
    expect(microsFrom(0.005299999999999999)).toBe(5300);
  });
});

describe('adding up the usage of agents', () => {
  const of = (key: string, runtime: string, over: Partial<UsageSum> = {}): UsageSum => ({
    key,
    runtime,
    agents: 1,
    reporting: 1,
    tokens: tokens(10),
    costMicros: null,
    ...over,
  });

  it('agents without token reports are listed by runtime, and their tokens are not counted as zero', () => {
    const silent = of('a', 'parrot', { agents: 2, reporting: 0, tokens: null });
    expect(rowsOf([of('a', 'codex'), silent])).toEqual([
      expect.objectContaining({ tokens: tokens(10), unreported: [{ runtime: 'parrot', agents: 2 }] }),
    ]);
    expect(totalUsage([silent])).toMatchObject({ tokens: null, costMicros: null, agents: 2 });
  });

  it('the total cost is shown with the runtimes whose clients reported a cost', () => {
    const rows = [of('a', 'claude-code', { costMicros: 7 }), of('a', 'codex')];
    expect(rowsOf(rows)).toEqual([expect.objectContaining({ costMicros: 7, costFrom: ['claude-code'] })]);
  });
});
