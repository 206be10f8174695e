import { startAgent } from '../../src/app/agents/start-agent.ts';
import { drainSpool } from '../../src/app/engine/drain-spool.ts';
import { registerPersona } from '../../src/app/personas/register-persona.ts';
import type { Ports } from '../../src/app/ports/index.ts';
import { addProject } from '../../src/app/settings/add-project.ts';
import { isOver, RUN_ACTIONS, type Run, type Step } from '../../src/domain/handoffs/run.ts';
import { type Cast, FAULTS, type Fault } from './faults.ts';
import { goodHabits } from './habits.ts';
import { isLatest, judgeEnd, judgeStillOpen, waitsForApproval } from './judge/judge.ts';
import { judgeNotified, untold } from './judge/judge-inbox.ts';
import type { Sometimes } from './judge/sometimes.ts';
import { judgePackagesEnd } from './packages/judge.ts';
import { World } from './world.ts';

export interface SeedReport {
  readonly seed: number;
  readonly faults: readonly string[];
  readonly offences: readonly string[];
  readonly seen: ReadonlySet<Sometimes>;
  readonly history: () => readonly string[];
  readonly outcomes: readonly string[];
}

const MINUTE = 60_000;
const TOTAL_WEIGHT = FAULTS.reduce((sum, { weight }) => sum + weight, 0);

/** Plays one simulated world from beginning to end. The seed decides everything that happens. */
export async function runSeed(seed: number): Promise<SeedReport> {
  const world = new World(seed);
  const faults: string[] = [];
  try {
    const cast: Cast = { outgoing: goodHabits(), successor: goodHabits() };
    const agents = await setUp(world, cast);
    for (const fault of chooseFaults(world)) {
      faults.push(fault.name);
      world.isCalm = false;
      fault.arm(world, cast);
    }
    await handOver(world, agents);
    await calmDown(world);
    judgeEnd(world);
    if (world.packages !== undefined) await judgePackagesEnd(world, world.packages);
    world.auto?.judgeEnd();
    world.lessons?.judgeEnd();
    await judgeReplay(world);
  } catch (error) {
    world.offend(
      `the simulation broke down: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  return {
    seed,
    faults,
    offences: world.offences,
    seen: world.seen,
    outcomes: world.runs().map((run) => run.failure?.code ?? run.step),
    history: () => world.history.map(({ atMs, what }) => `${(atMs / 1_000).toFixed(3).padStart(9)}  ${what}`),
  };
}

/**
 * Creates a project, a persona and one or two agents that have received their skill. No fault happens during this
 * setup.
 */
async function setUp(world: World, cast: Cast): Promise<number> {
  const agents = world.dice.chance(0.15) ? 2 : 1;
  const others = world.packages?.wornAtFirst ?? [];
  world.habitsOf = ({ predecessor, agentId }) =>
    // On purpose, all outgoing agents share one object with their habits, so that a fault can change the habits of an
    // agent that already runs. The first successor has a separate object. All later successors behave well.
    predecessor === null ? cast.outgoing : agentId <= agents + others.length + 1 ? cast.successor : goodHabits();
  world.boot();
  await world.timeline.play(() => world.baton?.isUp === true, MINUTE);
  const ports = world.baton?.ports;
  if (ports === undefined) throw new Error('Baton did not start');
  await Promise.all([
    registerPersona(ports, 'developer', 'Con'),
    addProject(ports, '/home/op/shop', undefined),
    world.timeline.play(() => world.store.read((tx) => tx.projects().length + tx.personas().length === 2), MINUTE),
  ]);
  for (let n = 0; n < agents; n++)
    void startAgent(ports, { projectId: 1, personaSlug: 'developer-con-1', runtime: 'sim' });
  if (world.packages !== undefined) await registerOthers(world, ports);
  for (const personaSlug of others) void startAgent(ports, { projectId: 1, personaSlug, runtime: 'sim' });
  const ready = () => {
    const rows = world.store.read((tx) => tx.agents());
    return (
      rows.length === agents + others.length &&
      rows.every(({ state, priming }) => state === 'idle' && priming.status === 'done')
    );
  };
  if (!(await world.timeline.play(ready, MINUTE))) throw new Error('the agents did not start');
  return agents;
}

/** Registers the personas that receive packages. */
async function registerOthers(world: World, ports: Ports): Promise<void> {
  void registerPersona(ports, 'reviewer', 'Ann').then(() => registerPersona(ports, 'tester', 'Eve'));
  await world.timeline.play(() => world.store.read((tx) => tx.personas().length === 3), MINUTE);
}

/** Returns the faults of this seed. One seed in ten has no faults. In such a world every run must succeed. */
function chooseFaults(world: World): readonly Fault[] {
  const { dice } = world;
  const wanted = dice.chance(0.1) ? 0 : dice.between(1, 4);
  return Array.from({ length: wanted }, () => {
    let left = dice.next() * TOTAL_WEIGHT;
    for (const fault of FAULTS) {
      left -= fault.weight;
      if (left < 0) return fault;
    }
    return FAULTS[0] as Fault;
  });
}

async function handOver(world: World, agents: number): Promise<void> {
  const { dice, operator, timeline } = world;
  world.packages?.begin();
  world.auto?.begin(agents);
  for (let id = 1; world.auto === undefined && id <= agents; id++) {
    timeline.in(dice.between(10, 3_000), () => operator.handOver(id, world));
    if (dice.chance(0.1)) timeline.in(dice.between(10, 5_000), () => operator.handOver(id, world));
  }
  // The operator repeats a click that failed because Baton was down or the disk was full.
  for (let again = 1; again <= 3; again++)
    timeline.in(again * 8_000, () => {
      if (world.runs().length === 0 && world.auto === undefined) operator.handOver(1, world);
    });
  const onceMore = dice.chance(0.25);
  if (onceMore)
    world.moments.push({
      step: dice.pick(['failed', 'cancelled', 'completed'] as const),
      act: (run) =>
        timeline.in(dice.between(500, 5_000), () => operator.handOver(run.successorAgentId ?? run.agentId, world)),
    });
  const startedAndOver = () => {
    const runs = world.runs();
    return runs.length >= agents && runs.every(isOver) && world.baton?.isUp === true;
  };
  const minds = dice.chance(0.5);
  if (minds) mindHalted(world);
  await timeline.play(startedAndOver, dice.between(2, 6) * MINUTE);
  for (let round = minds ? dice.between(1, 3) : 0; round > 0; round--) {
    await timeline.play(() => false, 15_000);
    await timeline.play(startedAndOver, 2 * MINUTE);
  }
  if (onceMore) await timeline.play(() => false, 8_000);
}

/** The operator looks at runs that have halted or ended, and clicks one of the offered actions. */
function mindHalted(world: World): void {
  const { dice, operator, timeline } = world;
  const mind = (step: Step, share: number): void => {
    world.moments.push({
      step,
      act: (run) => {
        mind(step, share);
        if (!dice.chance(share)) return;
        timeline.in(dice.between(300, 12_000), () => {
          if (world.isCalm) return;
          if (run.broughtBackAgentId !== null) operator.handOver(run.broughtBackAgentId, world);
          else actOn(world, run);
        });
      },
    });
  };
  mind('failed', 0.9);
  mind('cancelled', 0.6);
  mind('completed', 0.2);
  for (const step of ['waiting_safe_point', 'shutting_down', 'awaiting_registration', 'delivering_prompt'] as const)
    mind(step, 0.1);
}

function actOn(world: World, run: Run): void {
  const { dice, operator } = world;
  const isGone = world.agents.get(run.agentId)?.alive === false;
  // Sometimes act on the oldest run instead of the latest one, like a person whose page is out of date.
  const [oldest] = world.runs();
  if (oldest !== undefined && oldest.id !== run.id && dice.chance(0.3))
    operator.choose(oldest.id, dice.pick(RUN_ACTIONS));
  else if (isGone && run.handoffId === null && dice.chance(0.4)) operator.succeed(run.agentId);
  else operator.clickSomething(run.id);
}

/** Stops the faults, then waits until all runs have ended. */
async function calmDown(world: World): Promise<void> {
  world.tell('--- the faults stop ---');
  world.isCalm = true;
  world.operator.isDone = true;
  world.moments = [];
  world.disk.projectGone = false;
  world.kills = [];
  world.downtimes = [];
  world.storeRefusesUntilMs = -1;
  world.storeRefusals = 0;
  world.slowIo = 0;
  world.tmux.hungUntilMs = -1;
  for (const agent of world.agents.values()) {
    const pane = world.tmux.paneOf(agent);
    if (pane !== undefined) pane.inMode = false;
    if (agent.composer === 'half a thought of the operator') agent.composer = '';
    if (agent.dialog !== undefined) world.operator.isAsked(agent);
  }
  world.boot();
  const bound = Object.values(world.deadlines).reduce((sum, ms) => sum + ms, 0);
  const hasEnded = () =>
    world.baton?.isUp === true &&
    !world.auto?.isPending() &&
    !world.lessons?.isPending() &&
    world.runsInFlight().every(waitsForApproval);
  await world.timeline.play(hasEnded, 2 * bound);
  await world.timeline.play(() => false, 5_000);
  judgeStillOpen(world);
  await untilTold(world);
  judgeNotified(world);
  await help(world, hasEnded, bound);
  if (world.packages !== undefined) {
    const { packages } = world;
    await world.timeline.play(() => packages.isSettled(), 20 * MINUTE);
    packages.end();
  }
  const isQuiet = () => world.store.read((tx) => tx.pendingEffects().length) === 0;
  await world.timeline.play(isQuiet, MINUTE);
  await world.timeline.play(() => false, 5_000);
  await untilTold(world);
}

/**
 * Waits until all notifications are sent. Baton sends at most ten notifications a minute, so the last ones can come a
 * minute later, in a summary.
 */
const untilTold = (world: World): Promise<unknown> =>
  world.timeline.play(() => untold(world).length === 0, MINUTE + 5_000);

/** Lets the operator bring every run to a good end, by clicking the offered actions that help the run. */
async function help(world: World, hasEnded: () => boolean, bound: number): Promise<void> {
  const tried = new Map<string, number>();
  for (let click = 0; click < 30; click++) {
    const run = world
      .runs()
      .find((each) => (each.step === 'failed' || waitsForApproval(each)) && isLatest(world, each));
    if (run === undefined || !world.operator.help(run, tried)) return;
    await world.timeline.play(() => false, 1_000);
    await world.timeline.play(hasEnded, bound);
  }
}

/** Lets Baton process every hook file a second time, and checks that Baton's state does not change. */
async function judgeReplay(world: World): Promise<void> {
  const { baton, spool, store, timeline } = world;
  if (baton === undefined) {
    world.offend('Baton does not run at the end');
    return;
  }
  const state = () =>
    store.read((tx) => JSON.stringify([tx.lastSeq(), tx.runs({ limit: 100 }), tx.agents(), tx.pendingEffects()]));
  await timeline.play(() => spool.waiting.length === 0, 10_000);
  const before = state();
  spool.isReplay = true;
  spool.waiting = [...spool.everArrived];
  let drained = false;
  void drainSpool(baton.ports).then(() => {
    drained = true;
  });
  await timeline.play(() => drained, 1_000);
  if (!drained) world.offend('the replayed hooks were not processed');
  // Skip the comparison if an agent got a new session. Some hooks of that session may have arrived before Baton knew
  // the session, so Baton ignored them. At the second processing Baton knows the session, so these hooks do change the
  // state.
  if (world.sessionsChanged) return;
  if (state() !== before) world.offend('processing hooks a second time changed the state');
}
