import type { Agent, Question } from '../../../src/contract/resources.ts';
import type { PackageProcess } from '../../e2e/packages/package-process.ts';
import type { BatonProcess } from '../../support/baton-process.ts';
import { delegation, full, gatePackage, returnPackage } from '../../surfaces/http/packages/package-scene.ts';

/** A package in the format of 0.1.0. In that version, each call had to repeat the hashes and the epoch. */
interface OldPackage {
  readonly id: string;
  readonly state: string;
  readonly epoch: number;
  readonly content_sha256: string;
  readonly seen: string;
  readonly to_cover: readonly { readonly id: string }[];
  readonly error?: string;
}

export interface OldHome {
  /** A run whose agent asks for permission to write its document. */
  readonly awaitingDocument: { readonly agent: Agent; readonly runId: number };
  /** A run whose document is written and waits for the operator's approval. */
  readonly awaitingReview: { readonly agent: Agent; readonly runId: number };
  /** A run that waits until its agent has finished working. */
  readonly awaitingIdle: { readonly agent: Agent; readonly runId: number };
  /** The ids of the packages, by their state in 0.1.0. */
  readonly packages: Readonly<Record<(typeof OLD_STATES)[number], string>>;
}

/**
 * The states of packages in 0.1.0, and two more names: `decided` stands for a gate with a decision, and `returned`
 * stands for a return package that its receiver has not read yet.
 */
const OLD_STATES = [
  ...(['pending', 'delivered', 'clarifying', 'accepted', 'awaiting_human', 'draft'] as const),
  ...(['completed', 'returned', 'rejected', 'cancelled', 'decided'] as const),
] as const;

/** Starts the old build. Creates three unfinished handoffs, and one package for each name in OLD_STATES. */
export async function makeOldHome(scene: PackageProcess, program: string): Promise<OldHome> {
  scene.baton.program = program;
  await scene.begin();
  const packages = await makePackages(scene);
  const { baton } = scene;
  const document = await requestHandoff(baton, await baton.agent({ behaviour: { handoff: 'dialog' } }));
  await baton.step(document.runId, 'awaiting_document');
  await question(baton, document.agent.id);
  const review = await requestHandoff(baton, await baton.agent(), { review: true });
  await baton.step(review.runId, 'recorded');
  const busy = await baton.agent();
  await baton.call('POST', `/api/agents/${busy.id}/messages`, { text: '[[practice:slow 3600000]]' });
  await baton.event(({ agent_id, data }) => agent_id === busy.id && data.to === 'working');
  const idle = await requestHandoff(baton, busy);
  await baton.step(idle.runId, 'waiting_safe_point');
  return { awaitingDocument: document, awaitingReview: review, awaitingIdle: idle, packages };
}

async function requestHandoff(baton: BatonProcess, agent: Agent, more: object = {}) {
  const wanted = { reason: 'shift_end', ...more };
  const { status, body } = await baton.call<{ run_id: number }>('POST', `/api/agents/${agent.id}/handoff`, wanted);
  if (status >= 300) throw new Error(`no handoff: ${JSON.stringify(body)}`);
  return { agent, runId: body.run_id };
}

/** Waits until the agent asks a question. */
export async function question(baton: BatonProcess, agentId: number): Promise<Question> {
  for (const end = Date.now() + 300_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const agent = await baton.get<Agent>(`/api/agents/${agentId}`);
    if (agent.question !== null) return agent.question;
  }
  throw new Error(`agent ${agentId} does not ask`);
}

async function makePackages(scene: PackageProcess): Promise<OldHome['packages']> {
  const { con, ann } = scene;
  const post = async (by: Agent | 'operator', path: string, body: object): Promise<OldPackage> => {
    const answer = await scene.call<OldPackage>(by, 'POST', path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const create = (given: object, more: object = {}) => post(con, '', { package: given, ...more });
  const receive = async (): Promise<OldPackage> => {
    const { id } = await create(delegation());
    await post(ann, `/${id}/receive`, {});
    return (await scene.call<OldPackage>(ann, 'GET', `/${id}`)).body;
  };
  const accept = async (): Promise<OldPackage> => {
    const { id, content_sha256, to_cover } = await receive();
    return post(ann, `/${id}/ack`, { ...full(), content_sha256, covered_ids: to_cover.map((each) => each.id) });
  };

  const asked = await receive();
  await post(ann, `/${asked.id}/ask`, { questions: ['Which of the two?'], content_sha256: asked.content_sha256 });
  const declined = await receive();
  await post(ann, `/${declined.id}/decline`, { code: 'out_of_scope', reason: 'not mine' });
  const returned = await accept();
  const answer = await post(ann, `/${returned.id}/return`, { package: returnPackage() });
  const results = [{ id: 'C-001', result: 'pass', evidence: '2 of 2 addressed' }];
  await post(ann, `/${returned.id}/complete`, { epoch: returned.epoch, results });
  const cancelled = await create(delegation());
  await post(con, `/${cancelled.id}/cancel`, { epoch: cancelled.epoch, note: 'not needed' });
  const decided = await create(gatePackage());
  await post('operator', `/${decided.id}/decide`, { option: 'approve', seen: decided.seen });
  return {
    clarifying: asked.id,
    rejected: declined.id,
    completed: returned.id,
    returned: answer.id,
    cancelled: cancelled.id,
    decided: decided.id,
    accepted: (await accept()).id,
    delivered: (await receive()).id,
    awaiting_human: (await create(gatePackage())).id,
    draft: (await create(delegation(), { seal: false })).id,
    pending: (await create(delegation())).id,
  };
}
