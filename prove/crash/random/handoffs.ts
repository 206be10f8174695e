import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '../../../src/contract/resources.ts';
import { click, type Slot } from '../clicks.ts';
import { judge, type Played, type Verdict } from '../judge.ts';
import { type HandoffRound, MODES } from '../plan.ts';
import { newSlot, readyAgent } from '../scenarios.ts';
import type { Day, Place } from './day.ts';

export interface HandedOver extends Played {
  readonly verdict: Verdict;
}

/** Hands off one agent, then its successor, and so on until the end of the day. */
export async function handOver(day: Day, name: string, done: HandedOver[]): Promise<void> {
  const place: Place = { name, agentId: undefined };
  day.places.push(place);
  let slot = await newSlot(day.lane);
  while (!day.isOver) {
    const agentId = await agentIn(day, slot);
    if (agentId === undefined) {
      slot = await newSlot(day.lane);
      continue;
    }
    place.agentId = agentId;
    await day.rest(1_500);
    const one = await day.during('handoff', () => play(day, slot, agentId));
    done.push(one);
    const { outcome, why } = one.verdict;
    if (outcome !== 'completed') day.tell(`  run ${one.runId}: ${outcome}, ${why}`);
    if (outcome === 'lost' || outcome === 'doubled' || outcome === 'silent')
      day.accuse(one.run === undefined && outcome === 'lost' ? 'stuck' : outcome, `run ${one.runId}: ${why}`);
    else if (one.run?.step === 'failed' && one.run.actions.length === 0)
      day.accuse('silent', `run ${one.runId} halted and offers no action: ${one.run.failure?.sentence}`);
    place.agentId = undefined;
    slot.agentId = one.run?.successor_agent_id ?? undefined;
    if (outcome === 'completed') continue;
    // The handoff did not complete. The operator now ends the agent and continues with a new persona. The list `done`
    // keeps the failed run, so that the test judges this run again at the end.
    await day.end(agentId);
    slot = await newSlot(day.lane);
  }
}

async function agentIn(day: Day, slot: Slot): Promise<number | undefined> {
  const { projectId, persona } = slot;
  slot.agentId ??= await day.start(
    { project_id: projectId, persona },
    (agent) => agent.project.id === projectId && agent.persona?.slug === persona,
  );
  return (await day.isReady(slot.agentId, 'start')) ? readyAgent(day.lane, slot, 'handoff') : undefined;
}

async function play(day: Day, slot: Slot, agentId: number): Promise<HandedOver> {
  const { lane } = day;
  const round: HandoffRound = { scenario: 'handoff', mode: day.pick(MODES), points: ['at random'], runs: 1 };
  const armed = (): Promise<number> => lane.now();
  const after = await armed();
  const before = lane.kills;
  const runId = await click({ lane, slot, agentId, mode: round.mode, armed }, 'handoff', {});
  const run = await day.until(async () => {
    const now = await lane.get<Run>(`/api/runs/${runId}`);
    return now.over ? now : undefined;
  });
  await lane.now();
  const inbox = await day.inbox();
  const played: Played = { round, agentId, runId, after, run, inbox, kills: lane.kills - before };
  return { ...played, verdict: await judge(lane, played) };
}

/** Judges every run a second time at the end, because a second copy of a prompt may arrive late. */
export async function judgeAgain(day: Day, done: readonly HandedOver[]): Promise<void> {
  await pause(500);
  for (const one of done) {
    const { outcome, why } = await judge(day.lane, one);
    if (outcome === 'doubled' && one.verdict.outcome !== 'doubled')
      day.accuse('doubled', `run ${one.runId}, later: ${why}`);
  }
}
