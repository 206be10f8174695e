import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { PackageDetail } from '../../../src/contract/packages/package-resources.ts';
import type { Day, Place } from './day.ts';

/** A package. The field `acknowledged` holds the last change of the package that Baton confirmed. */
export interface Posted {
  readonly mark: string;
  id: string | undefined;
  acknowledged: 'nothing' | 'created' | 'accepted' | 'completed';
  last: string;
}

export interface PostOffice {
  readonly projectPath: string;
  readonly posted: Posted[];
}

type Told = PackageDetail & { readonly error?: string };

/**
 * The operator sends one package after another to an agent. This test makes the calls that the agent's tools would
 * make.
 */
export async function post(day: Day, office: PostOffice): Promise<void> {
  const { lane } = day;
  writeFileSync(join(office.projectPath, SCOPE), '# Scope\n5 services\n');
  const projectId = await day.project(office.projectPath);
  const persona = await day.persona('Ann');
  const place: Place = { name: 'ann', agentId: undefined };
  day.places.push(place);
  while (!day.isOver) {
    const agentId = await day.start(
      { project_id: projectId, persona },
      (agent) => agent.persona?.slug === persona && agent.ended_at === null,
    );
    if (!(await day.isReady(agentId, 'receiver'))) continue;
    place.agentId = agentId;
    const token = lane.baton.tokenOf(await day.agent(agentId));
    while (!day.isOver) {
      const mark = `pack-${String(office.posted.length + 1).padStart(4, '0')}`;
      const one: Posted = { mark, id: undefined, acknowledged: 'nothing', last: '' };
      office.posted.push(one);
      await day.during('package', () => pass(day, one, { projectId, persona, token }));
      await day.rest(1_000);
    }
  }
}

interface Parties {
  readonly projectId: number;
  readonly persona: string;
  /** The token of the agent that receives the packages. */
  readonly token: string;
}

async function pass(day: Day, one: Posted, { projectId, persona, token }: Parties): Promise<void> {
  const { lane } = day;
  const body = { project_id: projectId, key: one.mark, package: written(one.mark, persona) };
  const made = await insist(() => lane.try<Told>('POST', '/api/packages', body));
  if (made.status !== 201) throw new Error(`package ${one.mark} was refused: ${JSON.stringify(made.body)}`);
  one.id = made.body.id;
  one.acknowledged = 'created';
  await day.rest(800);
  // Repeat a call that got no answer, as an agent's tool would. Baton must perform the call only once, even if the call
  // is repeated.
  const path = `/api/packages/${one.id}`;
  await insist(() => lane.try('POST', `${path}/receive`, {}, token));
  const { body: seen } = await insist(() => lane.try<Told>('GET', path, undefined, token));
  const understood = { task: `Report the risks (${one.mark})` };
  const taken = await insist(() =>
    lane.try<Told>(
      'POST',
      `${path}/ack`,
      {
        acknowledgment: { received: true, understood, questions: [], starting: true },
      },
      token,
    ),
  );
  one.last = taken.body.error ?? '';
  if (taken.status >= 300) return;
  one.acknowledged = 'accepted';
  await day.rest(800);
  const results = seen.criteria.map(({ id }) => ({ id, result: 'pass', evidence: 'docs/risks.md' }));
  const done = await insist(() => lane.try<Told>('POST', `${path}/complete`, { results }, token));
  one.last = done.body.error ?? '';
  if (done.status < 300) one.acknowledged = 'completed';
}

async function insist<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
  }
}

/**
 * The name of the artifact in the packages. The artifact must not be PLAN.md: the messages of this test make agents
 * change PLAN.md, and Baton accepts no acknowledgment of a package whose artifact has changed.
 */
const SCOPE = 'SCOPE.md';

const written = (mark: string, persona: string) => ({
  type: 'sequential',
  from: { agent: 'human' },
  to: { agent: persona, reason: 'The scope is written, its risks are not' },
  context: {
    summary: `${SCOPE} names 5 services, all described (${mark}).`,
    artifacts: [{ path: SCOPE, type: 'doc', description: 'The scope', role: 'referenced' }],
    decisions: [],
    open_questions: [],
  },
  expectations: {
    deliverable: 'docs/risks.md with the 3 biggest risks',
    success_criteria: ['docs/risks.md exists'],
  },
});

/** Checks the packages against the files in the project's archive: the sealed packages and their records. */
export async function judgePosted(day: Day, { projectPath, posted }: PostOffice): Promise<void> {
  await day.lane.post('/api/packages/rebuild');
  const archived = archiveOf(projectPath);
  const inbox = await day.inbox();
  for (const { mark, id, acknowledged, last } of posted) {
    const ids = archived.filter(({ summary }) => summary.includes(mark));
    const what = `package ${id ?? mark} (${mark})`;
    if (ids.length > 1) day.accuse('doubled', `${what} is in the archive as ${ids.map((each) => each.id).join(', ')}`);
    if (acknowledged === 'nothing') continue;
    const [found] = ids;
    if (found === undefined || found.id !== id) {
      day.accuse('lost', `${what} was acknowledged as ${acknowledged}, but is not in the archive`);
      continue;
    }
    if (ORDER.indexOf(found.state) < ORDER.indexOf(acknowledged === 'created' ? 'pending' : acknowledged))
      day.accuse('lost', `${what} was acknowledged as ${acknowledged}, but its record says ${found.state}`);
    const isTold = inbox.some(({ package_id }) => package_id === id);
    if (found.state !== 'completed' && !isTold)
      day.accuse(ORDER.includes(found.state) ? 'stuck' : 'silent', `${what} is ${found.state}: ${last}`);
  }
}

const ORDER = ['pending', 'accepted', 'completed'];

interface Archived {
  readonly id: string;
  readonly summary: string;
  readonly state: string;
}

function archiveOf(projectPath: string): readonly Archived[] {
  const root = join(projectPath, '.project/07-audit/sessions');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /HO-[\d-]+\.yaml$/.test(name))
    .map((name) => {
      const file = join(root, name);
      const { id, context } = parse(readFileSync(file, 'utf8')).handoff;
      return { id, summary: context.summary, state: stateIn(file.replace(/\.yaml$/, '.record.yaml')) };
    });
}

const stateIn = (file: string): string => {
  const record = existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined;
  return record?.record?.state ?? record?.state ?? 'without a record';
};
