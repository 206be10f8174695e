import type { PackageDetail } from '../../../../src/contract/packages/package-resources.ts';
import type { Agent } from '../../../../src/domain/agents/agent.ts';
import { instantFromMs } from '../../../../src/domain/instant.ts';
import { SimWorld } from '../../../app/engine/sim-world.ts';
import { type Answered, ApiInProcess, OPERATOR } from '../api-in-process.ts';

export type Detail = PackageDetail & {
  readonly error?: string;
  readonly code?: string;
  readonly hint?: string;
  readonly findings?: { rule: string }[];
};

/** Two agents of one project, Con and Ann, and a person. Each of the three has a token. */
export class PackageScene {
  readonly world = new SimWorld();
  readonly api = new ApiInProcess(this.world.ports);
  con!: Agent;
  ann!: Agent;

  async begin(): Promise<this> {
    await this.api.listen();
    this.con = await this.world.addAgent();
    await this.addPersona('Ann');
    this.ann = await this.world.addAgent({ personaId: 2 });
    this.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'a'.repeat(64), bytes: 120 });
    return this;
  }

  addPersona(name: string): Promise<unknown> {
    const createdAt = instantFromMs(this.world.nowMs);
    return this.world.ports.store.write((tx) =>
      tx.insertPersona(
        { role: 'reviewer', name, status: 'active', createdAt },
        (id) => `reviewer-${name.toLowerCase()}-${id}`,
      ),
    );
  }

  token(agent: Agent): string {
    return this.world.ports.agentToken(agent.sessionUuid);
  }

  as(agent: Agent | 'operator'): string {
    return agent === 'operator' ? OPERATOR : this.token(agent);
  }

  post<T = Detail>(by: Agent | 'operator', path: string, body: unknown = {}): Promise<Answered<T>> {
    return this.api.call<T>('POST', `/api/packages${path}`, body, this.as(by));
  }

  get<T = Detail>(by: Agent | 'operator', path: string): Promise<Answered<T>> {
    return this.api.call<T>('GET', `/api/packages${path}`, undefined, this.as(by));
  }

  create(
    by: Agent | 'operator' = this.con,
    given: unknown = delegation(),
    more: object = {},
  ): Promise<Answered<Detail>> {
    return this.post(by, '', { package: given, ...more });
  }

  /** Accepts the package as a receiver does: reads it, then acknowledges it in full. */
  async accept(by: Agent, id: string): Promise<Detail> {
    await this.post(by, `/${id}/receive`);
    return (await this.post(by, `/${id}/ack`, full())).body;
  }

  events(): { type: string; data: Record<string, unknown> }[] {
    return this.world.ports.store.read((tx) => tx.eventsAfter(0, 1_000)).map(({ type, data }) => ({ type, data }));
  }
}

export const full = (task = 'Report the risks of the API in docs/api.md') => ({
  acknowledgment: { received: true, understood: { task }, questions: [], starting: true },
});

export const delegation = (over: object = {}) => ({
  from: { agent: 'developer-con-1', step: 3 },
  to: { agent: 'reviewer-ann-2', reason: 'Need a security review before the API is final' },
  context: {
    summary: 'API architecture defined in docs/api.md: 12 endpoints, JWT sessions.',
    artifacts: [{ path: 'docs/api.md', type: 'spec', description: 'The API', role: 'referenced' }],
    open_questions: [],
  },
  expectations: {
    deliverable: 'Risk report on the 12 endpoints',
    constraints: ['Focus on authentication and sensitive data'],
    success_criteria: ['No unaddressed critical risks'],
  },
  ...over,
});

export const gatePackage = (over: object = {}) => ({
  from: { agent: 'developer-con-1' },
  to: { agent: 'human', reason: 'BLOCKING gate reached' },
  gate: { type: 'blocking', name: 'API approved', step: 3, contact: 'lead' },
  context: {
    summary: 'API architecture defined in docs/api.md: 12 endpoints, JWT sessions.',
    artifacts: [{ path: 'docs/api.md', type: 'spec', description: 'The API', role: 'referenced' }],
  },
  validation_request: {
    items: ['The 12 endpoints are complete', 'JWT lifetime of 15 minutes is right'],
    options: { approve: 'Continue with step 4', reject: 'Adjust the API', question: 'Ask back' },
  },
  ...over,
});

export const escalation = (over: object = {}) => ({
  from: { agent: 'developer-con-1' },
  to: { agent: 'human', reason: 'Business decision required' },
  context: {
    summary: 'Two approaches, A and B, are compared in docs/api.md with 3 trade-offs.',
    decisions: [{ id: 'pending', decision: 'Approach A (fast) or B (robust)', rationale: 'Depends on priority' }],
    open_questions: [{ question: 'Which comes first: A or B?', priority: 'high' }],
  },
  expectations: { deliverable: 'A choice between A and B, with its reason' },
  ...over,
});

export const returnPackage = (over: object = {}) => ({
  from: { agent: 'reviewer-ann-2', step: null },
  to: { agent: 'developer-con-1', reason: 'Security review completed' },
  context: {
    summary: '2 risks identified in docs/api.md, 2 recommendations provided.',
    artifacts: [{ path: 'docs/api.md', type: 'spec', description: 'The API', role: 'referenced' }],
    decisions: [{ id: 'SEC-001', decision: 'JWT with refresh token rotation', rationale: 'Security and UX balance' }],
    open_questions: [],
  },
  ...over,
});
