import { acknowledgeHandoff } from '../../src/app/handoffs/acknowledge-handoff.ts';
import type { Ports } from '../../src/app/ports/index.ts';
import type { Store } from '../../src/app/ports/store.ts';
import type { Agent } from '../../src/domain/agents/agent.ts';
import { DEADLINES } from '../../src/domain/handoffs/deadlines.ts';
import type { ActiveStep, Run, Step } from '../../src/domain/handoffs/run.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { StoredPackage } from '../../src/domain/packages/stored-package.ts';
import { isRefusal } from '../../src/domain/refusals.ts';
import { createMemoryStore } from '../memory-store/memory-store.ts';
import { type Launch, SimAgent } from './agent.ts';
import { Baton, instantAt } from './baton.ts';
import { Dice } from './dice.ts';
import { SimDisk } from './files.ts';
import { goodHabits, type Habits } from './habits.ts';
import { judgeStart, judgeStep } from './judge/judge.ts';
import { noteAcknowledged, noteBoot, noteKill, noteStarted, noteStep, noteStoreRefused } from './judge/observe.ts';
import type { Sometimes } from './judge/sometimes.ts';
import { Timeline } from './judge/timeline.ts';
import { AutoLife } from './lives/auto-life.ts';
import { LessonLife } from './lives/lesson-life.ts';
import { Operator } from './operator.ts';
import { judgeArchive, judgePackages } from './packages/judge.ts';
import { PackageLife } from './packages/life.ts';
import { SimSpool } from './spool.ts';
import { SimTmux } from './tmux.ts';

/**
 * A plan to kill Baton at a checkpoint whose name begins with the text in `at`. `nth` is 1 for the first such
 * checkpoint, 2 for the second.
 */
export interface KillPlan {
  readonly at: string;
  nth: number;
  /** True if the plan counts only checkpoints that Baton passes while it starts and recovers. */
  readonly onlyAtStart?: boolean;
}

const MINUTE = 60_000;
/** In every fifth simulated world, agents exchange packages. */
const PACKAGES_IN = 5;
/**
 * In every sixth simulated world, Baton begins handoffs automatically instead of after a click. Worlds in which agents
 * exchange packages are excepted.
 */
const AUTO_IN = 6;
const LESSONS_IN = 6;

/**
 * One simulated world: everything outside Baton, and at most one running Baton. The world continues after every kill of
 * Baton.
 */
export class World {
  readonly dice: Dice;
  readonly timeline = new Timeline();
  readonly tmux = new SimTmux(this);
  readonly disk = new SimDisk();
  readonly spool = new SimSpool(this);
  readonly operator = new Operator(this);
  /** Plays the agents that exchange packages in this world; undefined if the agents exchange no packages. */
  readonly packages: PackageLife | undefined;
  /** Plays the automatic handoffs of this world; undefined if handoffs begin only after a click of the operator. */
  readonly auto: AutoLife | undefined;
  /** The lessons and open points of this world; undefined if the documents contain none. */
  readonly lessons: LessonLife | undefined;
  private readonly packagesKnown = new Map<string, StoredPackage>();
  readonly store: Store;
  readonly agents = new Map<number, SimAgent>();
  readonly history: { readonly atMs: number; readonly what: string }[] = [];
  readonly seen = new Set<Sometimes>();
  readonly offences: string[] = [];
  /** The notifications that were sent, in order. */
  readonly notified: string[] = [];
  /** True if the simulated client can resume a conversation in a new process. */
  readonly canResume: boolean;
  /** True if the SessionStart hook gives each session its skill. False if Baton types the skill. */
  readonly skillAtStart: boolean;
  /**
   * The faults that are allowed to make a run fail, by the id of the agent that they concern. The id 0 means all
   * agents.
   */
  readonly blamed = new Map<number, Set<string>>();
  /**
   * The deadlines of the steps. The longest deadlines are shorter than in production, so that a seed takes less time.
   */
  readonly deadlines: Record<ActiveStep, number> = {
    ...DEADLINES,
    waiting_safe_point: 2 * MINUTE,
    awaiting_document: 2 * MINUTE,
    awaiting_acknowledgement: MINUTE,
  };
  baton: Baton | undefined;
  isCalm = true;
  sessionsChanged = false;
  wallOffsetMs = 0;
  kills: KillPlan[] = [];
  killCount = 0;
  /** How long Baton stays down after each of the next kills. */
  downtimes: number[] = [];
  storeRefusesUntilMs = -1;
  storeRefusals = 0;
  slowIo = 0;
  /** Functions to call when a run enters the given step. Each function is called only once. */
  moments: { readonly step: Step; readonly act: (run: Run) => void }[] = [];
  habitsOf: (launch: Launch) => Habits = goodHabits;
  readonly stepOf = new Map<number, Step>();
  private readonly failuresOf = new Map<number, number>();
  readonly overAtMs = new Map<number, number>();
  readonly killsIn = new Map<number, number>();
  boots = 0;
  /** The ports of the latest Baton process. They are available even while Baton is down. */
  ports: Ports | undefined;
  /**
   * `approved` contains the runs that the operator approved. `lookedFor` contains the runs for which the operator
   * clicked "check again" or "adopt".
   */
  readonly approved = new Set<number>();
  readonly lookedFor = new Set<number>();
  readonly recordedByBoot = new Map<number, number>();
  readonly askedToExit = new Set<number>();
  private uuids = 0;
  private tokens = 0;

  constructor(seed: number) {
    this.dice = new Dice(seed);
    this.canResume = this.dice.chance(0.85);
    this.skillAtStart = this.dice.chance(0.2);
    this.packages = seed % PACKAGES_IN === 0 ? new PackageLife(this, seed) : undefined;
    this.auto = seed % AUTO_IN === 1 && this.packages === undefined ? new AutoLife(this, seed) : undefined;
    this.lessons = seed % LESSONS_IN === 2 ? new LessonLife(this, seed) : undefined;
    this.store = createMemoryStore('host', () => this.instant());
    this.store.onCommit(() => this.afterCommit());
  }

  get ackDeadlineMs(): number {
    return this.deadlines.awaiting_acknowledgement;
  }

  instant(): Instant {
    return instantAt(this.timeline.nowMs + this.wallOffsetMs);
  }

  uuid(): string {
    return `${String(++this.uuids).padStart(8, '0')}-0000-4000-8000-000000000000`;
  }

  token(length: number): string {
    return `T${++this.tokens}`.padEnd(length, 'x');
  }

  tell(what: string): void {
    this.history.push({ atMs: this.timeline.nowMs, what });
  }

  saw(what: Sometimes): void {
    this.seen.add(what);
  }

  offend(what: string): void {
    this.tell(`OFFENCE: ${what}`);
    this.offences.push(what);
  }

  blame(agentId: number, what: string): void {
    const known = this.blamed.get(agentId) ?? new Set();
    this.blamed.set(agentId, known.add(what));
  }

  boot(): void {
    if (this.baton !== undefined) return;
    this.baton = new Baton(this, `baton-${++this.boots}`);
    this.ports = this.baton.ports;
    this.tell(`Baton ${this.boots} starts`);
    noteBoot(this);
    void this.baton.start();
  }

  killsAt(moment: string): boolean {
    for (const plan of this.kills) {
      if (plan.onlyAtStart && this.baton?.isUp) continue;
      if (moment.startsWith(plan.at) && --plan.nth === 0) return true;
    }
    return false;
  }

  kill(why: string): void {
    const { baton } = this;
    if (baton === undefined) return;
    this.tell(`kill -9 at ${why}`);
    noteKill(this, baton, why);
    if (this.packages !== undefined) judgeArchive(this, this.packages);
    this.killCount++;
    baton.alive = false;
    this.baton = undefined;
    this.timeline.in(this.isCalm ? 500 : (this.downtimes.shift() ?? this.dice.between(100, 3_000)), () => this.boot());
  }

  unlessStoreRefuses(baton: Baton): void {
    const refused = this.timeline.nowMs < this.storeRefusesUntilMs || this.storeRefusals > 0;
    if (!refused) return;
    if (this.storeRefusals > 0) this.storeRefusals--;
    noteStoreRefused(this, baton);
    throw new Error('database or disk is full');
  }

  slowness(): number {
    return this.slowIo > 0 && this.dice.chance(this.slowIo) ? this.dice.between(1, 400) : 0;
  }

  /** Starts an agent's program; returns undefined if the program could not be executed. */
  startProcess([, sessionUuid = '', resumes, agentId, token = '', predecessor]: readonly string[]):
    | SimAgent
    | undefined {
    const launch = {
      agentId: Number(agentId),
      token,
      sessionUuid,
      predecessor: predecessor ? Number(predecessor) : null,
      resumes: resumes !== '',
    };
    const habits = this.habitsOf(launch);
    if (habits.start === 'fails_to_run') {
      this.blame(launch.agentId, 'ended_at_start');
      return undefined;
    }
    judgeStart(this, launch);
    noteStarted(this, launch);
    this.tell(`process of agent ${launch.agentId} starts`);
    const agent = new SimAgent(this, launch, habits);
    this.agents.set(launch.agentId, agent);
    return agent;
  }

  agentWithTranscript(path: string): SimAgent | undefined {
    return [...this.agents.values()].find(({ transcriptPath }) => transcriptPath === path);
  }

  agentWithSession(sessionId: string): SimAgent | undefined {
    return [...this.agents.values()].findLast((agent) => agent.sessionId === sessionId);
  }

  runsInFlight(): readonly Run[] {
    return this.store.read((tx) => tx.runsInFlight());
  }

  runs(): readonly Run[] {
    return this.store.read((tx) => tx.runs({ limit: 100 })).toReversed();
  }

  row(agentId: number): Agent | undefined {
    return this.store.read((tx) => tx.agentById(agentId));
  }

  /** Plays the agent's `baton ack`. If Baton does not answer, the acknowledgment is written to the spool. */
  acknowledge(agent: SimAgent, runId: number, proof: string): void {
    const given = { runId, proof, task: 'go on with the next step' };
    let answered = false;
    const { baton } = this;
    const row = this.row(agent.agentId);
    if (baton?.isUp && row !== undefined) {
      const before = this.store.read((tx) => tx.runById(runId));
      acknowledgeHandoff(baton.ports, row, given).then(
        (result) => {
          answered = true;
          this.tell(`ack of agent ${agent.agentId}: ${isRefusal(result) ? result.code : result.step}`);
          noteAcknowledged(this, before, result);
        },
        () => undefined,
      );
    }
    agent.later(answered ? 0 : 2_000, () => {
      if (answered) return;
      this.saw('acknowledgement_left_while_down');
      this.tell(`ack of agent ${agent.agentId} is left in the spool`);
      this.spool.leaveAcknowledgement(agent, { run_id: runId, proof, task: given.task });
    });
  }

  private afterCommit(): void {
    if (this.packages !== undefined) judgePackages(this, this.packages, this.packagesKnown);
    this.auto?.observe();
    this.lessons?.observe();
    for (const run of this.store.read((tx) => tx.runs({ limit: 8 }))) {
      const before = this.stepOf.get(run.id);
      const failures = this.failuresOf.get(run.id) ?? 0;
      if (before === run.step && failures === run.failures) continue;
      this.failuresOf.set(run.id, run.failures);
      this.stepOf.set(run.id, run.step);
      this.tell(`run ${run.id} of agent ${run.agentId}: ${before ?? ''} → ${run.step} ${run.failure?.code ?? ''}`);
      noteStep(this, run, before);
      judgeStep(this, run, run.failures > failures);
      const now = this.moments.filter(({ step }) => step === run.step);
      this.moments = this.moments.filter(({ step }) => step !== run.step);
      for (const { act } of now) act(run);
    }
  }
}
