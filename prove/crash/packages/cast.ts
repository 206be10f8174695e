import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { stringify } from 'yaml';
import type { PackageDetail, PackageList, PackageRow } from '../../../src/contract/packages/package-resources.ts';
import type { Agent, Persona, Project } from '../../../src/contract/resources.ts';
import { run as execute } from '../../../test/support/baton-process.ts';
import type { Lane } from '../lane.ts';
import { evidenceOf } from '../scenarios.ts';
import { archiveOf, NOWHERE } from './archive.ts';

/**
 * The roles in the scripted exchange of packages. Each role is a persona. The test makes the calls that the tools of
 * the role's agent would make.
 */
export const PARTS = ['specification', 'architecture', 'security-check'] as const;
export type Part = (typeof PARTS)[number];

type Told = PackageDetail & { readonly error?: string; readonly code?: string };

/** Thrown when Baton refuses a call that the script expects to succeed. */
export class Refused extends Error {}

/** Thrown when an expected result has not come within the time limit. */
export class Overdue extends Error {}

/** Thrown when a package in the store is missing in the archive, or differs from the archive. */
export class Lost extends Error {}

const PATIENCE_MS = 60_000;
const POLL_MS = 60;
export const SPEC = 'docs/spec.md';
export const DESIGN = 'docs/design.md';

/**
 * The agents and the operator of one scripted exchange of packages, in a project of its own with a workflow of three
 * steps.
 */
export class Cast {
  readonly lane: Lane;
  readonly projectPath: string;
  projectId = 0;
  readonly slugs = new Map<Part, string>();
  /** For each role, the agent that has the role now. */
  readonly agents = new Map<Part, Agent>();
  /** All agents that this exchange of packages ever started. */
  readonly everybody: Agent[] = [];
  /** For each agent and package, the number of notifications that the script expects. The key is `AGENT HO-…`. */
  readonly tellings = new Map<string, number>();
  /** The packages whose creation the server confirmed with a status 2xx. */
  readonly made = new Set<string>();
  private keys = 0;

  constructor(lane: Lane) {
    this.lane = lane;
    this.projectPath = lane.baton.project();
  }

  async begin(): Promise<void> {
    mkdirSync(join(this.projectPath, 'docs'));
    mkdirSync(join(this.projectPath, '.project'));
    this.write(SPEC, '# Specification\n3 epics, 11 user stories\n');
    this.write(DESIGN, '# Design\n4 components\n');
    this.projectId = (await this.lane.post<Project>('/api/projects', { path: this.projectPath })).id;
    for (const part of PARTS) {
      const { slug } = await this.lane.post<Persona>('/api/personas/register', { role: part, name: 'Kim' });
      this.slugs.set(part, slug);
    }
    const steps = [
      { step: 'specify', persona: this.slug('specification'), gate: GATE },
      { step: 'design', persona: this.slug('architecture'), deliverable: 'A design with 4 components' },
      { step: 'check', persona: this.slug('security-check'), deliverable: 'A report on the risks of 4 components' },
    ];
    writeFileSync(
      join(this.projectPath, '.project/workflow.yaml'),
      stringify({ workflow: { name: 'feature', steps } }),
    );
    // Start no agent for the last step of the workflow, because Baton itself must start that agent.
    for (const part of ['specification', 'architecture'] as const) await this.start(part);
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.projectPath, path), text);
  }

  slug(part: Part): string {
    return this.slugs.get(part) ?? '';
  }

  agent(part: Part): Agent {
    const found = this.agents.get(part);
    if (found === undefined) throw new Error(`no agent has the role ${part}`);
    return found;
  }

  async start(part: Part): Promise<void> {
    const wish = { project_id: this.projectId, persona: this.slug(part) };
    const known = new Set(this.everybody.map(({ id }) => id));
    const started = await this.until(`an agent for ${part} to be started`, async () => {
      const answer = await this.lane.try<Agent>('POST', '/api/agents', wish);
      // If the server died before it answered this request to start an agent, look for the agent in the list of agents.
      // Baton may have started the agent before the kill.
      return answer?.body ?? (await this.wearing(part)).find(({ id }) => !known.has(id));
    });
    await this.plays(part, started.id);
  }

  /** Waits until the agent is idle and has its skill, then gives the role to the agent. */
  async plays(part: Part, agentId: number): Promise<void> {
    const ready = await this.until(`agent ${agentId} to rest`, async () => {
      const agent = await this.lane.get<Agent>(`/api/agents/${agentId}`);
      return agent.state === 'idle' && agent.skill_injected_at !== null && agent.tmux.pane !== null && agent;
    });
    this.agents.set(part, ready);
    this.everybody.push(ready);
  }

  /** Returns the agents of this project that have this role, including agents that Baton itself started. */
  async wearing(part: Part): Promise<readonly Agent[]> {
    const { agents } = await this.lane.get<{ agents: Agent[] }>('/api/agents');
    return agents.filter(({ project, persona }) => project?.id === this.projectId && persona?.slug === this.slug(part));
  }

  /** Kills the agent's terminal together with its process. */
  async dies({ id, tmux }: Agent): Promise<void> {
    const socket = join(this.lane.baton.home, 'tmux.sock');
    await execute('tmux', ['-S', socket, 'kill-session', '-t', `=${tmux.session}`]);
    await this.until(
      `agent ${id} to end`,
      async () => (await this.lane.get<Agent>(`/api/agents/${id}`)).state === 'ended',
    );
  }

  async until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    const upMs = (): number => performance.now() - this.lane.downMs;
    for (const end = upMs() + PATIENCE_MS; upMs() < end; await pause(POLL_MS)) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
    }
    throw new Overdue(`waited in vain for ${what}`);
  }

  private token(by: Part | 'operator'): string | undefined {
    return by === 'operator' ? undefined : this.lane.baton.tokenOf(this.agent(by));
  }

  /** Repeats a call that got no answer, as an agent's tool would. */
  async call(by: Part | 'operator', path: string, body: unknown) {
    for (let unanswered = 0; ; unanswered++) {
      const answer = await this.lane.try<Told>('POST', `/api/packages${path}`, body, this.token(by));
      if (answer !== undefined) return { ...answer, unanswered };
    }
  }

  /**
   * Creates a package. A repeated call has the same idempotency key, so it creates no second package. Returns undefined
   * if Baton creates the package only after a decision about a gate of the workflow.
   */
  async create(by: Part, given: object): Promise<string | undefined> {
    const body = { package: { from: { agent: this.slug(by) }, ...given }, key: `scene-${++this.keys}` };
    const { status, body: told } = await this.call(by, '', body);
    if (told.code === 'gate_not_passed') return undefined;
    if (status !== 201) throw new Refused(`${by} could not make a package: ${told.error}`);
    this.made.add(told.id);
    return told.id;
  }

  /**
   * Makes a call about a package, and repeats the call after each kill. The server may have performed the first call,
   * although the kill prevented the answer. A refusal of the repeated call is therefore correct if the package is
   * already in the wanted state.
   */
  async act(by: Part | 'operator', id: string, verb: string, body: object, wanted: PackageRow['state']): Promise<void> {
    const { status, body: told, unanswered } = await this.call(by, `/${id}/${verb}`, body);
    const { state } = await this.look(id);
    if (status < 300 && state === wanted) return;
    if (status >= 300 && unanswered > 0 && state === wanted) return;
    throw new Refused(`${verb} of ${id} by ${by}: ${told.error ?? 'yes'}, and it is ${state} instead of ${wanted}`);
  }

  /** Reads the package, then accepts it with a complete acknowledgment. */
  async accept(by: Part, id: string): Promise<void> {
    await this.receive(by, id);
    const understood = { task: `Go on with what ${id} says` };
    const acknowledgment = { received: true, understood, questions: [], starting: true };
    await this.act(by, id, 'ack', { acknowledgment }, 'accepted');
  }

  async receive(by: Part, id: string): Promise<void> {
    const { status, body } = await this.call(by, `/${id}/receive`, {});
    if (status >= 300) throw new Refused(`${by} could not read ${id}: ${body.error}`);
  }

  async decide(id: string, option: 'approve' | 'reject' | 'question', reason: string): Promise<void> {
    const { seen } = await this.look(id);
    const wanted = { approve: 'completed', reject: 'rejected', question: 'clarifying' } as const;
    await this.act('operator', id, 'decide', { option, reason, seen }, wanted[option]);
  }

  async answer(by: Part | 'operator', id: string): Promise<void> {
    const { questions } = await this.look(id);
    const answers = questions.map((question) => ({ id: question.id, text: 'All 11 of them.' }));
    await this.act(by, id, 'answer', { answers }, 'pending');
  }

  look(id: string): Promise<PackageDetail> {
    return this.lane.get<PackageDetail>(`/api/packages/${id}`);
  }

  /** All packages of this project, oldest first. */
  async packages(): Promise<readonly PackageRow[]> {
    const { packages } = await this.lane.get<PackageList>('/api/packages?limit=1000');
    return packages
      .filter((each) => each.project_id === this.projectId)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /**
   * Returns the id of the open gate, which waits for the operator. Throws if there is no open gate or more than one.
   */
  async openGate(): Promise<string> {
    const open = (await this.packages()).filter(({ type, over }) => type === 'gate' && !over);
    if (open.length !== 1) throw new Refused(`${open.length} gates are open instead of one`);
    return open[0]?.id ?? '';
  }

  /**
   * Waits until the archive agrees with the store. Call this function right after each change, because the next change
   * rewrites the package's files and would hide a missing file.
   */
  async isArchived(): Promise<void> {
    let behind: readonly string[] = [];
    const look = async (): Promise<boolean> => {
      const rows = await this.packages();
      const archive = archiveOf(this.projectPath);
      behind = rows.flatMap(({ id, state, revision }) => {
        const [found = NOWHERE] = archive.filter((each) => each.id === id);
        const isThere = found.state === state && found.revision === revision;
        return isThere ? [] : [`${id} is ${state} (${revision}), in the archive ${found.state} (${found.revision})`];
      });
      return behind.length === 0;
    };
    await this.until('the archive', look).catch(() => {
      throw new Lost(behind.join('; '));
    });
  }

  /** Waits until the agent's model has got an announcement of the package. */
  async isTold(part: Part, id: string): Promise<void> {
    const { id: agentId } = this.agent(part);
    const key = `${agentId} ${id}`;
    const times = (this.tellings.get(key) ?? 0) + 1;
    this.tellings.set(key, times);
    await this.until(`agent ${agentId} (${part}) to be told of ${id}`, async () => this.toldOf(agentId, id) >= times);
  }

  /** Counts how often the agent's model got an announcement that contains the package's id. */
  toldOf(agentId: number, id: string): number {
    return announcements(this.lane, agentId).filter((text) => text.includes(id)).length;
  }
}

export const announcements = (lane: Lane, agentId: number): readonly string[] =>
  evidenceOf(lane, agentId).flatMap(({ type, text = '' }) =>
    type === 'submitted' && text.includes('[baton:package-') ? [text] : [],
  );

const GATE = {
  type: 'blocking',
  name: 'Specification approved',
  items: ['The 11 user stories are complete', 'The 3 epics are in the right order'],
};
