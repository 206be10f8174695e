import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageVerdict } from '../../../src/contract/requests.ts';
import type { Agent, Event, Run } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';

/**
 * The practice agent imitates oddities that were measured in real clients. Each profile describes one oddity of a
 * client's hooks, status or composer.
 */
interface Profile {
  readonly client: string;
  readonly oddity: string;
  readonly behaviour: object;
  readonly env?: NodeJS.ProcessEnv;
}

const PROFILES: readonly Profile[] = [
  {
    client: 'Codex',
    oddity: 'begins its session only with the first prompt',
    behaviour: { sessionAtFirstPrompt: true },
    env: { BATON_PRACTICE_SESSION: 'first-prompt' },
  },
  {
    client: 'Codex without its server',
    oddity: 'begins its session with the first prompt and has no status',
    behaviour: { sessionAtFirstPrompt: true, noStatus: true },
    env: { BATON_PRACTICE_SESSION: 'first-prompt' },
  },
  { client: 'opencode', oddity: 'reports the end of each turn twice', behaviour: { secondStopMs: 400 } },
  { client: 'opencode', oddity: 'shows its composer only after seconds', behaviour: { startDelayMs: 4_000 } },
  { client: 'opencode', oddity: 'swallows the first Enter', behaviour: { swallowEnters: 1 } },
  { client: 'Codex', oddity: 'takes an Enter right after a paste as a part of the text', behaviour: { burstMs: 150 } },
];

let baton: BatonProcess;
beforeEach(() => {
  baton = new BatonProcess();
});
afterEach(() => baton.cleanUp());

const say = async (id: number, text: string): Promise<MessageVerdict> =>
  (await baton.call<MessageVerdict>('POST', `/api/agents/${id}/messages`, { text })).body;

async function agentWhen(id: number, fits: (agent: Agent) => boolean): Promise<Agent> {
  return expect
    .poll(async () => {
      const agent = await baton.get<Agent>(`/api/agents/${id}`);
      return fits(agent) ? agent : undefined;
    })
    .toBeDefined()
    .then(() => baton.get<Agent>(`/api/agents/${id}`));
}

const lastEvent = async (): Promise<number> =>
  (await baton.get<{ events: Event[] }>('/api/events?after=0&limit=1000')).events.at(-1)?.seq ?? 0;

const isIdle = ({ state }: Agent): boolean => state === 'idle';

async function handOver(id: number): Promise<Run> {
  const { body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${id}/handoff`, {});
  return baton.over(body.run_id);
}

describe('Baton with a client like Codex or opencode', () => {
  it.each(PROFILES.map((profile) => [profile.oddity, profile.client, profile] as const))(
    'if a client %s (as %s does), a handoff completes, and each prompt is typed once',
    async (_oddity, _client, profile) => {
      const { behaviour, env = {} } = profile;
      await baton.start(env);
      const agent = await baton.agent({ behaviour });
      expect((await say(agent.id, 'Say the word quince.')).verdict).toBe('accepted');
      await agentWhen(agent.id, isIdle);
      const run = await handOver(agent.id);
      expect([run.step, run.failure, run.acknowledged]).toEqual(['completed', null, true]);
      expect(baton.accepted(agent.id, '-skill]')).toBe(1);
      expect(baton.accepted(agent.id, 'Say the word quince.')).toBe(1);
      expect(baton.accepted(agent.id, '-instruction]')).toBe(1);
      expect(baton.accepted(run.successor_agent_id ?? 0, '-skill]')).toBe(1);
      expect(baton.accepted(run.successor_agent_id ?? 0, '-injection]')).toBe(1);
    },
  );

  it('a repeated Stop hook of an earlier turn does not make a working agent idle (seen in opencode)', async () => {
    await baton.start();
    // Let the client write no status file, so that only the hooks show whether the agent is working.
    const agent = await baton.agent({ behaviour: { secondStopMs: 1_500, noStatus: true }, persona: false });
    await say(agent.id, 'Say one.');
    await agentWhen(agent.id, isIdle);
    const before = await lastEvent();
    expect((await say(agent.id, '[[practice:slow 6000]]')).verdict).toBe('accepted');
    await agentWhen(agent.id, isIdle);
    const evidence = baton.evidence(agent.id).map(({ type }) => type);
    expect(evidence.indexOf('second_stop')).toBeLessThan(evidence.lastIndexOf('turn_ended'));
    const { events } = await baton.get<{ events: Event[] }>(`/api/events?after=${before}&limit=1000`);
    const states = events.filter(({ type }) => type === 'agent_state_changed').map(({ data }) => data.to);
    expect(states).toEqual(['working', 'idle']);
  });

  it('without a status from the client, an Interrupt hook makes the agent idle even if no Stop hook follows (seen in Codex)', async () => {
    await baton.start();
    const agent = await baton.agent({ behaviour: { interruptHook: true, noStatus: true }, persona: false });
    await say(agent.id, '[[practice:say word]] [[practice:slow 60000]]');
    await agentWhen(agent.id, ({ state }) => state === 'working');
    const { status } = await baton.call('POST', `/api/agents/${agent.id}/interrupt`, {});
    expect(status).toBeLessThan(300);
    const seen = await agentWhen(agent.id, isIdle);
    expect(seen.state_reason).toMatch(/interrupted/);
    expect((await say(agent.id, 'Say the word medlar.')).verdict).toBe('accepted');
  });

  it('if no hook reports a failed turn, the agent is idle as soon as its client reports idle (seen in Codex)', async () => {
    await baton.start();
    const agent = await baton.agent({ behaviour: { dropHooks: ['StopFailure'] }, persona: false });
    await say(agent.id, '[[practice:error]]');
    await agentWhen(agent.id, isIdle);
    expect((await say(agent.id, 'Say the word medlar.')).verdict).toBe('accepted');
  });

  it('if neither a hook nor the client status reports a failed turn, Baton never calls the agent idle', async () => {
    await baton.start();
    const agent = await baton.agent({ behaviour: { dropHooks: ['StopFailure'], noStatus: true }, persona: false });
    const before = await lastEvent();
    await say(agent.id, '[[practice:error]]');
    const seen = await agentWhen(agent.id, ({ state }) => state === 'unknown');
    expect(seen.state_reason).not.toBe('');
    const { events } = await baton.get<{ events: Event[] }>(`/api/events?after=${before}&limit=1000`);
    const states = events.filter(({ type }) => type === 'agent_state_changed').map(({ data }) => data.to);
    expect(states).not.toContain('idle');
  });
});
