import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Book } from '../../soak/book.ts';
import { createRandom } from '../plan.ts';
import { percentile } from '../prove.ts';
import { type Adopted, adopt, judgeAdopted } from './adoptions.ts';
import { Day, type Finding, git, KINDS } from './day.ts';
import { type HandedOver, handOver, judgeAgain } from './handoffs.ts';
import { judgeSent, send } from './messages.ts';
import { judgePosted, type PostOffice, post } from './packages.ts';
import { type Grown, grow, judgeGrown } from './worktrees.ts';

/**
 * Each server is killed at a random time after the start of its process. The latest possible time is this constant plus
 * twice the duration of the previous start. So some servers die while they start, but most die later.
 */
const MAX_LIFE_MS = 4_000;
/** The number of messages before the first kill. By then all agents are running. */
const FIRST_MESSAGES = 5;
const HANDOFF_SLOTS = 3;
const SENDERS = 2;

export interface RandomResult {
  readonly kills: number;
  readonly runs: number;
  readonly completed: number;
  readonly lost: number;
  readonly doubled: number;
  readonly silent: number;
  readonly stuck: number;
  /** The number of runs that halted correctly, with an error message, an inbox item and an offered action. */
  readonly halted: number;
  readonly messages: number;
  readonly packages: number;
  readonly adoptions: number;
  readonly worktrees: number;
  /** For each kind of work, the number of kills that interrupted it. */
  readonly hit: Day['hit'];
  readonly recovery_p95_ms: number;
  readonly seed: number;
}

export interface RandomProof {
  readonly result: RandomResult;
  readonly findings: readonly Finding[];
  readonly breakdowns: readonly string[];
}

interface Options {
  readonly kills: number;
  readonly seed: number;
  /** If true, this test stops at the first finding. */
  readonly untilRed?: boolean;
  readonly tell: (line: string) => void;
}

export async function proveAtRandom({ kills, seed, untilRed = false, tell }: Options): Promise<RandomProof> {
  const chance = createRandom(seed);
  const day = new Day(createRandom(seed + 1), tell);
  const breakdowns: string[] = [];
  const [runs, book, adopted, grown]: [HandedOver[], Book, Adopted[], Grown[]] = [[], new Book(), [], []];
  const office: PostOffice = { projectPath: day.lane.baton.project({ contextWindow: 200_000 }), posted: [] };
  const repository = day.lane.baton.project({ contextWindow: 200_000 });
  try {
    git(repository, 'init', '-q', '-b', 'main');
    git(repository, 'add', '-A');
    git(repository, 'commit', '-qm', 'first');
    await day.own.installHooks();
    const opened = performance.now();
    await day.lane.open();
    const startMs = performance.now() - opened;
    const work = [
      ...Array.from({ length: HANDOFF_SLOTS }, (_, at) => handOver(day, `slot-${at}`, runs)),
      ...Array.from({ length: SENDERS }, () => send(day, book)),
      post(day, office),
      adopt(day, adopted),
      grow(day, repository, grown),
    ].map((each) =>
      each.catch((error: Error) => {
        breakdowns.push(error.stack ?? error.message);
        day.isOver = true;
      }),
    );
    await day.until(async () => book.sent.length >= FIRST_MESSAGES || day.isOver);
    await killAgainAndAgain(day, { kills, chance, startMs, untilRed });
    day.isOver = true;
    await Promise.all(work);
    await judgeRest(day);
    await judgeAgain(day, runs);
    await judgeSent(day, book);
    await judgePosted(day, office);
    await judgeAdopted(day, adopted);
    await judgeGrown(day, repository, grown);
  } catch (error) {
    breakdowns.push((error as Error).stack ?? String(error));
  }
  await day.own.cleanUp();
  await day.lane.close().catch((error: Error) => breakdowns.push(error.message));
  rmSync(office.projectPath, { recursive: true, force: true });
  rmSync(repository, { recursive: true, force: true });
  const of = (offence: Finding['offence']): number => day.findings.filter((each) => each.offence === offence).length;
  const outcomes = runs.map(({ verdict }) => verdict.outcome);
  const result: RandomResult = {
    kills: day.lane.kills,
    runs: runs.length,
    completed: outcomes.filter((outcome) => outcome === 'completed').length,
    lost: of('lost'),
    doubled: of('doubled'),
    silent: of('silent'),
    stuck: of('stuck'),
    halted: outcomes.filter((outcome) => outcome.startsWith('halted')).length,
    messages: book.sent.length,
    packages: office.posted.length,
    adoptions: adopted.length,
    worktrees: grown.length,
    hit: day.hit,
    recovery_p95_ms: Math.round(percentile(day.lane.recoveries, 0.95)),
    seed,
  };
  return { result, findings: day.findings, breakdowns };
}

interface Kills {
  readonly kills: number;
  readonly chance: () => number;
  /** How long the first start of the server took. */
  readonly startMs: number;
  readonly untilRed: boolean;
}

async function killAgainAndAgain(day: Day, { kills, chance, startMs, untilRed }: Kills): Promise<void> {
  const { lane } = day;
  let lastStartMs = startMs;
  for (let killed = 0; killed < kills && !day.isOver && !(untilRed && day.findings.length > 0); killed = lane.kills) {
    const known = lane.recoveries.length;
    await pause(Math.round(chance() * (MAX_LIFE_MS + 2 * lastStartMs)));
    await day.kill();
    while (lane.kills === killed) await pause(5);
    // After a failed start, assume that the next start takes longer. Otherwise, on a machine that has become slower,
    // every server could be killed before its start is complete.
    lastStartMs = lane.recoveries.length > known ? (lane.recoveries.at(-1) ?? startMs) : lastStartMs * 1.2;
    if (lane.kills % 10 === 0) day.tell(`  ${lane.kills} of ${kills} kills`);
  }
}

/** Checks at the end that no agent is working and no handoff run is in flight. */
async function judgeRest(day: Day): Promise<void> {
  const moving = async (): Promise<readonly string[]> =>
    (await day.agents())
      .filter(({ state, run_id }) => run_id !== null || ['starting', 'working', 'unknown'].includes(state))
      .map(({ id, state, state_reason, run_id }) => `agent ${id} is ${state} (${state_reason}), run ${run_id}`);
  if ((await day.until(async () => (await moving()).length === 0)) !== undefined) return;
  const told = await day.inbox();
  for (const what of await moving())
    if (!told.some(({ agent_id }) => what.startsWith(`agent ${agent_id} `))) day.accuse('stuck', what);
}

/** After this many kills, every kind of work must have been interrupted at least once. */
const ENOUGH_KILLS = 20;

export const holdsAtRandom = ({ result, findings, breakdowns }: RandomProof): boolean =>
  findings.length === 0 &&
  breakdowns.length === 0 &&
  (result.kills < ENOUGH_KILLS || KINDS.every((kind) => result.hit[kind] > 0));
