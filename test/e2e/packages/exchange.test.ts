import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { SealedPackage } from '../../../src/contract/packages/package.ts';
import { PACKAGE_TOOLS } from '../../../src/contract/packages/package-tools.ts';
import type { Agent, Event, Persona, Project } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import type { Told } from './package-process.ts';

/**
 * Two agents in tmux turn a specification into an architecture, with their package tools alone. A person approves the
 * architecture on the command line. The evidence is Baton's log and files, and the agents' own logs.
 */
const baton = new BatonProcess();
let project = '';
let projectId = 0;
let ada: Agent;
let sam: Agent;

const ARCHITECT = 'architect-ada-1';
const CHECKER = 'security-check-sam-2';

beforeAll(async () => {
  await baton.start();
  project = baton.project();
  mkdirSync(join(project, 'docs'));
  writeFileSync(join(project, 'docs/spec.md'), '# Specification\n12 endpoints\n');
  const packages = {
    Ada: { writes: 'docs/architecture.md', delegateTo: CHECKER, gate: 'Architecture approved' },
    Sam: { writes: 'docs/security.md' },
  };
  writeFileSync(join(project, '.practice.json'), JSON.stringify({ packages, contextWindow: 200_000, thinkMs: 20 }));
  projectId = (await baton.call<Project>('POST', '/api/projects', { path: project })).body.id;
  ada = await begin('architect', 'Ada');
  sam = await begin('security-check', 'Sam');
});
afterAll(() => baton.cleanUp());

async function begin(role: string, name: string): Promise<Agent> {
  const { body: persona } = await baton.call<Persona>('POST', '/api/personas/register', { role, name });
  const { body } = await baton.call<Agent>('POST', '/api/agents', { project_id: projectId, persona: persona.slug });
  return baton.ready(body.id, true);
}

/** Runs a `baton` command as the operator and returns the JSON output. */
async function person(...argv: readonly string[]) {
  const { BATON_AGENT_TOKEN: _, ...env } = process.env;
  const ran = await run(process.execPath, [PROGRAM, ...argv, '--json'], { ...env, BATON_HOME: baton.home });
  if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr);
  return JSON.parse(ran.stdout) as Told & { packages: Told[] };
}

const specification = (name: string) => ({
  handoff: {
    type: 'sequential',
    from: { agent: 'human', step: 1 },
    to: { agent: ARCHITECT, reason: 'The specification is approved, the architecture follows' },
    context: {
      summary: `Specification of 12 endpoints in docs/spec.md, approved (${name}).`,
      decisions: [{ id: 'D-001', decision: 'JWT sessions of 15 minutes', rationale: 'Nothing to revoke' }],
      artifacts: [{ path: 'docs/spec.md', type: 'spec', description: 'The specification', role: 'referenced' }],
      open_questions: [],
    },
    expectations: {
      deliverable: 'Architecture of the 12 endpoints in docs/architecture.md',
      constraints: [{ id: 'K-100', text: 'At most 3 services' }],
      success_criteria: ['docs/architecture.md names all 12 endpoints'],
    },
  },
});

async function seal(name: string): Promise<Told> {
  const file = join(baton.home, `spec-${name}.yaml`);
  writeFileSync(file, stringify(specification(name)));
  return person('package', 'create', file, '--project', project);
}

const chainOf = async (root: string): Promise<readonly Told[]> => (await person('package', 'chain', root)).packages;

/**
 * Waits until `fits` returns true for a package of the chain. On timeout, the error message contains the chain and the
 * failed tool calls.
 */
async function until(root: string, what: string, fits: (each: Told) => boolean): Promise<Told> {
  const end = Date.now() + 120_000;
  for (;;) {
    const chain = await chainOf(root).catch(() => []);
    const found = chain.find(fits);
    if (found !== undefined) return found;
    if (Date.now() > end) {
      const tools = [ada, sam].flatMap((agent) => callsOf(agent).filter(({ ok }) => !ok));
      throw new Error(
        `${what} never came: ${JSON.stringify(chain.map(({ id, type, state }) => [id, type, state]))} ${JSON.stringify(tools)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

interface Call {
  readonly type: string;
  readonly server: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly ok: boolean;
  readonly text: string;
  readonly tools?: readonly string[];
}

const logOf = ({ id }: Agent): readonly Call[] =>
  readFileSync(join(baton.home, 'agents', String(id), 'practice.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Call);
/** The tool calls of the given agent, from the agent's own log. */
const callsOf = (agent: Agent): readonly Call[] => logOf(agent).filter(({ type }) => type === 'mcp');
const toolsOf = (agent: Agent, ids: readonly string[]): readonly string[] =>
  callsOf(agent)
    .filter(({ ok, text, input }) => ok && ids.some((id) => text.includes(id) || input.id === id))
    .map(({ tool }) => tool);

/** The event types of each package, in the order of the log. */
async function eventsOf(ids: readonly string[]): Promise<readonly (readonly string[])[]> {
  const { events } = await baton.get<{ events: Event[] }>('/api/events?limit=1000');
  const about = (id: string) => events.filter(({ type, data }) => /^package_/.test(type) && data.packageId === id);
  return ids.map((id) => about(id).map(({ type }) => type.replace('package_', '')));
}

it('[004 Sequential (Workflow)] [004 Handoff to Human (Gate)] two agents complete a chain of packages, and a person decides the gate of the chain', {
  timeout: 240_000,
}, async () => {
  const spec = await seal('one');
  expect([spec.type, spec.state, spec.owner]).toEqual(['sequential', 'pending', 'sender']);
  const gate = await until(spec.id, 'the gate', ({ type, state }) => type === 'gate' && state === 'pending');

  const [, delegated, returned, raised] = await chainOf(spec.id);
  expect([delegated, returned, raised].map((each) => [each?.type, each?.from, each?.to, each?.state])).toEqual([
    ['delegation', ARCHITECT, CHECKER, 'completed'],
    ['return', CHECKER, ARCHITECT, 'completed'],
    ['gate', ARCHITECT, 'human', 'pending'],
  ]);
  expect(raised?.id).toBe(gate.id);
  // Until the gate is decided, the architect must stay responsible for the package with the specification.
  expect(await person('package', 'show', spec.id)).toMatchObject({ state: 'accepted', owner: 'receiver' });
  expect(readFileSync(join(project, 'docs/architecture.md'), 'utf8')).toContain('At most 3 services');
  expect(readFileSync(join(project, 'docs/security.md'), 'utf8')).toContain('At most 3 services');

  const { seen } = await person('package', 'show', gate.id);
  await person('package', 'decide', gate.id, 'approve', '--seen', seen ?? '');
  await until(spec.id, 'the end', ({ id, state }) => id === spec.id && state === 'completed');

  const ids = [spec, delegated, returned, raised].map((each) => each?.id ?? '');
  const shown = await Promise.all(ids.map((id) => person('package', 'show', id)));
  expect(shown.map(({ state, owner }) => [state, owner])).toEqual(ids.map(() => ['completed', 'sender']));
  expect(shown[0]?.results).toEqual([
    { id: 'C-001', result: 'pass', evidence: 'docs/architecture.md names C-001', checked: false },
  ]);
  expect(shown[1]?.results).toEqual([
    { id: 'C-001', result: 'pass', evidence: 'docs/security.md names C-001', checked: false },
  ]);
  expect(shown[1]?.acknowledgement).toMatchObject({ task: expect.stringContaining('Findings about docs/arch') });
  expect(shown[3]?.decision).toMatchObject({ option: 'approve', by: 'operator', channel: 'cli' });

  expect(await eventsOf(ids)).toEqual(THE_WAY);
  expect(toolsOf(ada, ids)).toEqual(ARCHITECTS_CALLS);
  expect(toolsOf(sam, ids)).toEqual(['handoff_receive', 'handoff_ack', 'handoff_return']);
  for (const agent of [ada, sam]) {
    expect(logOf(agent).find(({ type }) => type === 'mcp_server')?.tools).toEqual([...PACKAGE_TOOLS]);
    expect(callsOf(agent).filter(({ ok }) => !ok)).toEqual([]);
    // The agents must have used only their tools, and never the command line.
    expect(
      logOf(agent).filter((entry) => entry.type === 'tool' && (entry as { name?: string }).name === 'Bash'),
    ).toEqual([]);
  }
  await filesTell(ids);
});

const BETWEEN_AGENTS = ['created', 'sealed', 'announced', 'read', 'acknowledged', 'completed'];
const THE_WAY = [BETWEEN_AGENTS, BETWEEN_AGENTS, BETWEEN_AGENTS, ['created', 'sealed', 'decided', 'announced']];

const ARCHITECTS_CALLS = [
  'handoff_receive',
  'handoff_ack',
  'handoff_create',
  // Here the architect reads the return package, which completes the return package.
  'handoff_receive',
  'handoff_inbox',
  'handoff_receive',
  'handoff_create',
  // After the gate is approved, the architect completes the package with the specification.
  'handoff_inbox',
  'handoff_receive',
  'handoff_complete',
];

/**
 * Checks that the archive contains each sealed package, and that the state file contains the final state of each
 * package.
 */
async function filesTell(ids: readonly string[]): Promise<void> {
  await baton.call('POST', '/api/packages/rebuild', {});
  const sessions = join(project, '.project/07-audit/sessions');
  const found = readdirSync(sessions, { recursive: true }).map(String);
  for (const id of ids) {
    const file = found.find((name) => name.endsWith(`/handoffs/${id}.yaml`)) ?? '';
    expect(SealedPackage.parse(parse(readFileSync(join(sessions, file), 'utf8')).handoff).id).toBe(id);
  }
  expect(
    found.filter((name) => name.includes(ada.session_uuid) && /HO-\d+-\d+\.yaml$/.test(name)).length,
  ).toBeGreaterThan(1);
  const [folder = ''] = readdirSync(join(baton.home, 'data/projects'));
  const state = join(baton.home, 'data/projects', folder, 'state/current.json');
  expect(existsSync(state)).toBe(true);
  const { handoffs } = JSON.parse(readFileSync(state, 'utf8')) as { handoffs: { id: string; status: string }[] };
  expect(handoffs.filter(({ id }) => ids.includes(id)).map(({ id, status }) => [id, status])).toEqual(
    ids.map((id) => [id, 'completed']),
  );
}

it('[004 Handoff to Human (Gate)] work that a person rejected can be redone and submitted again', {
  timeout: 240_000,
}, async () => {
  const spec = await seal('rejected');
  const isOpen = ({ type, state }: Told) => type === 'gate' && state === 'pending';
  const first = await until(spec.id, 'the gate', isOpen);
  await person('package', 'decide', first.id, 'reject', '--reason', 'Name all 12 endpoints');
  const second = await until(spec.id, 'the second gate', (each) => isOpen(each) && each.id !== first.id);
  expect(readFileSync(join(project, 'docs/architecture.md'), 'utf8')).toContain('Name all 12 endpoints');
  await person('package', 'decide', second.id, 'approve');
  await until(spec.id, 'the end', ({ id, state }) => id === spec.id && state === 'completed');
  expect((await chainOf(spec.id)).filter(({ state }) => state !== 'completed').map(({ id }) => id)).toEqual([first.id]);
});

it('[F1] if Baton is killed twice during an exchange of four packages, the exchange still completes', {
  timeout: 300_000,
}, async () => {
  const spec = await seal('two');
  await until(spec.id, 'the delegation', ({ type }) => type === 'delegation');
  await baton.kill();
  await baton.start();
  const gate = await until(spec.id, 'the gate', ({ type, state }) => type === 'gate' && state === 'pending');
  const { seen } = await person('package', 'show', gate.id);
  await person('package', 'decide', gate.id, 'approve', '--seen', seen ?? '');
  await baton.kill();
  await baton.start();
  await until(spec.id, 'the end', ({ id, state }) => id === spec.id && state === 'completed');
  const chain = await chainOf(spec.id);
  expect(chain.map(({ type, state }) => [type, state])).toEqual([
    ['sequential', 'completed'],
    ['delegation', 'completed'],
    ['return', 'completed'],
    ['gate', 'completed'],
  ]);
});
