import { appendFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTranscriptUsage } from '../../../src/adapters/runtimes/transcript-usage.ts';
import { resuming } from '../../../src/app/agents/new-agent.ts';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import { createAgent, recordFact } from '../../../src/app/engine/record-facts.ts';
import { createUsageTender } from '../../../src/app/usage/tend-usage.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { totalOf } from '../../../src/domain/usage/usage.ts';
import { SimWorld } from '../engine/sim-world.ts';

let sim: SimWorld;
let agent: Agent;

beforeEach(async () => {
  sim = new SimWorld();
  agent = await sim.addAgent();
});

const total = (input: number, costMicros: number | null = null) => ({
  tokens: { input, output: 0, cacheRead: 0, cacheWrite: 0 },
  costMicros,
});
const byDay = () =>
  sim.ports.store
    .read((tx) => tx.usageBy('day', {}))
    .map(({ key, tokens }) => [key, tokens === null ? null : totalOf(tokens)]);
const today = (): string => sim.ports.clock.localDay(sim.ports.clock.now());
const used = (id: number): number | undefined => {
  const tokens = sim.ports.store.read((tx) => tx.agentById(id))?.usage?.tokens;
  return tokens ? totalOf(tokens) : undefined;
};
const end = (id: number) =>
  sim.ports.store.write((tx) => recordFact(tx, sim.ports, { type: 'agent_process_gone', agentId: id, detail: 'exit' }));
const budgetItems = () =>
  sim.ports.store
    .read((tx) => tx.openInboxItems())
    .filter(({ sentence }) => sentence.includes('your budget for a day'));

describe('counting the tokens of agents', () => {
  it('Baton counts the tokens that a transcript has gained since the last check, and counts none if nothing was added', async () => {
    const tend = createUsageTender(sim.ports);
    sim.usage.set('/t', total(100));
    await tend();
    await tend();
    sim.usage.set('/t', total(150));
    await tend();
    expect([used(agent.id), byDay()]).toEqual([150, [[today(), 150]]]);
  });

  it('after a restart, Baton counts each token once, even the tokens of an agent that ended while Baton was down', async () => {
    sim.usage.set('/t', total(100));
    await createUsageTender(sim.ports)();
    sim.usage.set('/t', total(130));
    await end(agent.id);
    await createUsageTender(sim.ports)();
    await createUsageTender(sim.ports)();
    expect([used(agent.id), byDay()]).toEqual([130, [[today(), 130]]]);
  });

  it("Baton counts the tokens of an agent's last turn after the agent has ended", async () => {
    const tend = createUsageTender(sim.ports);
    await tend();
    sim.usage.set('/t', total(70));
    await end(agent.id);
    await tend();
    expect(used(agent.id)).toBe(70);
  });

  it('after /clear begins another transcript, Baton still counts the last tokens of the old transcript', async () => {
    const tend = createUsageTender(sim.ports);
    sim.usage.set('/t', total(10));
    await tend();
    sim.usage.set('/t', total(15)).set('/u', total(1));
    await sim.ports.store.write((tx) =>
      tx.saveAgent({ ...agent, usage: tx.agentById(agent.id)?.usage ?? never(), transcriptPath: '/u' }),
    );
    await tend();
    expect(used(agent.id)).toBe(16);
  });

  it('Baton counts tokens for the day, in local time, on which Baton read the tokens', async () => {
    const tend = createUsageTender(sim.ports);
    sim.usage.set('/t', total(100));
    await tend();
    const first = today();
    sim.nowMs += 86_400_000;
    sim.usage.set('/t', total(130));
    await tend();
    expect(byDay()).toEqual([
      [first, 100],
      [today(), 30],
    ]);
  });

  it('if two agents use tokens on the same day, Baton counts the tokens of each agent separately', async () => {
    const other = await sim.addAgent({ transcriptPath: '/o' });
    sim.usage.set('/t', total(100)).set('/o', total(7));
    await createUsageTender(sim.ports)();
    expect([used(agent.id), used(other.id), byDay()]).toEqual([100, 7, [[today(), 107]]]);
  });

  it('a report about used tokens does not count as activity of the agent', async () => {
    sim.nowMs += 60_000;
    sim.usage.set('/t', total(100));
    await createUsageTender(sim.ports)();
    expect(sim.ports.store.read((tx) => tx.agentById(agent.id))?.lastSeenAt).toBe(agent.lastSeenAt);
  });

  it("if the client reports no tokens for a turn, the agent's tokens of that day are unknown", async () => {
    sim.hook(agent, 'UserPromptSubmit', { prompt: 'hello', prompt_id: 'p1' });
    await drainSpool(sim.ports);
    expect(byDay()).toEqual([[today(), null]]);
    expect(sim.ports.store.read((tx) => tx.usageBy('agent', {}))).toMatchObject([{ agents: 1, reporting: 0 }]);
  });

  it("Baton counts the cost in a client's status line once, even if the hook arrives twice", async () => {
    const line = { cost: { total_cost_usd: 1.25 } };
    sim.hook(agent, 'StatusLine', line);
    sim.hook(agent, 'StatusLine', line);
    sim.hook(agent, 'StatusLine', { cost: { total_cost_usd: -3 } });
    await drainSpool(sim.ports);
    expect(sim.ports.store.read((tx) => tx.usageBy('agent', {}))).toMatchObject([
      { tokens: null, costMicros: 1_250_000 },
    ]);
  });

  it("if the first cost in a client's status line is zero, Baton records no event and counts the next cost in full", async () => {
    const events = () =>
      sim.ports.store
        .read((tx) => tx.eventsAfter(0, 100))
        .filter(({ type }) => type === 'usage_reported')
        .map(({ data }) => data.costMicros);
    sim.hook(agent, 'StatusLine', { cost: { total_cost_usd: 0 } });
    await drainSpool(sim.ports);
    expect([byDay(), events()]).toEqual([[], []]);
    sim.hook(agent, 'StatusLine', { cost: { total_cost_usd: 0.5 } });
    await drainSpool(sim.ports);
    expect([byDay(), events()]).toEqual([[[today(), null]], [500_000]]);
  });

  it("the cost of a branched session counts in full, although the session's first total is higher than the previous session's last total", async () => {
    const status = async (session: string, total_cost_usd: number, total_duration_ms: number) => {
      await sim.ports.store.write((tx) =>
        tx.saveAgent({ ...(tx.agentById(agent.id) ?? agent), runtimeSessionId: session }),
      );
      sim.hook(agent, 'StatusLine', { session_id: session, cost: { total_cost_usd, total_duration_ms } });
      await drainSpool(sim.ports);
    };
    // Claude Code 2.1.325 reported these two totals: the first before /branch, the second after /branch.
    await status('s1', 0.0085816, 4961);
    await status('s2', 0.008902, 4348);
    const costMicros = () => sim.ports.store.read((tx) => tx.agentById(agent.id))?.usage?.costMicros;
    expect(costMicros()).toBe(17_484);
    // At its last report, session s2 was 4 s old, and session s3 began 56 s later. When s3 reports, s3 is 40 s old.
    // This age is higher than 4 s, so the age alone does not show that a new counter began. Only the time at which the
    // counter began shows it.
    sim.nowMs += 96_000;
    await status('s3', 0.01, 40_000);
    expect(costMicros()).toBe(27_484);
  });

  it('for an agent that resumes a conversation, Baton counts only the cost since the resume', async () => {
    const report = (agentId: number, costMicros: number) =>
      sim.ports.store.write((tx) =>
        recordFact(tx, sim.ports, {
          type: 'usage_reported',
          agentId,
          source: 'client',
          session: 's',
          tokens: null,
          costMicros,
        }),
      );
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, runtimeSessionId: 's' }));
    await report(agent.id, 500);
    const resumed = await sim.addAgent({ previousAgentId: agent.id, resumesSession: 's', runtimeSessionId: 's' });
    await report(resumed.id, 500);
    await report(resumed.id, 620);
    expect(sim.ports.store.read((tx) => tx.agentById(resumed.id))?.usage?.costMicros).toBe(120);
  });
});

describe('counting the tokens in transcripts that several agents or the operator wrote', () => {
  let path: string;
  beforeEach(async () => {
    path = join(mkdtempSync(join(tmpdir(), 'baton-usage-')), 't.jsonl');
    sim.usageIn = createTranscriptUsage();
    await sim.ports.store.write((tx) => tx.saveAgent({ ...agent, transcriptPath: path }));
  });

  let answers = 0;
  /** Adds an answer with 10 tokens to the transcript. The clock advances by a minute before and after the answer. */
  const answer = (text = ''): void => {
    sim.nowMs += 60_000;
    const usage = { input_tokens: 10, output_tokens: 0 };
    const message = { id: `m${++answers}`, usage, text };
    appendFileSync(path, `${JSON.stringify({ type: 'assistant', timestamp: sim.ports.clock.now(), message })}\n`);
    sim.nowMs += 60_000;
  };
  /** Counts the usage with a new reader, as a server does after its start. */
  const restart = async (): Promise<void> => {
    sim.usageIn = createTranscriptUsage();
    await createUsageTender(sim.ports)();
  };

  it('after a restart, the tokens of a resumed conversation are split between the ended agent and the agent that resumed it', async () => {
    answer();
    await end(agent.id);
    const ended = sim.agent(agent.id);
    const resumed = await sim.ports.store.write((tx) => createAgent(tx, sim.ports, resuming(ended)));
    answer();
    await restart();
    expect([used(agent.id), used(resumed.id), byDay()]).toEqual([10, 10, [[today(), 20]]]);
  });

  it('after a restart, tokens that the operator used after the release of an agent do not count for that agent', async () => {
    await sim.ports.store.write((tx) => tx.saveAgent({ ...sim.agent(agent.id), adoption: 'adopted' }));
    answer();
    await sim.record({ type: 'agent_released', agentId: agent.id });
    answer();
    await restart();
    expect(used(agent.id)).toBe(10);
  });

  it('if a session is adopted, released and adopted again, Baton counts only the tokens between adoption and release', async () => {
    const startedAt = sim.ports.clock.now();
    const adopt = () => {
      const registeredAt = sim.ports.clock.now();
      return sim.addAgent({ adoption: 'adopted', transcriptPath: path, startedAt, registeredAt });
    };
    await end(agent.id);
    answer();
    const first = await adopt();
    answer();
    await sim.record({ type: 'agent_released', agentId: first.id });
    answer();
    const second = await adopt();
    answer();
    await restart();
    expect([used(first.id), used(second.id), byDay()]).toEqual([10, 10, [[today(), 20]]]);
  });

  it("Baton counts no tokens of a session until the session's adoption is complete", async () => {
    await end(agent.id);
    const adopted = await sim.addAgent({ adoption: 'adopted', transcriptPath: path, registeredAt: null });
    answer();
    await restart();
    expect(used(adopted.id)).toBeUndefined();
  });

  it('after a restart, Baton reads the whole long transcript of an ended agent, but in several parts', async () => {
    for (let index = 0; index < 5; index++) answer('x'.repeat(300 * 1024));
    await end(agent.id);
    sim.usageIn = createTranscriptUsage(1);
    const tend = createUsageTender(sim.ports);
    await tend();
    expect(used(agent.id)).toBeLessThan(50);
    for (let look = 0; look < 5; look++) await tend();
    expect(used(agent.id)).toBe(50);
  });

  it('the transcript of an ended agent is not read again after Baton has read all of it', async () => {
    answer();
    await end(agent.id);
    const reader = createTranscriptUsage();
    let reads = 0;
    sim.usageIn = (...of) => {
      reads++;
      return reader(...of);
    };
    const tend = createUsageTender(sim.ports);
    for (let look = 0; look < 3; look++) await tend();
    expect(reads).toBe(1);
  });
});

describe('the token budget of a day', () => {
  const report = async (tokens: number): Promise<void> => {
    sim.usage.set('/t', total(tokens));
    await createUsageTender(sim.ports)();
  };

  it('if the agents use more tokens than the daily budget, the operator gets one notice per day', async () => {
    sim.operatorSettings = { ...sim.operatorSettings, tokenBudget: 1_000 };
    await report(999);
    expect(budgetItems()).toEqual([]);
    await report(1_000);
    await report(5_000);
    expect(budgetItems()).toMatchObject([
      {
        kind: 'notice',
        sentence: `The agents have used 1,000 tokens on ${today()}, and your budget for a day was 1,000`,
        hint: `All agents keep running. See what each agent used: baton usage --by agent --since ${today()} --until ${today()}`,
      },
    ]);
    sim.nowMs += 86_400_000;
    await report(5_500);
    expect(budgetItems()).toHaveLength(1);
    await report(6_000);
    expect(budgetItems()).toHaveLength(2);
  });

  it('the operator gets no notice about used tokens if no budget is set', async () => {
    await report(1_000_000_000);
    expect(budgetItems()).toEqual([]);
  });
});

function never(): never {
  throw new Error('the agent has no usage');
}
