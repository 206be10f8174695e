import { stopAgent } from '../../src/app/agents/stop-agent.ts';
import { loadRunContext } from '../../src/app/engine/run-context.ts';
import { chooseRunAction } from '../../src/app/handoffs/choose-run-action.ts';
import { succeedAgent } from '../../src/app/handoffs/replace-agent.ts';
import { requestHandoff } from '../../src/app/handoffs/request-handoff.ts';
import { dismissInboxItem } from '../../src/app/inbox/dismiss-inbox-item.ts';
import { sendMessage } from '../../src/app/messages/send-message.ts';
import type { Ports } from '../../src/app/ports/index.ts';
import { isLive } from '../../src/domain/agents/agent.ts';
import { offers } from '../../src/domain/handoffs/actions.ts';
import { RUN_ACTIONS, type Run, type RunAction } from '../../src/domain/handoffs/run.ts';
import { isRefusal } from '../../src/domain/refusals.ts';
import type { SimAgent } from './agent.ts';
import { noteAnswered } from './judge/observe.ts';
import { noteChoice, noteClick } from './judge/observe-choices.ts';
import type { World } from './world.ts';

/** An action that the operator can take through Baton right now. */
interface Offer {
  readonly name: string;
  readonly perform: () => void;
}

/**
 * Every action that Baton offers, with its targets. The simulated operator picks one of these offers at random. Add a
 * new action of Baton here, and nowhere else.
 */
const ACTIONS: readonly ((operator: Operator, world: World) => readonly Offer[])[] = [
  (operator, world) =>
    operator.rows().map(({ id }) => ({ name: `hand over agent ${id}`, perform: () => operator.handOver(id, world) })),
  (operator, world) => world.runs().flatMap((run) => operator.offersAbout(run)),
  (operator, world) => world.runs().flatMap((run) => operator.offersAbout(run)),
  (operator, world) => world.runs().flatMap(({ id }) => RUN_ACTIONS.map((action) => operator.offer(id, action))),
  (operator, world) =>
    operator.rows().map(({ id }) => ({ name: `stop agent ${id}`, perform: () => operator.stop(id, world) })),
  (operator) =>
    operator
      .rows()
      .map(({ id }) => ({ name: `send to agent ${id}`, perform: () => operator.send(id, 'Do the next step.') })),
  (operator, world) =>
    [...world.agents.keys()].map((id) => ({ name: `succeed agent ${id}`, perform: () => operator.succeed(id) })),
  (operator, world) =>
    world.store
      .read((tx) => tx.openInboxItems())
      .map(({ id }) => ({ name: `dismiss ${id}`, perform: () => operator.dismiss(id) })),
];

/** The actions that help a handoff run, sorted from the most to the least helpful. */
const HELPFUL: readonly RunAction[] = [
  'approve',
  'resume',
  'use_recorded',
  'retry',
  'check_again',
  'adopt',
  'wait',
  'instruct_again',
  'interrupt',
  'force_exit',
  'undo',
  'nudge',
  'message',
  'accept',
  'send_back',
  'cancel',
];

/**
 * The longest time for which the simulated operator may block a composer. A longer block would make a handoff run fail.
 */
const FORGIVABLE_MS = 13_000;

/** The simulated person, who clicks in Baton and types in the agents' terminals. */
export class Operator {
  /** The shortest and the longest time until the operator answers a question. */
  answersAfterMs: readonly [number, number] = [500, 6_000];
  /** True if the operator no longer clicks, but still answers questions. */
  isDone = false;
  private isHelping = false;
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  rows() {
    return this.world.store.read((tx) => tx.agents()).filter(isLive);
  }

  /** Performs one of the offered actions, chosen at random. */
  actAtRandom(): void {
    const { dice } = this.world;
    const offers = dice.pick(ACTIONS)(this, this.world);
    if (offers.length > 0) dice.pick(offers).perform();
  }

  private call<T>(what: string, work: (ports: Ports) => Promise<T>, then: (result: T) => void = () => undefined): void {
    const { world } = this;
    const { baton } = world;
    if (this.isDone && !this.isHelping) return;
    world.tell(`operator: ${what}${baton?.isUp ? '' : ' (nobody answers)'}`);
    if (!baton?.isUp) {
      world.saw('clicked_while_down');
      return;
    }
    work(baton.ports).then(
      (result) => {
        world.tell(`answer to ${what}: ${isRefusal(result) ? result.code : 'yes'}`);
        then(result);
      },
      (error: unknown) => {
        world.tell(`answer to ${what}: ${String(error)}`);
        if (what.startsWith('hand over')) world.saw('store_refused_the_click');
      },
    );
  }

  handOver(agentId: number, world: World, review = world.dice.chance(0.12)): void {
    const before = world.runs().filter((run) => run.agentId === agentId);
    const agent = world.agents.get(agentId);
    const busy = agent?.turn !== undefined;
    this.call(
      `hand over ${agentId}${review ? ' with review' : ''}`,
      (ports) => requestHandoff(ports, agentId, { reason: undefined, note: undefined, review }),
      (result) => {
        if (isRefusal(result)) {
          if (result.code === 'handoff_in_progress') world.saw('second_click_refused');
          return;
        }
        if (before.some(({ step }) => step === 'failed')) world.saw('triggered_again_after_a_failure');
        if (agent?.resumes) world.saw('handed_over_after_an_undo');
        if (busy) world.moments.push({ step: 'awaiting_document', act: () => world.saw('busy_when_asked') });
        if (review) this.readsAndDecides(result.id);
      },
    );
  }

  /**
   * Lets the operator decide about a review after some time. Sometimes the operator decides only after the faults have
   * stopped.
   */
  private readsAndDecides(runId: number): void {
    const { world } = this;
    const decide = (run: Run): void => {
      if (run.id !== runId) world.moments.push({ step: 'recorded', act: decide });
      else if (world.dice.chance(0.8))
        world.timeline.in(world.dice.between(200, 20_000), () =>
          this.choose(runId, world.dice.chance(0.6) ? 'approve' : world.dice.chance(0.5) ? 'send_back' : 'cancel'),
        );
    };
    world.moments.push({ step: 'recorded', act: decide });
  }

  /**
   * Returns the actions that the page offers for this run. While Baton is down, the page still shows the actions that
   * were possible before Baton went down.
   */
  offered(run: Run): readonly RunAction[] {
    const { ports, store } = this.world;
    return ports === undefined
      ? []
      : store.read((tx) => offers(run, loadRunContext(tx, ports, run)).map(({ action }) => action));
  }

  offer(runId: number, action: RunAction): Offer {
    return { name: `${action} run ${runId}`, perform: () => this.choose(runId, action) };
  }

  offersAbout(run: Run): readonly Offer[] {
    return this.offered(run).map((action) => this.offer(run.id, action));
  }

  /** Clicks one of the actions offered for this run, sometimes twice. */
  clickSomething(runId: number): void {
    const run = this.world.store.read((tx) => tx.runById(runId));
    const offered = run === undefined ? [] : this.offered(run);
    if (offered.length === 0) return;
    const action = this.world.dice.pick(offered);
    this.choose(runId, action);
    if (this.world.dice.chance(0.2)) this.choose(runId, action, true);
  }

  choose(runId: number, action: RunAction, isSecond = false): void {
    const { world } = this;
    const before = world.store.read((tx) => tx.runById(runId));
    if (before === undefined) return;
    const wasOffered = this.offered(before).includes(action);
    const file = action === 'adopt' ? this.fileToAdopt(before) : undefined;
    const comment = action === 'send_back' || action === 'message' ? 'What remains is not in it.' : undefined;
    noteClick(world, before, action);
    this.call(
      `${action} run ${runId}`,
      (ports) => chooseRunAction(ports, { runId, action, file, comment }),
      (result) => noteChoice(world, { before, action, result, wasOffered, isSecond }),
    );
  }

  private fileToAdopt({ agentId, document }: Run): string {
    const { agents, dice, disk } = this.world;
    const elsewhere = agents.get(agentId)?.writtenTo.filter(({ path }) => path !== document?.absolutePath) ?? [];
    if (elsewhere.length === 0 || dice.chance(0.1)) return '/etc/hosts';
    const { path } = dice.pick(elsewhere);
    return disk.documents.has(path) ? path : '/etc/hosts';
  }

  /** Clicks the most helpful action that is offered for this run. Returns false if no action is offered. */
  help(run: Run, tried: Map<string, number>): boolean {
    const times = (action: RunAction): number => tried.get(`${run.id}/${action}`) ?? 0;
    const order = (action: RunAction): number => 100 * times(action) + HELPFUL.indexOf(action);
    const [best] = [...this.offered(run)].sort((one, other) => order(one) - order(other));
    if (best === undefined) return false;
    tried.set(`${run.id}/${best}`, times(best) + 1);
    this.isHelping = true;
    this.choose(run.id, best);
    this.isHelping = false;
    return true;
  }

  cancel(runId: number, _world: World): void {
    this.choose(runId, 'cancel');
  }

  succeed(agentId: number): void {
    const { world } = this;
    this.call(
      `succeed ${agentId}`,
      (ports) => succeedAgent(ports, agentId, { reason: undefined, note: undefined }),
      (result) => {
        if (isRefusal(result) && result.code === 'agent_still_active') world.saw('emergency_refused_while_it_lives');
      },
    );
  }

  dismiss(itemId: number): void {
    this.call(
      `dismiss ${itemId}`,
      (ports) => dismissInboxItem(ports, itemId),
      () => this.world.saw('item_dismissed'),
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

  /** Called when an agent asks a question on its screen. The operator answers after some time. */
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

  /** Types a draft into the agent's composer, and later sends or deletes the draft. */
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

  /** Sends a prompt while the agent is working. The client queues the prompt until the turn ends. */
  queues(agent: SimAgent, text: string): void {
    if (!agent.alive || agent.turn === undefined || agent.dialog !== undefined || agent.composer !== '') return;
    this.world.tell(`operator sends agent ${agent.agentId} behind its turn: ${text}`);
    this.world.blame(agent.agentId, 'operator_types');
    this.world.saw('prompt_waited_behind_a_turn');
    agent.submit(text);
  }

  prompts(agent: SimAgent, text: string): void {
    if (!agent.alive || agent.screen.kind !== 'ready') return;
    this.world.tell(`operator asks agent ${agent.agentId}: ${text}`);
    this.world.blame(agent.agentId, 'operator_types');
    agent.submit(text);
  }
}
