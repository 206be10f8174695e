import { chooseRunAction } from '../../src/app/choose-run-action.ts';
import { requestHandoff } from '../../src/app/request-handoff.ts';
import { sendMessage } from '../../src/app/send-message.ts';
import { stopAgent } from '../../src/app/stop-agent.ts';
import type { Ports } from '../../src/app/world.ts';
import { isLive } from '../../src/domain/agent/agent.ts';
import { isRefusal } from '../../src/domain/refusals.ts';
import type { SimAgent } from './agent.ts';
import { noteAnswered } from './observe.ts';
import type { World } from './world.ts';

/** Something the operator may do through Baton right now. */
interface Offer {
  readonly name: string;
  readonly perform: () => void;
}

/**
 * Every action that Baton offers, and on what. The operator picks among all offers by chance, so an action that is added
 * to the product is added here and nowhere else in the simulator.
 */
const ACTIONS: readonly ((operator: Operator, world: World) => readonly Offer[])[] = [
  (operator, world) =>
    operator.rows().map(({ id }) => ({ name: `hand over agent ${id}`, perform: () => operator.handOver(id, world) })),
  (operator, world) =>
    world.runs().map(({ id }) => ({ name: `cancel run ${id}`, perform: () => operator.cancel(id, world) })),
  (operator, world) =>
    operator.rows().map(({ id }) => ({ name: `stop agent ${id}`, perform: () => operator.stop(id, world) })),
  (operator) =>
    operator
      .rows()
      .map(({ id }) => ({ name: `send to agent ${id}`, perform: () => operator.send(id, 'Do the next step.') })),
];

/** Somebody who is in the way for no longer than this must not make a run fail. */
const FORGIVABLE_MS = 13_000;

/** The person: clicks in Baton, and sits before the agents' terminals. */
export class Operator {
  /** How long a question waits for its answer. */
  answersAfterMs: readonly [number, number] = [500, 6_000];
  /** Clicks nothing any more; questions are still answered. */
  isDone = false;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  rows() {
    return this.world.store.read((tx) => tx.agents()).filter(isLive);
  }

  /** One of the offered actions, by chance. */
  actAtRandom(): void {
    const { dice } = this.world;
    const offers = dice.pick(ACTIONS)(this, this.world);
    if (offers.length > 0) dice.pick(offers).perform();
  }

  private call<T>(what: string, work: (ports: Ports) => Promise<T>, then: (result: T) => void = () => undefined): void {
    const { baton } = this.world;
    if (this.isDone) return;
    this.world.tell(`operator: ${what}${baton?.isUp ? '' : ' (nobody answers)'}`);
    if (!baton?.isUp) return;
    work(baton.ports).then(
      (result) => {
        this.world.tell(`answer to ${what}: ${isRefusal(result) ? result.code : 'yes'}`);
        then(result);
      },
      (error: unknown) => {
        this.world.tell(`answer to ${what}: ${String(error)}`);
        if (what.startsWith('hand over')) this.world.saw('store_refused_the_click');
      },
    );
  }

  handOver(agentId: number, world: World): void {
    const before = world.runs().filter((run) => run.agentId === agentId);
    const busy = world.agents.get(agentId)?.turn !== undefined;
    this.call(
      `hand over ${agentId}`,
      (ports) => requestHandoff(ports, agentId, { reason: undefined, note: undefined }),
      (result) => {
        if (isRefusal(result)) {
          if (result.code === 'handoff_in_progress') world.saw('second_click_refused');
          return;
        }
        if (before.some(({ step }) => step === 'failed')) world.saw('triggered_again_after_a_failure');
        if (busy) world.moments.push({ step: 'awaiting_document', act: () => world.saw('busy_when_asked') });
      },
    );
  }

  cancel(runId: number, world: World): void {
    this.call(
      `cancel ${runId}`,
      (ports) => chooseRunAction(ports, { runId, action: 'cancel' }),
      (result) => {
        if (isRefusal(result) && result.code === 'action_not_possible') world.saw('cancel_refused_after_the_record');
      },
    );
  }

  stop(agentId: number, world: World, force = world.dice.chance(0.4)): void {
    this.call(
      `stop ${agentId}`,
      (ports) => stopAgent(ports, agentId, force),
      (result) => {
        if (isRefusal(result)) {
          if (result.code === 'agent_in_handoff') world.saw('stop_refused_in_a_handoff');
          return;
        }
        world.blame(agentId, 'stopped');
      },
    );
  }

  send(agentId: number, text: string): void {
    this.call(`send ${agentId}`, (ports) => sendMessage(ports, agentId, text));
    this.world.blame(agentId, 'operator_types');
  }

  /** An agent asks something on its screen. Somebody answers in the end. */
  isAsked(agent: SimAgent): void {
    const { world } = this;
    const [soon, late] = world.isCalm ? [200, 1_500] : this.answersAfterMs;
    const { dialog } = agent;
    const askedAt = world.timeline.nowMs;
    agent.later(world.dice.between(soon, late), () => {
      if (agent.dialog !== dialog) return;
      noteAnswered(world, agent, world.timeline.nowMs - askedAt);
      world.tell(`operator answers agent ${agent.agentId}`);
      agent.answer();
    });
  }

  /** Types half a thought into the agent's own composer, and later sends or deletes it. */
  drafts(agent: SimAgent, forMs: number): void {
    if (!agent.alive || agent.screen.kind !== 'ready') return;
    const draft = 'half a thought of the operator';
    this.world.tell(`operator drafts in agent ${agent.agentId}`);
    agent.composer = draft;
    if (forMs > FORGIVABLE_MS) this.world.blame(agent.agentId, 'operator_types');
    agent.later(forMs, () => {
      if (agent.composer !== draft) {
        if (agent.composer.includes(draft))
          this.world.offend(`Baton typed into the operator's draft in agent ${agent.agentId}`);
        return;
      }
      agent.composer = '';
      if (!this.world.isCalm && this.world.dice.chance(0.3)) this.prompts(agent, 'carry on, please');
    });
  }

  reads(agent: SimAgent, forMs: number): void {
    const pane = this.world.tmux.paneOf(agent);
    if (pane === undefined) return;
    this.world.tell(`operator reads back in agent ${agent.agentId}`);
    pane.inMode = true;
    if (forMs > FORGIVABLE_MS) this.world.blame(agent.agentId, 'operator_reads');
    this.world.timeline.in(forMs, () => {
      pane.inMode = false;
    });
  }

  prompts(agent: SimAgent, text: string): void {
    if (!agent.alive || agent.screen.kind !== 'ready') return;
    this.world.tell(`operator asks agent ${agent.agentId}: ${text}`);
    this.world.blame(agent.agentId, 'operator_types');
    agent.submit(text);
  }
}
