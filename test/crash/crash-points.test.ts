import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../src/contract/resources.ts';
import { BatonProcess } from '../support/baton-process.ts';

/**
 * [F1] [F3] The real server, killed as by kill -9 at every moment between intent, effect and report of every effect of a
 * handoff, then started again. Judged from the practice agents' own logs: nothing lost, nothing doubled.
 */
const EFFECTS = [
  'prepare_document_place',
  'type_instruction',
  'confirm_prompt',
  'check_document',
  'check_successor_can_start',
  'type_exit',
  'launch_agent',
  'prime_agent',
  'type_injection',
] as const;
const MOMENTS = ['claimed', 'performed', 'committed'] as const;
const POINTS = [
  ...EFFECTS.flatMap((effect) => MOMENTS.map((moment) => `${effect}:${moment}`)),
  'spool:committed',
  'recovery:released',
  'recovery:drained',
];

describe('killed at every point', () => {
  const baton = new BatonProcess({ reconcile_every_ms: 200 });
  beforeAll(async () => void (await baton.start()));
  afterAll(() => baton.cleanUp());

  const trigger = (agentId: number): Promise<number | undefined> =>
    baton.call<{ run_id: number }>('POST', `/api/agents/${agentId}/handoff`, {}).then(
      ({ body }) => body.run_id,
      () => undefined,
    );
  const restart = async (): Promise<void> => {
    expect(await baton.ended()).toBe('SIGKILL');
    await baton.start();
  };

  it.each(POINTS)('%s: the handoff completes, each prompt exactly once', async (point) => {
    const agent = await baton.agent();
    await baton.kill();
    // Some points lie in the start itself: then the server never gets as far as a trigger.
    const started = await baton.start({ BATON_CRASH_AT: point }).then(
      () => true,
      () => false,
    );
    if (!started) await restart();
    const triggered = await trigger(agent.id);
    if (started) await restart();
    // Killed before the answer got out: the run is there, or there is none and the operator clicks again.
    const known = triggered ?? (await baton.get<Agent>(`/api/agents/${agent.id}`)).run_id;
    const runId = known ?? (await trigger(agent.id));
    const run = await baton.over(runId ?? 0);

    expect(run.failure?.sentence).toBeUndefined();
    expect(run).toMatchObject({ step: 'completed', acknowledged: true });
    const successor = run.successor_agent_id ?? 0;
    expect({
      instructions: baton.accepted(agent.id, '-instruction]'),
      skills: baton.accepted(successor, '-skill]'),
      injections: baton.accepted(successor, '-injection]'),
      exits: baton.evidence(agent.id).filter(({ type }) => type === 'command').length,
      successors: (await baton.get<{ agents: Agent[] }>('/api/agents')).agents.filter(
        (each) => each.previous_agent_id === agent.id,
      ).length,
    }).toEqual({ instructions: 1, skills: 1, injections: 1, exits: 1, successors: 1 });
    expect(baton.evidence(successor).filter(({ type }) => type === 'start')).toHaveLength(1);
  });
});
