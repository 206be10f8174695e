import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent, Event, Persona, Project, Run } from '../../src/contract/resources.ts';
import { readJson } from '../../src/surfaces/socket/read-answer.ts';
import { readFrames } from '../../src/surfaces/socket/read-frames.ts';
import { type Call, sendRequest } from '../../src/surfaces/socket/send-request.ts';
import { isRunning } from './is-running.ts';

/**
 * BATON_PLANT is the name of a planted bug. If it is set, the tests run the build with this bug (scripts/build.mjs).
 */
const DIST = process.env.BATON_PLANT ? `.cache/planted/${process.env.BATON_PLANT}/dist` : 'dist';
export const PROGRAM = fileURLToPath(new URL(`../../${DIST}/main/baton.js`, import.meta.url));

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
}

/**
 * The path of dist/main/baton.js in an older build. Some tests upgrade from this build, and one test records its
 * answers.
 */
export const OLD_BUILD = process.env.BATON_OLD_BUILD;

/** The timeout of all waits is long, because the machine may be busy. */
const DEADLINE_MS = 120_000;

/** The real product in its own process and home. Tests call the product over its socket, as the command line does. */
export class BatonProcess {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'bt-')));
  /** The path of the program that `start` runs. A test of an upgrade starts with the path of an older build. */
  program = PROGRAM;
  private child: ChildProcess | undefined;
  private output = '';

  constructor(config: object = {}) {
    this.configure(config);
  }

  private configure(config: object): void {
    writeFileSync(join(this.home, 'config.json'), JSON.stringify({ port: 0, reconcile_every_ms: 300, ...config }));
  }

  /** Restarts the server with another configuration, for example with a short deadline that only one test needs. */
  async restart(config: object = {}): Promise<this> {
    await this.kill('SIGTERM');
    this.configure(config);
    return this.start();
  }

  async start(env: NodeJS.ProcessEnv = {}): Promise<this> {
    this.output = '';
    const child = spawn(process.execPath, [this.program, 'start'], {
      env: { ...process.env, BATON_HOME: this.home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    await new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer): void => {
        this.output += chunk.toString();
        if (this.output.includes('Stop:')) resolve();
      };
      child.stdout?.on('data', listen);
      child.stderr?.on('data', listen);
      child.once('exit', (code, signal) => reject(new Error(`the server ended (${code ?? signal}): ${this.output}`)));
    });
    return this;
  }

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  /** Returns everything that the server has printed so far. */
  get greeting(): string {
    return this.output;
  }

  get port(): number {
    return Number(/127\.0\.0\.1:(\d+)/.exec(this.output)?.[1]);
  }

  get token(): string {
    return readFileSync(join(this.home, 'token'), 'utf8').trim();
  }

  /** Computes an agent's token as the server does, because no file contains the token once the agent has started. */
  tokenOf({ session_uuid }: Pick<Agent, 'session_uuid'>): string {
    const secret = readFileSync(join(this.home, 'secret'), 'utf8').trim();
    return createHmac('sha256', secret).update(session_uuid).digest('hex');
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** Resolves with the signal or exit code once the server has ended. */
  async ended(): Promise<string> {
    const { child } = this;
    if (child === undefined) return 'never started';
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return child.signalCode ?? String(child.exitCode);
  }

  async cleanUp(): Promise<void> {
    await this.kill('SIGTERM');
    const socket = ['-S', join(this.home, 'tmux.sock')];
    const { stdout } = await run('tmux', [...socket, 'list-panes', '-a', '-F', '#{pane_pid}']);
    // Kill the tmux clients first. The control client of a killed Baton may hang and would keep the tmux server alive.
    const clients = await run('tmux', [...socket, 'list-clients', '-F', '#{client_pid}']);
    for (const pid of clients.stdout.split('\n').filter(Boolean))
      isRunning(Number(pid)) && process.kill(Number(pid), 'SIGKILL');
    await run('tmux', [...socket, 'kill-server']);
    // Wait until the agents have ended, because an agent that tmux is ending still writes into the home.
    await until(() =>
      stdout
        .split('\n')
        .filter(Boolean)
        .every((pid) => !isRunning(Number(pid))),
    );
    rmSync(this.home, { recursive: true, force: true });
  }

  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    token = this.token,
  ): Promise<Answer<T>> {
    return this.ask<T>({ method, path, body, token });
  }

  /** Calls the API. Rejects if the server is killed in the middle of its answer. */
  async ask<T = Record<string, unknown>>({
    token = this.token,
    headers,
    ...call
  }: Omit<Call, 'token'> & { readonly token?: string }): Promise<Answer<T>> {
    const sent = { 'content-type': 'application/json', ...headers };
    const answer = await sendRequest(this.home, { ...call, token, headers: sent, answerMs: DEADLINE_MS });
    return { status: answer.statusCode ?? 0, body: ((await readJson(answer)) ?? {}) as T };
  }

  async get<T>(path: string): Promise<T> {
    return (await this.call<T>('GET', path)).body;
  }

  /** Reads the events after event number `after`. Returns the first event for which `fits` returns true. */
  async event(fits: (event: Event) => boolean, after = 0): Promise<Event> {
    const until = Date.now() + DEADLINE_MS;
    let seq = after;
    const seen: string[] = [];
    while (Date.now() < until) {
      // A killed server breaks the stream. Once a server runs again, the next stream continues after the last event.
      for await (const event of this.eventsAfter(seq, AbortSignal.timeout(until - Date.now()))) {
        seq = event.seq;
        seen.push(event.type);
        if (fits(event)) return event;
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`no such event; seen: ${seen.slice(-30).join(', ')}`);
  }

  /**
   * Read the event stream instead of polling. When four test files polled at once, the server was mostly busy with the
   * polling.
   */
  private async *eventsAfter(seq: number, signal: AbortSignal): AsyncGenerator<Event> {
    const stream = await this.openStream(`/api/events?after=${seq}`, signal).catch(() => undefined);
    // If the stream cannot be opened, the server is not running. Yield no events in this case.
    if (stream !== undefined) for await (const { data } of readFrames(stream)) yield JSON.parse(data) as Event;
  }

  /** Opens a live stream. The caller ends it with `destroy` or with the signal. */
  async openStream(path: string, signal?: AbortSignal): Promise<IncomingMessage> {
    const headers = { accept: 'text/event-stream' };
    return sendRequest(this.home, { method: 'GET', path, token: this.token, headers, signal });
  }

  step(runId: number, step: string): Promise<Event> {
    return this.event(
      (event) =>
        event.run_id === runId && event.type === 'handoff_progress' && (event.data.to === step || over(event.data.to)),
    );
  }

  async over(runId: number): Promise<Run> {
    await this.event((event) => event.run_id === runId && event.type === 'handoff_progress' && over(event.data.to));
    return this.get<Run>(`/api/runs/${runId}`);
  }

  /** Registers a persona and a project, starts an agent with the given behavior, and waits until the agent is ready. */
  async agent({
    behaviour = {},
    persona = true,
  }: {
    behaviour?: object;
    persona?: boolean;
  } = {}): Promise<Agent & { projectPath: string }> {
    const projectPath = this.project(behaviour);
    const { body: project } = await this.call<Project>('POST', '/api/projects', { path: projectPath });
    const slug = persona
      ? (await this.call<Persona>('POST', '/api/personas/register', { role: 'developer', name: 'Con' })).body.slug
      : undefined;
    const { body: agent } = await this.call<Agent>('POST', '/api/agents', {
      project_id: project.id,
      ...(slug === undefined ? {} : { persona: slug }),
    });
    return { ...(await this.ready(agent.id, persona)), projectPath };
  }

  project(behaviour: object = {}): string {
    const path = realpathSync(mkdtempSync(join(tmpdir(), 'btp-')));
    mkdirSync(join(path, 'src'));
    writeFileSync(
      join(path, 'PLAN.md'),
      [
        '# Plan',
        ...['parser', 'printer', 'tests', 'docs', 'release'].map((item) => `- [ ] Write the ${item}`),
        '',
      ].join('\n'),
    );
    writeFileSync(join(path, '.practice.json'), JSON.stringify({ thinkMs: 20, ...behaviour }));
    return path;
  }

  async ready(agentId: number, primed: boolean): Promise<Agent> {
    const until = Date.now() + DEADLINE_MS;
    for (;;) {
      const agent = await this.get<Agent>(`/api/agents/${agentId}`);
      // Wait until the agent has a pane. The pane is in the launch report, and the session start hook may arrive before
      // this report.
      const placed = agent.state === 'idle' && agent.tmux.pane !== null;
      if (placed && (!primed || agent.skill_injected_at !== null)) return agent;
      if (Date.now() > until || agent.state === 'ended')
        throw new Error(`agent ${agentId} is ${agent.state}: ${agent.state_reason}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** The practice agent's own log, which tests trust more than Baton. */
  evidence(agentId: number): { readonly type: string; readonly text?: string; readonly [key: string]: unknown }[] {
    const text = readFileSync(join(this.home, 'agents', String(agentId), 'practice.jsonl'), 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { type: string });
  }

  /** Counts the prompts with the text `mark` that the practice agent really submitted. */
  accepted(agentId: number, mark: string): number {
    return this.evidence(agentId).filter(({ type, text }) => type === 'submitted' && text?.includes(mark)).length;
  }
}

async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  while (!holds() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 25));
}

const over = (step: unknown): boolean => ['completed', 'failed', 'cancelled'].includes(String(step));

export function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
    child.on('error', () => resolve({ code: 127, stdout, stderr }));
  });
}
