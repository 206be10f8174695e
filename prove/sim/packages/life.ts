import { startAgent } from '../../../src/app/agents/start-agent.ts';
import { dismissInboxItem } from '../../../src/app/inbox/dismiss-inbox-item.ts';
import {
  acknowledgePackage,
  answerPackage,
  askAboutPackage,
  cancelPackage,
  completePackage,
  decidePackage,
  declinePackage,
  failPackage,
} from '../../../src/app/packages/act-on-package.ts';
import { createPackage, withReturnOf } from '../../../src/app/packages/create-package.ts';
import { type Asking, namesOf } from '../../../src/app/packages/package-caller.ts';
import { receivePackage } from '../../../src/app/packages/receive-package.ts';
import type { WorkflowRead } from '../../../src/app/ports/files/workflow-files.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import { isLive } from '../../../src/domain/agents/agent.ts';
import type { InboxItem } from '../../../src/domain/inbox/inbox.ts';
import { namedCriteria } from '../../../src/domain/packages/content/package.ts';
import { sealName } from '../../../src/domain/packages/content/seal-package.ts';
import { isTerminal } from '../../../src/domain/packages/record.ts';
import { isHandoffPackage, type StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import type { SimAgent } from '../agent.ts';
import { Dice } from '../dice.ts';
import { sha256 } from '../files.ts';
import type { World } from '../world.ts';
import { ANN, ARTIFACT, CON, EVE, KINDS, result, WORKFLOW, written } from './texts.ts';

const OPERATOR: Asking = { kind: 'operator', channel: 'cli' };
/** How long an agent's tool waits for an answer before it repeats the call. */
const AGAIN_MS = 3_000;
const MAX_TRIES = 40;
const KILL_AT = [
  'archive:',
  'state:',
  'package:',
  'announce_package:',
  'deliver:pasted:package',
  'deliver:settle:package',
  'deliver:entered:package',
  'receiver:started',
] as const;

/**
 * Simulates how agents and the operator handle packages. An agent acts only on packages that Baton has announced to it,
 * and the operator only on inbox items. So a package that Baton announces to nobody stays open, and the judge detects
 * it.
 */
export class PackageLife {
  readonly workflow: WorkflowRead;
  /** The archive files as Baton wrote them. `state` holds the content of `state/current.json` for each project. */
  readonly archive = new Map<string, string>();
  readonly state = new Map<number, string>();
  /** The ids of the packages whose creation Baton confirmed. The key is the mark in the package's text. */
  readonly made = new Map<string, string>();
  private readonly dice: Dice;
  private readonly world: World;
  private version = 1;
  private marks = 0;
  private isOver = false;

  constructor(world: World, seed: number) {
    this.world = world;
    // Give packages their own random numbers. If packages used the world's random numbers, a world with packages would
    // differ in all its other events as well.
    this.dice = new Dice(seed + 7_000_003);
    this.workflow = this.dice.chance(0.6) ? WORKFLOW : { kind: 'none' };
  }

  /** The personas that have an agent from the beginning. */
  get wornAtFirst(): readonly string[] {
    return this.workflow.kind === 'none' ? [ANN, EVE] : [ANN];
  }

  look(paths: readonly string[]) {
    const seen = { kind: 'file', sha256: sha256(`version ${this.version}`), bytes: 120 } as const;
    return Object.fromEntries(paths.map((path) => [path, path === ARTIFACT ? seen : ({ kind: 'missing' } as const)]));
  }

  begin(): void {
    const { dice, world } = this;
    for (let post = dice.between(2, 5); post > 0; post--)
      world.timeline.in(dice.between(100, 60_000), () => this.post());
    if (dice.chance(0.6)) {
      world.isCalm = false;
      world.kills.push({ at: dice.pick(KILL_AT), nth: dice.between(1, 6) });
    }
    this.mind();
  }

  end(): void {
    this.isOver = true;
  }

  /** All packages except those that describe a handoff run. */
  rows(): readonly StoredPackage[] {
    return this.world.store.read((tx) => tx.packages({})).filter((stored) => !isHandoffPackage(stored));
  }

  isSettled(): boolean {
    return this.world.baton?.isUp === true && this.rows().every(({ record }) => isTerminal(record));
  }

  private namesOf({ agentId }: SimAgent): readonly string[] {
    return this.world.store.read((tx) => {
      const agent = tx.agentById(agentId);
      return agent === undefined ? [] : namesOf(tx, agent);
    });
  }

  private insist<T>(
    by: SimAgent | 'operator',
    what: string,
    work: (ports: Ports, asking: Asking) => Promise<T>,
    then: (result: Exclude<T, { readonly code: string }>) => void = () => undefined,
  ): void {
    const { world } = this;
    const asking: Asking = by === 'operator' ? OPERATOR : { kind: 'agent', agentId: by.agentId };
    const who = by === 'operator' ? 'operator' : `agent ${by.agentId}`;
    let isAnswered = false;
    const attempt = (left: number): void => {
      if (isAnswered || left === 0 || (by !== 'operator' && !by.alive)) return;
      const { baton } = world;
      if (baton?.isUp)
        work(baton.ports, asking).then(
          (answer) => {
            if (isAnswered) return;
            isAnswered = true;
            world.tell(`${who}: ${what}: ${isRefusal(answer) ? `${answer.code}: ${answer.sentence}` : 'yes'}`);
            if (!isRefusal(answer)) then(answer as Exclude<T, { readonly code: string }>);
          },
          (error: unknown) => world.tell(`${who}: ${what}: ${String(error)}`),
        );
      world.timeline.in(AGAIN_MS, () => attempt(left - 1));
    };
    attempt(MAX_TRIES);
  }

  /** Lets a live agent or the operator write a package. */
  private post(): void {
    const { dice, world } = this;
    if (world.isCalm && this.isOver) return;
    const authors = [...world.agents.values()].filter(
      ({ alive, agentId }) => alive && world.row(agentId)?.registeredAt,
    );
    const by = dice.chance(0.15) ? 'operator' : dice.pick([...authors, 'operator' as const]);
    const from = by === 'operator' ? 'human' : (this.namesOf(by)[0] ?? '');
    const to = dice.pick([CON, ANN, EVE].filter((each) => each !== from));
    const inWorkflow = this.workflow.kind === 'workflow' && from !== 'human' && dice.chance(0.6);
    const kind = inWorkflow ? 'pass' : dice.pick(from === 'human' ? (['delegation', 'sequential'] as const) : KINDS);
    this.create(by, written(kind, from, to, this.mark()), kind);
  }

  private mark(): string {
    return `#${++this.marks}#`;
  }

  private create(by: SimAgent | 'operator', value: object, what: string): void {
    const mark = /#\d+#/.exec(JSON.stringify(value))?.[0] ?? '';
    const project = by === 'operator' ? { projectId: 1 } : {};
    this.insist(
      by,
      `create ${what} ${mark}`,
      (ports, asking) =>
        createPackage(ports, asking, {
          authored: { value, problems: [] },
          seal: true,
          waivers: [],
          key: mark,
          ...project,
        }),
      (stored) => this.made.set(mark, (stored as StoredPackage).record.id),
    );
  }

  /**
   * Called when Baton has notified the agent, either of one package by its id or of several packages in the agent's
   * inbox.
   */
  heard(agent: SimAgent, text: string): void {
    const isMany = /\d+ packages (wait for you|are over)/.test(text);
    const named: readonly string[] = text.match(/HO-\d{4}-\d+/g) ?? [];
    const names = this.namesOf(agent);
    const meant = this.rows().filter(({ record: { id, from, to } }) =>
      isMany ? names.includes(from) || names.includes(to) : named.includes(id),
    );
    for (const { record } of meant) this.react(agent, record.id, names);
  }

  private react(agent: SimAgent, id: string, names: readonly string[]): void {
    const { dice, world } = this;
    const stored = world.store.read((tx) => tx.packageById(id));
    if (stored === undefined) return;
    const { state, to, from, gate, decision, questions } = stored.record;
    if (state === 'pending' && names.includes(to)) this.receive(agent, id);
    const isAsked = state === 'clarifying' && names.includes(from);
    if (isAsked && !world.isCalm && !names.includes(CON) && dice.chance(0.3)) this.crash(agent);
    else if (isAsked)
      this.insist(agent, `answer ${id}`, (ports, asking) =>
        answerPackage(ports, asking, id, {
          answers: questions.map((question) => ({ id: question.id, text: 'The first 3 of the 12.' })),
        }),
      );
    // After the decision about a gate, the sender usually changes a rejected artifact. In a workflow, the sender then
    // hands the work to the next step again.
    if (gate === null || decision === null || world.isCalm || !names.includes(from)) return;
    if (state === 'rejected' && dice.chance(0.8)) this.version++;
    if (this.workflow.kind === 'workflow') this.create(agent, written('pass', from, '', this.mark()), 'pass again');
  }

  private receive(agent: SimAgent, id: string): void {
    const { dice, world } = this;
    this.insist(
      agent,
      `receive ${id}`,
      (ports, asking) => receivePackage(ports, asking, id),
      () => {
        const roll = world.isCalm ? 0 : dice.next();
        if (roll < 0.6) this.accept(agent, id);
        else if (roll < 0.8)
          this.insist(agent, `ask about ${id}`, (ports, asking) =>
            askAboutPackage(ports, asking, id, ['Which of the 12 come first?']),
          );
        else if (roll < 0.9)
          this.insist(agent, `decline ${id}`, (ports, asking) =>
            declinePackage(ports, asking, id, { code: 'overload', reason: '2 others wait' }),
          );
      },
    );
  }

  private accept(agent: SimAgent, id: string): void {
    const said = { understood: { task: `Report the risks of ${ARTIFACT}` }, questions: [], starting: true };
    this.insist(
      agent,
      `accept ${id}`,
      (ports, asking) => acknowledgePackage(ports, asking, id, said),
      () => agent.later(this.dice.between(500, 20_000), () => this.finish(agent, id)),
    );
  }

  private finish(agent: SimAgent, id: string): void {
    const { dice, world } = this;
    const stored = world.store.read((tx) => tx.packageById(id));
    if (stored?.record.state !== 'accepted') return;
    const roll = world.isCalm ? 0 : dice.next();
    const criteria = namedCriteria(stored.content).map((each) => each.id);
    if (roll < 0.6 && stored.record.type === 'delegation') this.giveBack(agent, id, criteria);
    else if (roll < 0.6)
      this.insist(agent, `complete ${id}`, (ports, asking) =>
        completePackage(ports, asking, id, { results: criteria.map((each) => ({ id: each, result: 'pass' })) }),
      );
    else if (roll < 0.75)
      this.insist(agent, `fail ${id}`, (ports, asking) => failPackage(ports, asking, id, 'No access to the service'));
    else this.crash(agent);
  }

  private crash(agent: SimAgent): void {
    const { world } = this;
    if (world.runsInFlight().some((run) => [run.agentId, run.successorAgentId].includes(agent.agentId))) return;
    world.blame(agent.agentId, 'crashed:package');
    agent.die('it crashed while it worked on a package');
  }

  private giveBack(agent: SimAgent, id: string, criteria: readonly string[]): void {
    const mark = this.mark();
    this.insist(
      agent,
      `return ${id} ${mark}`,
      (ports, asking) =>
        createPackage(ports, asking, {
          authored: { value: withReturnOf(ports, asking, id, result(mark, criteria)), problems: [] },
          seal: true,
          waivers: [],
          key: mark,
        }),
      (stored) => this.made.set(mark, (stored as StoredPackage).record.id),
    );
  }

  /** Plays the operator. Again and again, handles the inbox items about packages. */
  private mind(): void {
    const { dice, world } = this;
    if (this.isOver) return;
    const items = world.store.read((tx) =>
      this.rows().flatMap(({ record }) => tx.currentInboxItems({ packageId: record.id })),
    );
    for (const item of items) if (world.isCalm || dice.chance(0.4)) this.settle(item);
    if (!world.isCalm && dice.chance(0.1)) this.startSomebody();
    world.timeline.in(dice.between(3_000, 12_000), () => this.mind());
  }

  private settle({ id: itemId, cause }: InboxItem): void {
    const { dice, world } = this;
    if (cause.of !== 'package') return;
    const { packageId: id, what } = cause;
    const stored = world.store.read((tx) => tx.packageById(id));
    if (stored === undefined) return;
    const { record } = stored;
    const seen = sealName(record.seal, sha256) ?? '';
    if (record.state === 'pending' && record.waiter === 'human') {
      const option = world.isCalm ? 'approve' : dice.pick(['approve', 'approve', 'reject', 'question'] as const);
      const decision = { option, reason: 'The login is missing', conditions: [], seen };
      this.insist('operator', `${option} ${id}`, (ports, asking) => decidePackage(ports, asking, id, decision));
    } else if (record.state === 'clarifying' && what.startsWith('answer/'))
      this.insist('operator', `answer ${id}`, (ports, asking) =>
        answerPackage(ports, asking, id, {
          answers: record.questions.map((question) => ({ id: question.id, text: 'All 12.' })),
        }),
      );
    else if (record.state === 'accepted')
      this.insist('operator', `fail ${id}`, (ports, asking) => failPackage(ports, asking, id, 'Nobody goes on'));
    else if (isTerminal(record))
      this.insist('operator', `dismiss ${itemId}`, (ports) => dismissInboxItem(ports, itemId));
    else this.insist('operator', `cancel ${id}`, (ports, asking) => cancelPackage(ports, asking, id));
  }

  /**
   * Starts an agent with one of the personas that had an agent from the beginning, unless a live agent already has this
   * persona.
   */
  private startSomebody(): void {
    const { baton, store } = this.world;
    const personaSlug = this.dice.pick(this.wornAtFirst);
    const persona = store.read((tx) => tx.personaBySlug(personaSlug));
    const isPersonaInUse = store
      .read((tx) => tx.agents())
      .some((agent) => agent.personaId === persona?.id && isLive(agent));
    if (!isPersonaInUse && baton?.isUp)
      startAgent(baton.ports, { projectId: 1, personaSlug, runtime: 'sim' }).catch(() => undefined);
  }
}
