import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Agent as Connections, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonServer } from '../../scripts/bench/baton-server.mjs';
import type { Agent, Run } from '../../src/contract/resources.ts';
import { EvidenceFile } from './evidence.ts';

const READY_MS = 120_000;
const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...words]);

/**
 * Runs the built Baton in a separate process. Its practice runtime starts the zero-think agent, a small program that
 * answers at once.
 */
export class Product {
  readonly server = new BatonServer();
  readonly evidence: EvidenceFile;
  private readonly connections = new Connections({ keepAlive: true, maxSockets: 64 });
  private readonly program: string;
  private token = '';
  private projectId = 0;

  constructor(program: string) {
    this.program = program;
    const { folder, home, project } = this.server;
    const settings = { port: 0, notifications: { os: false } };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
    this.evidence = new EvidenceFile(project, join(home, 'spool'), join(folder, 'evidence'));
    // Make the project a git repository, as an operator's project is. The measured time of a handoff then includes
    // Baton's git commands.
    writeFileSync(join(project, '.gitignore'), '.zero-think\n');
    git(project, 'init', '-q');
    git(project, 'add', '.');
    git(project, 'commit', '-q', '-m', 'begin');
  }

  /** @param profile the folder for a CPU profile of the server */
  async start(profile?: string): Promise<void> {
    const nodeOptions = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    if (!(await this.server.start({ BATON_PRACTICE_PROGRAM: this.program }, nodeOptions)))
      throw new Error('the server did not start');
    this.token = this.server.operatorToken;
    this.projectId = (await this.call<{ id: number }>('POST', '/api/projects', { path: this.server.project })).id;
  }

  /** Starts agents without a persona, a few at a time. Resolves when all agents are idle. */
  async startAgents(count: number): Promise<readonly number[]> {
    return this.startAll(Array.from({ length: count }, () => null));
  }

  /** Starts agents that each have their own persona, because only an agent with a persona can be handed off. */
  async startPersonas(count: number): Promise<readonly number[]> {
    const slugs: string[] = [];
    for (let n = 0; n < count; n++) {
      const persona = { role: 'developer', name: `Bench${process.hrtime.bigint()}` };
      slugs.push((await this.call<{ slug: string }>('POST', '/api/personas/register', persona)).slug);
    }
    return this.startAll(slugs);
  }

  private async startAll(personas: readonly (string | null)[]): Promise<readonly number[]> {
    const ids: number[] = [];
    for (const persona of personas) {
      const body = { project_id: this.projectId, persona };
      ids.push((await this.call<Agent>('POST', '/api/agents', body)).id);
    }
    for (const id of ids) await this.idle(id);
    return ids;
  }

  private async idle(id: number): Promise<void> {
    for (const until = Date.now() + READY_MS; ; ) {
      const {
        state,
        state_reason: reason,
        tmux,
        skill_injected_at: skill,
        persona,
      } = await this.call<Agent>('GET', `/api/agents/${id}`);
      if (state === 'idle' && tmux.pane !== null && (persona === null || skill !== null)) return;
      if (Date.now() > until) throw new Error(`agent ${id} is ${state} (${reason})`);
      await pause(20);
    }
  }

  /** Types a message as the operator. Resolves to Baton's verdict. */
  async send(agentId: number, text: string): Promise<string> {
    const { verdict, detail } = await this.call<{ verdict: string; detail: string | null }>(
      'POST',
      `/api/agents/${agentId}/messages`,
      { text },
    );
    if (verdict !== 'accepted') throw new Error(`the message to agent ${agentId} was ${verdict}: ${detail}`);
    return verdict;
  }

  /**
   * Waits until tmux is set to close the agent's pane when the agent's program exits. Baton changes this tmux option at
   * its first reconcile after the agent's session began, at most about two seconds later.
   */
  async closesAtExit(agentId: number): Promise<void> {
    const { tmux } = await this.call<Agent>('GET', `/api/agents/${agentId}`);
    const words = ['-S', tmux.socket, 'show-options', '-p', '-v', '-q', '-t', tmux.pane ?? '', 'remain-on-exit'];
    while (execFileSync('tmux', words, { encoding: 'utf8' }).trim() !== '') await pause(50);
  }

  async trigger(agentId: number): Promise<number> {
    return (await this.call<{ run_id: number }>('POST', `/api/agents/${agentId}/handoff`, {})).run_id;
  }

  /** Resolves when the handoff run is completed, failed or cancelled. */
  async over(runId: number): Promise<Run> {
    for (const until = Date.now() + READY_MS; ; ) {
      const run = await this.call<Run>('GET', `/api/runs/${runId}`);
      if (run.over) return run;
      if (Date.now() > until) throw new Error(`run ${runId} is still at ${run.step}`);
      await pause(20);
    }
  }

  async close(): Promise<void> {
    this.connections.destroy();
    await this.server.cleanUp();
  }

  /**
   * Sends a request over a connection that stays open, so that connecting is not part of a measured time. The server
   * closes a connection that was idle for five seconds. If it does so just when the request is sent, the request is
   * sent again, because the server has not read it.
   */
  private call<T>(method: string, path: string, body?: object): Promise<T> {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    const socketPath = join(this.server.home, 'baton.sock');
    return new Promise((resolve, reject) => {
      const sent = request({ socketPath, method, path, headers, agent: this.connections }, (answer) => {
        let json = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          json += chunk;
        });
        answer.on('end', () => {
          if ((answer.statusCode ?? 0) < 300) resolve(JSON.parse(json) as T);
          else reject(new Error(`${method} ${path}: ${json}`));
        });
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const wasIdle = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
        if (wasIdle) this.call<T>(method, path, body).then(resolve, reject);
        else reject(error);
      });
      sent.end(text);
    });
  }
}
