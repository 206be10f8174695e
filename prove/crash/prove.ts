import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, InboxItem, Run } from '../../src/contract/resources.ts';
import type { Slot } from './clicks.ts';
import { judge, type Outcome, type Played, type Verdict } from './judge.ts';
import { Lane } from './lane.ts';
import { playScene } from './packages/play.ts';
import type { HandoffRound, Round } from './plan.ts';
import { newSlot, readyAgent, SCENARIOS } from './scenarios.ts';

/** A handoff run or a scripted exchange of packages, with the verdict of the judge. */
export interface Judged {
  readonly round: Round;
  readonly what: string;
  readonly verdict: Verdict;
  /** The number of packages that the agents exchanged; 0 for a handoff run. */
  readonly packages: number;
}

type JudgedRun = Played & Judged;

export interface Proof {
  readonly judged: readonly Judged[];
  readonly kills: number;
  readonly recoveries: readonly number[];
  readonly notReached: readonly string[];
  /** Errors of this test program itself, which are not faults of Baton. */
  readonly breakdowns: readonly string[];
}

export interface Result {
  readonly runs: number;
  readonly kills: number;
  readonly completed: number;
  readonly halted_wrongly: number;
  readonly lost: number;
  readonly doubled: number;
  readonly silent: number;
  readonly recovery_p95_ms: number;
  /** How many of the runs were scripted exchanges of packages. */
  readonly package_scenes: number;
  readonly packages: number;
}

export interface Options {
  readonly plan: Iterator<Round>;
  /** The number of interrupted runs after which this test ends. */
  readonly wanted: number;
  readonly lanes: number;
  readonly onJudged?: (judged: Judged) => void;
}

/** Plays rounds in several homes at the same time until enough runs were interrupted. */
export async function prove({ plan, wanted, lanes, onJudged = () => undefined }: Options): Promise<Proof> {
  const judged: Judged[] = [];
  const notReached: string[] = [];
  const breakdowns: string[] = [];
  const recoveries: number[] = [];
  let kills = 0;
  let begun = 0;

  const stage = async (lane: Lane, round: Round): Promise<void> => {
    const { verdict, packages, notReached: left } = await playScene(lane, round.points);
    notReached.push(...left.map((point) => `packages ${point}`));
    const one = { round, what: `scene of ${packages} packages`, verdict, packages };
    judged.push(one);
    onJudged(one);
  };

  const work = async (): Promise<void> => {
    const lane = new Lane();
    const slots: Slot[] = [];
    const mine: JudgedRun[] = [];
    try {
      await lane.open();
      while (begun < wanted) {
        const next = plan.next();
        if (next.done) break;
        const round = next.value;
        begun += round.runs;
        if (round.scenario === 'packages') {
          await stage(lane, round).catch((error: Error) => breakdowns.push(`packages: ${error.stack}`));
          continue;
        }
        while (slots.length < round.runs) slots.push(await newSlot(lane));
        try {
          const { played, left } = await playRound(lane, slots, round);
          for (const point of left) notReached.push(`${round.scenario}/${round.mode} ${point}`);
          for (const each of played) {
            const verdict = await judge(lane, each);
            const one = { ...each, what: `run ${each.runId}, ${round.mode}`, verdict, packages: 0 };
            await tidy(lane, slots, one);
            // Do not count a run that completed before the server died, because no kill interrupted it. Always count a
            // failed run.
            if (one.kills === 0 && one.verdict.outcome === 'completed') begun--;
            else {
              mine.push(one);
              onJudged(one);
            }
          }
        } catch (error) {
          breakdowns.push(`${round.scenario}/${round.mode} ${round.points.join(', ')}: ${(error as Error).message}`);
          slots.length = 0;
        }
      }
      // Wait before judging again, because a second copy of a prompt may arrive late.
      await pause(500);
      for (const one of mine) judged.push(await lookAgain(lane, one));
    } catch (error) {
      breakdowns.push((error as Error).stack ?? String(error));
      judged.push(...mine);
    }
    kills += lane.kills;
    recoveries.push(...lane.recoveries);
    await lane.close().catch((error: Error) => breakdowns.push(error.message));
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return { judged, kills, recoveries, notReached, breakdowns };
}

async function playRound(
  lane: Lane,
  slots: readonly Slot[],
  round: HandoffRound,
): Promise<{ played: readonly Played[]; left: readonly string[] }> {
  const playing = slots.slice(0, round.runs);
  const scenario = SCENARIOS[round.scenario];
  const agents = await Promise.all(playing.map((slot) => agentFor(lane, slot, round)));
  let before = 0;
  const barrier = createBarrier(playing.length, async () => {
    const seq = await lane.now();
    before = lane.kills;
    lane.arm(round.points);
    return seq;
  });
  const plays = await Promise.allSettled(
    playing.map(async (slot, index): Promise<Played> => {
      const agentId = agents[index] ?? 0;
      const play = { lane, slot, agentId, mode: round.mode, armed: barrier.arrive };
      const { runId, after } = await scenario.play(play).catch((error: Error) => {
        barrier.fail(error);
        throw error;
      });
      const end = await lane.event(
        after,
        ({ type, run_id, data }) => type === 'handoff_progress' && run_id === runId && OVER.has(String(data.to)),
      );
      const run = await lane.get<Run>(`/api/runs/${runId}`);
      if (run.brought_back_agent_id !== null) await isUp(lane, run.brought_back_agent_id);
      const kills = lane.kills - before;
      const { items } = await lane.get<{ items: InboxItem[] }>('/api/inbox');
      return { round, agentId, runId, after, run: end === undefined ? undefined : run, inbox: items, kills };
    }),
  );
  const left = lane.disarm();
  const broken = plays.find((play) => play.status === 'rejected');
  if (broken?.status === 'rejected') throw broken.reason;
  return { played: plays.flatMap((play) => (play.status === 'fulfilled' ? [play.value] : [])), left };
}

const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/**
 * Waits until the restored agent is idle and has a pane. To wait only for the end of the run that undoes the handoff
 * would not be enough, because at that time the launch of the restored agent has not yet reached its crash points.
 */
async function isUp(lane: Lane, agentId: number): Promise<void> {
  for (let looks = 0; looks < 500; looks++) {
    const { state, tmux } = await lane.get<Agent>(`/api/agents/${agentId}`);
    // Wait half a second longer. The agent may become idle before Baton has reported the launch, and the kill at the
    // crash point after this report must still be possible.
    if (state === 'idle' && tmux.pane !== null) return pause(500);
    await pause(60);
  }
}

const isOrdinary = ({ scenario }: HandoffRound): boolean =>
  Object.keys(SCENARIOS[scenario].behaviour).every((key) => key === 'successor');

/**
 * Returns the agent to hand off: a new agent if the round needs an agent that misbehaves, otherwise the successor of
 * the previous run.
 */
async function agentFor(lane: Lane, slot: Slot, round: HandoffRound): Promise<number> {
  if (!isOrdinary(round) && slot.agentId !== undefined) await end(lane, slot);
  return readyAgent(lane, slot, round.scenario);
}

async function end(lane: Lane, slot: Slot): Promise<void> {
  await lane.try('POST', `/api/agents/${slot.agentId}/stop`, { force: true });
  slot.agentId = undefined;
}

async function tidy(lane: Lane, slots: readonly Slot[], { agentId, run, round, verdict }: JudgedRun): Promise<void> {
  const slot = slots.find((each) => each.agentId === agentId);
  if (slot === undefined) return;
  slot.agentId = run?.brought_back_agent_id ?? run?.successor_agent_id ?? agentId;
  if (verdict.outcome !== 'completed' || !isOrdinary(round) || round.scenario === 'undo') await end(lane, slot);
}

async function lookAgain(lane: Lane, judged: JudgedRun): Promise<JudgedRun> {
  const verdict = await judge(lane, judged);
  return verdict.outcome === 'doubled' ? { ...judged, verdict } : judged;
}

function createBarrier(parties: number, open: () => Promise<number>) {
  let waiting = parties;
  let release: (value: number | PromiseLike<number>) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const opened = new Promise<number>((resolve, reject) => {
    release = resolve;
    refuse = reject;
  });
  // If a run fails before all runs are ready, the promise `opened` is rejected. Handle this rejection here: if no other
  // run awaits the promise yet, Node would end this process.
  opened.catch(() => undefined);
  return {
    arrive: (): Promise<number> => {
      if (--waiting === 0) release(open());
      return opened;
    },
    fail: (error: Error) => refuse(error),
  };
}

export function resultOf({ judged, kills, recoveries }: Proof): Result {
  const of = (outcome: Outcome): number => judged.filter(({ verdict }) => verdict.outcome === outcome).length;
  return {
    runs: judged.length,
    kills,
    completed: of('completed'),
    halted_wrongly: of('halted_wrongly'),
    lost: of('lost'),
    doubled: of('doubled'),
    silent: of('silent'),
    recovery_p95_ms: Math.round(percentile(recoveries, 0.95)),
    package_scenes: judged.filter(({ round }) => round.scenario === 'packages').length,
    packages: judged.reduce((sum, { packages }) => sum + packages, 0),
  };
}

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((one, other) => one - other)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;

export function holds(proof: Proof): boolean {
  const { runs, completed } = resultOf(proof);
  return runs > 0 && completed === runs && proof.breakdowns.length === 0;
}

export const describeRun = ({ round, what, verdict }: Judged): string =>
  `${verdict.outcome}: ${what}, ${round.scenario}, killed at ${round.points.join(', ')}: ${verdict.why}`;
