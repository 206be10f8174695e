import { pointsAtRandom, SHORT } from './packages/points.ts';
import { ACTION_CHAINS, HANDOFF_CHAINS, RECOVERY } from './points.ts';

/** The activity of the agent when the operator requests the handoff. */
export const MODES = ['idle', 'thinking', 'tool'] as const;
export type Mode = (typeof MODES)[number];
export type ScenarioName = 'handoff' | keyof typeof ACTION_CHAINS;

/**
 * A round of `runs` handoff runs with the same scenario and the same activity of the agent. During the round, the
 * server is killed at each crash point in turn, and a new server is started after each kill.
 */
export interface HandoffRound {
  readonly scenario: ScenarioName;
  readonly mode: Mode;
  /**
   * The crash points in order. The first point kills the running server, the second point kills the next server, and so
   * on.
   */
  readonly points: readonly string[];
  readonly runs: number;
}

/**
 * One play of the scripted exchange of packages. Each crash point has the form `ACT/POINT`: the name of an action in
 * the script, and the point of this action at which the server dies (packages/points.ts).
 */
export interface PackageRound {
  readonly scenario: 'packages';
  readonly points: readonly string[];
  readonly runs: 1;
}

export type Round = HandoffRound | PackageRound;

const ACTIONS = Object.keys(ACTION_CHAINS) as (keyof typeof ACTION_CHAINS)[];

/**
 * A plan in which every crash point occurs once. Each run goes through a whole chain of crash points, and the server
 * dies at each of them.
 */
export function shortPlan(): readonly Round[] {
  const handoffs = HANDOFF_CHAINS.map(
    (points, index): HandoffRound => ({
      scenario: 'handoff',
      mode: MODES[index % MODES.length] ?? 'idle',
      points,
      runs: 1,
    }),
  );
  const recoveries: HandoffRound = {
    scenario: 'handoff',
    mode: 'idle',
    points: ['type_instruction:performed', ...RECOVERY, 'type_exit:performed'],
    runs: 1,
  };
  const actions = ACTIONS.map(
    (scenario): HandoffRound => ({ scenario, mode: 'idle', points: ACTION_CHAINS[scenario], runs: 1 }),
  );
  return [{ scenario: 'packages', points: SHORT, runs: 1 }, ...handoffs, recoveries, ...actions];
}

/** The number of handoff rounds between two scripted exchanges of packages. */
const BETWEEN_PACKAGES = 12;

/**
 * How many handoffs run on one server at the same time. One kill interrupts all of them, each at a different moment.
 */
const TOGETHER = 4;

/**
 * An endless plan. For each crash point of a handoff and each activity of the agent, one round requests handoffs during
 * this activity and kills the server at this point. Other rounds interrupt the operator's actions, or exchange
 * packages. The seed decides the order of the rounds, which of the simultaneous runs is at the crash point when the
 * server dies, and whether the next server dies as well.
 */
export function* fullPlan(seed: number): Generator<Round> {
  const chance = createRandom(seed);
  for (;;) {
    for (const [index, { scenario, mode, point }] of shuffled(grid(), chance).entries()) {
      if (index % BETWEEN_PACKAGES === 0) yield { scenario: 'packages', points: pointsAtRandom(chance), runs: 1 };
      const runs = scenario === 'handoff' ? TOGETHER : 2;
      yield { scenario, mode, points: deaths(point, runs, chance), runs };
    }
  }
}

function grid(): { scenario: ScenarioName; mode: Mode; point: string }[] {
  const handoffs = [...HANDOFF_CHAINS.flat(), ...ANY_MOMENT].flatMap((point) =>
    MODES.map((mode) => ({ scenario: 'handoff' as const, mode, point })),
  );
  const actions = ACTIONS.flatMap((scenario) =>
    ACTION_CHAINS[scenario].map((point) => ({ scenario, mode: 'idle' as const, point })),
  );
  return [...handoffs, ...actions];
}

/**
 * Crash points with a time: `after-ms#N` kills the server N milliseconds after the operator's request. At this moment
 * the server is usually between two named crash points.
 */
export const AFTER_MS = 'after-ms';
const ANY_MOMENT = [100, 300, 500, 700, 900, 1200, 1500, 1800, 2200, 2600].map((ms) => `${AFTER_MS}#${ms}`);

function deaths(point: string, together: number, chance: () => number): readonly string[] {
  const [name = '', nth = '1'] = point.split('#');
  const first =
    name === AFTER_MS
      ? `${name}#${Math.round(Number(nth) * (0.8 + 0.4 * chance()))}`
      : `${name}#${Number(nth) + (name.startsWith('commit') ? Math.floor(8 * chance()) : Math.floor(together * chance()))}`;
  const more = chance();
  if (more < 0.15) return [first, pick(RECOVERY, chance)];
  if (more < 0.2) return [first, pick(RECOVERY, chance), pick(RECOVERY, chance)];
  if (more < 0.35 && name !== AFTER_MS) return [first, name];
  return [first];
}

const pick = <T>(from: readonly T[], chance: () => number): T => from[Math.floor(chance() * from.length)] as T;

function shuffled<T>(from: readonly T[], chance: () => number): T[] {
  return from
    .map((value) => ({ value, at: chance() }))
    .sort((one, other) => one.at - other.at)
    .map(({ value }) => value);
}

/** Returns a random generator. The same seed gives the same plan on every machine. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
