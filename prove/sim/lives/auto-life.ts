import { recordFact } from '../../../src/app/engine/record-facts.ts';
import { changeCountdown } from '../../../src/app/handoffs/policy/change-countdown.ts';
import { setPersonaPolicy } from '../../../src/app/handoffs/policy/set-policy.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import { isLive } from '../../../src/domain/agents/agent.ts';
import { autoOf } from '../../../src/domain/handoffs/policy/auto-handoff.ts';
import { DEFAULT_POLICY } from '../../../src/domain/handoffs/policy/policy.ts';
import { instantFromMs } from '../../../src/domain/instant.ts';
import { Dice } from '../dice.ts';
import type { World } from '../world.ts';

const IDLE_MS = 5_000;
const COUNTDOWN_MS = 20_000;
/**
 * The tolerance for comparing times: the time between two reconciles. Baton measures times only at a reconcile, so a
 * time that the judge measures may differ from Baton's by up to this much.
 */
const ONE_LOOK_MS = 100;
const REPORT_EVERY_MS = 3_000;
const POLICY = {
  ...DEFAULT_POLICY,
  mode: 'auto',
  idleSeconds: IDLE_MS / 1000,
  countdownSeconds: COUNTDOWN_MS / 1000,
  perDay: 5,
} as const;

/** The time at which an agent's last countdown began, and the number of the Baton process that began it. */
interface Counted {
  readonly atMs: number;
  readonly boot: number;
}

/**
 * Plays the automatic handoffs of one simulated world. Checks that Baton begins a handoff of each agent at most once,
 * after a whole countdown, and not after a person has cancelled the handoff. The agents report a full context, so Baton
 * begins handoffs without a click. Meanwhile a person may cancel or snooze a countdown or type into the agent, and
 * Baton may be killed.
 */
export class AutoLife {
  private readonly world: World;
  private readonly dice: Dice;
  private readonly counted = new Map<number, Counted>();
  private readonly cancelled = new Set<number>();
  private readonly begun = new Map<number, number>();
  private readSeq = 0;

  constructor(world: World, seed: number) {
    this.world = world;
    this.dice = new Dice(seed ^ 0x2f6e2b1);
  }

  /** Switches automatic handoffs on, and lets the agents report a full context from now on. */
  begin(agents: number): void {
    this.whileUp((ports) => setPersonaPolicy(ports, 'developer-con-1', POLICY));
    for (let id = 1; id <= agents; id++) this.report(id);
  }

  /** Lets a live agent report that its context is full. */
  private report(agentId: number): void {
    const { world } = this;
    const row = world.row(agentId);
    if (row === undefined || !isLive(row) || row.context !== null) return;
    const measured = {
      type: 'context_measured',
      agentId,
      usedPercent: 85,
      usedTokens: null,
      windowTokens: null,
    } as const;
    this.whileUp((ports) => ports.store.write((tx) => void recordFact(tx, ports, measured)));
  }

  private whileUp(work: (ports: Ports) => Promise<unknown>): void {
    const { baton } = this.world;
    const again = (): void => void this.world.timeline.in(REPORT_EVERY_MS, () => this.whileUp(work));
    if (baton?.isUp) work(baton.ports).catch(again);
    else again();
  }

  /**
   * Called after each commit. Reads and judges the new events of the log, and lets the simulated person and the agents
   * react.
   */
  observe(): void {
    const { world } = this;
    for (const { seq, type, agentId, data } of world.store.read((tx) => tx.eventsAfter(this.readSeq, 1_000))) {
      this.readSeq = seq;
      if (agentId === null) continue;
      if (type === 'countdown_began' || type === 'countdown_restarted') this.noteCountdown(agentId, type);
      if (type === 'countdown_cancelled') this.cancelled.add(agentId);
      if (type === 'countdown_stopped') world.saw('countdown_stopped');
      if (type === 'auto_handoff_begun') this.judgeBegun(agentId);
      if (type === 'auto_handoff_held' && data.why === 'loop') world.saw('loop_breaker_held');
      if (type === 'session_started' && world.row(agentId)?.previousAgentId != null) this.report(agentId);
    }
  }

  private noteCountdown(agentId: number, type: string): void {
    const { world, dice } = this;
    this.counted.set(agentId, { atMs: world.timeline.nowMs, boot: world.boots });
    world.saw(type === 'countdown_began' ? 'countdown_began' : 'countdown_restarted');
    if (world.isCalm) return;
    const soon = dice.between(0, COUNTDOWN_MS + 3_000);
    const roll = dice.next();
    if (roll < 0.5) world.timeline.in(soon, () => this.killWhileCounting(agentId));
    else if (roll < 0.6) this.person(soon, agentId, { do: 'cancel' });
    else if (roll < 0.68) this.person(soon, agentId, { do: 'snooze', minutes: 1 });
    else if (roll < 0.78) world.timeline.in(soon, () => this.promptWhileCounting(agentId));
  }

  private promptWhileCounting(agentId: number): void {
    const { world } = this;
    const agent = world.agents.get(agentId);
    if (agent?.alive && !world.isCalm && agent.turn === undefined) world.operator.prompts(agent, 'one more thing');
  }

  private killWhileCounting(agentId: number): void {
    const { world } = this;
    if (world.isCalm) return;
    const row = world.row(agentId);
    if (row !== undefined && autoOf(row).countdown !== null) world.saw('killed_in_a_countdown');
    world.kill('a countdown');
  }

  private person(inMs: number, agentId: number, change: Parameters<typeof changeCountdown>[2]): void {
    const { world } = this;
    world.timeline.in(inMs, () => {
      if (world.baton?.isUp && !world.isCalm) {
        world.saw(change.do === 'cancel' ? 'countdown_cancelled' : 'countdown_snoozed');
        void changeCountdown(world.baton.ports, agentId, change).catch(() => undefined);
      }
    });
  }

  private judgeBegun(agentId: number): void {
    const { world } = this;
    world.saw('auto_handoff_begun');
    const times = (this.begun.get(agentId) ?? 0) + 1;
    this.begun.set(agentId, times);
    if (times > 1) world.offend(`doubled: Baton began ${times} handoffs of agent ${agentId} by itself`);
    if (this.cancelled.has(agentId))
      world.offend(`Baton began a handoff of agent ${agentId} by itself, although a person had cancelled it`);
    const counted = this.counted.get(agentId);
    const passed = world.timeline.nowMs - (counted?.atMs ?? Number.POSITIVE_INFINITY);
    if (counted?.boot !== world.boots)
      world.offend(`Baton began a handoff of agent ${agentId} by itself, but nobody saw its countdown since the start`);
    else if (passed < COUNTDOWN_MS - ONE_LOOK_MS && world.wallOffsetMs === 0)
      world.offend(`Baton began a handoff of agent ${agentId} after only ${passed} ms of its countdown`);
    // Count a prompt of the operator as work, because the simulated agent edits files in the turn of that prompt.
    const hasWorked = world.agents.get(agentId)?.received.some(({ purpose }) => purpose === 'work');
    if (world.row(agentId)?.previousAgentId != null && !hasWorked)
      world.offend(`Baton handed off agent ${agentId} by itself, although it has done no work since it took over`);
  }

  /** Returns whether a countdown is running, or will begin at the end of a snooze. */
  isPending(): boolean {
    const now = instantFromMs(Date.parse(this.world.instant()) - 2 * IDLE_MS);
    return this.world.store
      .read((tx) => tx.liveAgents())
      .map(autoOf)
      .some(({ countdown, snoozedUntil }) => countdown !== null || (snoozedUntil !== null && snoozedUntil > now));
  }

  /** Checks at the end that no countdown was forgotten and that every automatic handoff was counted. */
  judgeEnd(): void {
    const { world } = this;
    for (const agent of world.store.read((tx) => tx.liveAgents())) {
      const { countdown } = autoOf(agent);
      if (countdown !== null && countdown.dueAt < world.instant())
        world.offend(`lost: the countdown of agent ${agent.id} is over, but nothing happened`);
    }
    const runs = world.runs().filter(({ begunBecause }) => begunBecause != null).length;
    const begun = [...this.begun.values()].reduce((sum, times) => sum + times, 0);
    if (runs !== begun) world.offend(`lost: Baton logged ${begun} automatic handoffs, but ${runs} runs exist`);
    const counted = world.store.read((tx) => tx.personaById(1)?.autoHandoffs?.count ?? 0);
    if (counted !== begun && world.wallOffsetMs === 0)
      world.offend(`the persona had ${begun} automatic handoffs, but ${counted} were counted`);
  }
}
