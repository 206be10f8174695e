import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Event, InboxItem, Persona, Project } from '../../../src/contract/resources.ts';
import { type OperatorSession, OperatorTmux } from '../../../test/support/operator-tmux.ts';
import { Lane } from '../lane.ts';

/**
 * The kinds of findings. docs/reliability/how-we-prove.md, section "At random moments", defines lost, doubled, silent
 * and stuck.
 */
export interface Finding {
  readonly offence: 'lost' | 'doubled' | 'silent' | 'stuck';
  readonly what: string;
}

export const KINDS = ['handoff', 'message', 'package', 'adoption', 'worktree'] as const;
export type Kind = (typeof KINDS)[number];

/**
 * The maximum wait for a condition. The wait is longer than the deadline of any handoff step. Time during which the
 * server is down does not count.
 */
const PATIENCE_MS = 180_000;
const POLL_MS = 100;

/**
 * A place (a working directory) that one agent after another uses. `agentId` is undefined while no message may be sent
 * to this place, for example before its agent is idle.
 */
export interface Place {
  readonly name: string;
  agentId: number | undefined;
}

/**
 * One simulated day: a Baton that is killed at random moments, the operator's own tmux server, the agents' working
 * directories, and the findings of this test.
 */
export class Day {
  readonly lane = new Lane();
  readonly own = new OperatorTmux(this.lane.baton);
  readonly findings: Finding[] = [];
  readonly places: Place[] = [];
  /** The adopted external sessions. The key is the id of the agent that the session became. */
  readonly adopted = new Map<number, OperatorSession>();
  /** For each kind of work, how often work of this kind was in progress when the server was killed. */
  readonly hit: Record<Kind, number> = { handoff: 0, message: 0, package: 0, adoption: 0, worktree: 0 };
  /** The random numbers of this simulated day. The same seed gives the same numbers. */
  readonly chance: () => number;
  readonly tell: (line: string) => void;
  /** True at the end of the day: running work is finished, and no new work begins. */
  isOver = false;
  private readonly underWay: Record<Kind, number> = { handoff: 0, message: 0, package: 0, adoption: 0, worktree: 0 };

  constructor(chance: () => number, tell: (line: string) => void) {
    this.chance = chance;
    this.tell = tell;
  }

  accuse(offence: Finding['offence'], what: string): void {
    this.findings.push({ offence, what });
    this.tell(`✗ ${offence}: ${what}`);
  }

  /** Runs `work` and counts it as in progress until it has ended. */
  async during<T>(kind: Kind, work: () => Promise<T>): Promise<T> {
    this.underWay[kind]++;
    try {
      return await work();
    } finally {
      this.underWay[kind]--;
    }
  }

  async kill(): Promise<void> {
    for (const kind of KINDS) if (this.underWay[kind] > 0) this.hit[kind]++;
    await this.lane.baton.kill();
  }

  /** Calls `look` again and again until it returns a value. Returns undefined when the time is up. */
  async until<T>(look: () => Promise<T | undefined | false>, patienceMs = PATIENCE_MS): Promise<T | undefined> {
    const upMs = (): number => performance.now() - this.lane.downMs;
    for (const end = upMs() + patienceMs; upMs() < end; await pause(POLL_MS)) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
    }
    return undefined;
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.chance() * from.length)] as T;
  }

  rest(mostMs: number): Promise<unknown> {
    return pause(Math.round(this.chance() * mostMs));
  }

  async agents(): Promise<readonly Agent[]> {
    return (await this.lane.get<{ agents: Agent[] }>('/api/agents')).agents;
  }

  agent(id: number): Promise<Agent> {
    return this.lane.get<Agent>(`/api/agents/${id}`);
  }

  async inbox(): Promise<readonly InboxItem[]> {
    return (await this.lane.get<{ items: InboxItem[] }>('/api/inbox')).items;
  }

  /** Returns all events of the server's log, oldest first. */
  async events(): Promise<readonly Event[]> {
    const all: Event[] = [];
    for (;;) {
      const after = all.at(-1)?.seq ?? 0;
      const { events } = await this.lane.get<{ events: Event[] }>(`/api/events?after=${after}`);
      if (events.length === 0) return all;
      all.push(...events);
    }
  }

  async persona(name: string): Promise<string> {
    return (await this.lane.post<Persona>('/api/personas/register', { role: 'developer', name })).slug;
  }

  async project(path: string): Promise<number> {
    return (await this.lane.post<Project>('/api/projects', { path })).id;
  }

  /**
   * Starts an agent as the operator would. If the call gets no answer, looks for the new agent in the list of agents.
   * `isNew` recognizes the new agent, for example by its persona.
   */
  async start(wish: object, isNew: (agent: Agent) => boolean): Promise<number> {
    for (;;) {
      const answer = await this.lane.try<Agent & { error?: string }>('POST', '/api/agents', wish);
      if (answer?.status === 201) return answer.body.id;
      if (answer !== undefined) throw new Error(`an agent was not started: ${answer.body.error}`);
      const begun = (await this.agents()).find(isNew);
      if (begun !== undefined) return begun.id;
    }
  }

  /**
   * Waits until the agent is idle and has its skill. Returns false if this does not happen in time. If the inbox then
   * has no item about the agent, records a finding.
   */
  async isReady(agentId: number, what: string): Promise<boolean> {
    const seen = await this.until(async () => {
      const agent = await this.agent(agentId);
      const rests = agent.state === 'idle' && agent.tmux.pane !== null && agent.skill_injected_at !== null;
      return rests || agent.state === 'ended' || agent.state === 'lost' ? agent : undefined;
    });
    if (seen?.state === 'idle') return true;
    const items = (await this.inbox()).filter(({ agent_id }) => agent_id === agentId);
    const { state, state_reason } = seen ?? (await this.agent(agentId));
    const how = `${what}: agent ${agentId} is ${state}, ${state_reason}`;
    if (items.length === 0) this.accuse(seen === undefined ? 'stuck' : 'silent', how);
    else this.tell(`  told: ${how}: ${items[0]?.sentence}`);
    return false;
  }

  /** Ends the agent's pane, and waits until the agent is ended or lost. */
  async end(agentId: number): Promise<void> {
    for (;;) {
      const { state } = await this.agent(agentId);
      if (state === 'ended' || state === 'lost') return;
      await this.lane.try('POST', `/api/agents/${agentId}/stop`, { force: true });
      await pause(POLL_MS);
    }
  }
}

export function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.org'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', timeout: 120_000, stdio: 'pipe' });
}
