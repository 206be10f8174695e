import { createHmac } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { PackageDetail } from '../../../src/contract/packages/package-resources.ts';
import type { Agent, Persona, Project } from '../../../src/contract/resources.ts';
import { type Answer, BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

export type Told = PackageDetail & {
  readonly error?: string;
  readonly code?: string;
  readonly findings?: { rule: string }[];
};

/** Starts the product in its own process and creates two practice agents in one project. */
export class PackageProcess {
  readonly baton: BatonProcess;
  projectPath = '';
  projectId = 0;
  con!: Agent;
  ann!: Agent;

  constructor(config: object = {}) {
    this.baton = new BatonProcess(config);
  }

  async begin(env: NodeJS.ProcessEnv = {}): Promise<this> {
    await this.baton.start(env);
    this.projectPath = this.baton.project();
    mkdirSync(join(this.projectPath, 'docs'));
    writeFileSync(join(this.projectPath, 'docs/api.md'), '# API\n12 endpoints\n');
    this.projectId = (await this.baton.call<Project>('POST', '/api/projects', { path: this.projectPath })).body.id;
    this.con = await this.addAgent('developer', 'Con');
    this.ann = await this.addAgent('reviewer', 'Ann');
    return this;
  }

  async addAgent(role: string, name: string, more: object = {}): Promise<Agent> {
    const { body: persona } = await this.baton.call<Persona>('POST', '/api/personas/register', { role, name });
    const wanted = { project_id: this.projectId, persona: persona.slug, ...more };
    const { body } = await this.baton.call<Agent>('POST', '/api/agents', wanted);
    return this.baton.ready(body.id, true);
  }

  token({ session_uuid }: Agent): string {
    const secret = readFileSync(join(this.baton.home, 'secret'), 'utf8').trim();
    return createHmac('sha256', secret).update(session_uuid).digest('hex');
  }

  /** Sends a request to the package API with the token of the agent or of the operator. */
  call<T = Told>(by: Agent | 'operator', method: string, path: string, body?: unknown): Promise<Answer<T>> {
    const token = by === 'operator' ? this.baton.token : this.token(by);
    return this.baton.call<T>(method, `/api/packages${path}`, body, token);
  }

  create(given: unknown, by: Agent | 'operator' = this.con): Promise<Answer<Told>> {
    return this.call(by, 'POST', '', { package: given, ...(by === 'operator' ? { project_id: this.projectId } : {}) });
  }

  /** Runs the command line in its own process. */
  cli(by: Agent | 'operator', ...argv: readonly string[]) {
    const { BATON_AGENT_TOKEN: _, ...env } = process.env;
    const token = by === 'operator' ? {} : { BATON_AGENT_TOKEN: this.token(by) };
    return run(process.execPath, [PROGRAM, ...argv], { ...env, BATON_HOME: this.baton.home, ...token });
  }

  file(name: string, value: unknown): string {
    const path = join(this.baton.home, name);
    writeFileSync(path, typeof value === 'string' ? value : stringify(value));
    return path;
  }
}
