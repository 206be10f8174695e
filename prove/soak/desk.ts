import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Agent, Persona, Project, Run } from '../../src/contract/resources.ts';
import type { Restore } from '../../src/contract/restore.ts';
import { BatonProcess, run as execute } from '../../test/support/baton-process.ts';
import { type OperatorSession, OperatorTmux } from '../../test/support/operator-tmux.ts';
import { endById, waitUntilGone } from './processes.ts';

/**
 * A working directory. Several agents use it one after another: the first agent, its successors, and restored agents.
 */
export interface Place {
  readonly name: string;
  readonly folder: string;
  agentId: number;
  /** True if the agent of this working directory was lost at the reboot and not restored. */
  isEmpty: boolean;
}

/** The maximum wait for a condition. The wait is long, so that a slow machine does not count as a failure. */
const PATIENCE_MS = 120_000;
const POLL_MS = 100;
const ROLE = 'developer';

/** One Baton home, one git project, and the operator's own tmux server. */
export class Desk {
  readonly baton = new BatonProcess({ deadlines_seconds: { requested: 60, instructing: 60, verifying: 60 } });
  readonly own = new OperatorTmux(this.baton);
  readonly project = this.baton.project({ contextWindow: 200_000 });
  readonly places: Place[] = [];
  /** External sessions, by the id of the agent that each session became. */
  readonly adopted = new Map<number, OperatorSession>();
  private boots = 0;

  async open(): Promise<void> {
    git(this.project, 'init', '-q', '-b', 'main');
    git(this.project, 'add', '-A');
    git(this.project, 'commit', '-qm', 'first');
    await this.own.installHooks();
    await this.boot();
  }

  boot(): Promise<unknown> {
    this.boots++;
    return this.baton.start({ BATON_FAKE_BOOT_ID: `boot-${this.boots}` });
  }

  async hire(name: string): Promise<void> {
    const { id } = await this.post<Project>('/api/projects', { path: this.project });
    const persona = await this.persona(name);
    const agent = await this.post<Agent>('/api/agents', { project_id: id, persona, worktree: name });
    const { folder } = await this.rested(agent.id);
    this.places.push({ name, folder, agentId: agent.id, isEmpty: false });
  }

  async adopt(name: string): Promise<void> {
    const session = await this.own.seen();
    const persona = await this.persona(name);
    const agent = await this.post<Agent>(`/api/candidates/${session.id}/adopt`, { persona });
    this.adopted.set(agent.id, session);
    await this.rested(agent.id);
    this.places.push({ name, folder: session.folder, agentId: agent.id, isEmpty: false });
  }

  /** Hands off the agent of this working directory. The successor then uses the directory. Returns the finished run. */
  async handOver(place: Place): Promise<Run> {
    const { run_id } = await this.post<{ run_id: number }>(`/api/agents/${place.agentId}/handoff`, {
      reason: 'shift_end',
    });
    const run = await this.until(`run ${run_id} is over`, async () => {
      const now = await this.baton.get<Run>(`/api/runs/${run_id}`);
      return now.over ? now : undefined;
    });
    place.agentId = run.successor_agent_id ?? place.agentId;
    return run;
  }

  /**
   * Kills Baton, its tmux server and the operator's tmux server at the same time, with all processes that run in them.
   */
  async outage(): Promise<void> {
    await this.baton.kill();
    const ours = join(this.baton.home, 'tmux.sock');
    for (const socket of [ours, this.own.socket]) {
      const { stdout } = await execute('tmux', ['-S', socket, 'display-message', '-p', '#{pid}']);
      if (Number(stdout) > 0) endById(Number(stdout));
    }
    // Kill the remaining processes as well, as a machine does when it shuts down.
    for (const pid of await waitUntilGone(this.baton.home, 15_000)) endById(pid);
  }

  /** Restores the lost agents. Returns the outcome for each agent. */
  async restore(): Promise<Restore['agents']> {
    await this.until('all are known as lost', async () => (await this.live()).length === 0);
    await this.post<Restore>('/api/agents/restore', {});
    const { agents } = await this.until('the return is over', async () => {
      const now = await this.baton.get<Restore>('/api/agents/restore');
      return now.over ? now : undefined;
    });
    for (const place of this.places) {
      const back = agents.find(({ agent_id, status }) => agent_id === place.agentId && status === 'back');
      place.isEmpty = back?.resumed_as == null;
      place.agentId = back?.resumed_as ?? place.agentId;
    }
    await this.rest();
    return agents;
  }

  async agents(): Promise<readonly Agent[]> {
    return (await this.baton.get<{ agents: Agent[] }>('/api/agents')).agents;
  }

  async live(): Promise<readonly Agent[]> {
    return (await this.baton.get<{ agents: Agent[] }>('/api/agents?live=1')).agents;
  }

  /** Waits until all agents are idle. */
  async rest(): Promise<void> {
    for (const { agentId, isEmpty } of this.places) if (!isEmpty) await this.rested(agentId);
  }

  async close(): Promise<void> {
    await this.own.cleanUp();
    await this.baton.cleanUp();
  }

  private rested(agentId: number): Promise<Agent> {
    return this.until(`agent ${agentId} rests`, async () => {
      const agent = await this.baton.get<Agent>(`/api/agents/${agentId}`);
      if (agent.state === 'ended' || agent.state === 'lost')
        throw new Error(`agent ${agentId} is ${agent.state}: ${agent.state_reason}`);
      const isPrimed = agent.skill_injected_at !== null;
      return agent.state === 'idle' && agent.tmux.pane !== null && isPrimed ? agent : undefined;
    });
  }

  private async persona(name: string): Promise<string> {
    return (await this.post<Persona>('/api/personas/register', { role: ROLE, name })).slug;
  }

  private async post<T>(path: string, body: object): Promise<T> {
    const answer = await this.baton.call<T>('POST', path, body);
    if (answer.status >= 300) throw new Error(`${path} was refused: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  private async until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    for (const end = performance.now() + PATIENCE_MS; ; await pause(POLL_MS)) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      if (performance.now() > end) throw new Error(`waited too long for: ${what}`);
    }
  }
}

function git(folder: string, ...args: string[]): void {
  const who = ['-c', 'user.name=n', '-c', 'user.email=n@example.org'];
  execFileSync('git', [...who, ...args], { cwd: folder, timeout: 120_000, stdio: 'pipe' });
}
