import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Agent } from '../../../src/contract/resources.ts';
import { PROGRAM } from '../../support/baton-process.ts';
import { full } from '../../surfaces/http/packages/package-scene.ts';
import { PackageProcess, type Told } from './package-process.ts';

/** Sends the examples of specification 004 verbatim between agents that have the role names from the examples. */
let scene: PackageProcess;
let agents: Record<string, Agent>;
const FILES = ['.project/02-requirements/user-stories/US-001.md', '.project/05-quality/security/review-2024-01.md'];
beforeAll(async () => {
  scene = await new PackageProcess().begin();
  for (const file of FILES) {
    mkdirSync(dirname(join(scene.projectPath, file)), { recursive: true });
    writeFileSync(join(scene.projectPath, file), '# As the seed says\n');
  }
  agents = {
    specification: await scene.addAgent('specification', 'Sue'),
    architecture: await scene.addAgent('architecture', 'Ada'),
    'security-check': await scene.addAgent('security-check', 'Sam'),
    estimation: await scene.addAgent('estimation', 'Eli'),
  };
});
afterAll(() => scene.baton.cleanUp());

const printed = (name: string): { handoff: { from: { agent: string }; to: { agent: string } } } =>
  parse(readFileSync(new URL(`../../fixtures/packages/seed-004/${name}.yaml`, import.meta.url), 'utf8'));
const agent = (name: string): Agent => {
  const found = agents[name];
  if (found === undefined) throw new Error(`no agent ${name}`);
  return found;
};
const byHttp = async (name: string): Promise<Told> => {
  const { body } = await scene.create(printed(name), agent(printed(name).handoff.from.agent));
  expect([body.error, body.state]).toEqual([undefined, 'pending']);
  return body;
};
const byCommand = async (name: string): Promise<Told> => {
  const file = scene.file(`${name}.yaml`, printed(name));
  const ran = await scene.cli(agent(printed(name).handoff.from.agent), 'package', 'create', file, '--json');
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
  return JSON.parse(ran.stdout) as Told;
};
const byTool = async (name: string): Promise<Told> => {
  const client = new Client({ name: 'a-client', version: '1' });
  const env = {
    PATH: process.env.PATH ?? '',
    BATON_HOME: scene.baton.home,
    BATON_AGENT_TOKEN: scene.token(agent(printed(name).handoff.from.agent)),
  };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'mcp'], env }));
  const { structuredContent, isError, content } = await client.callTool({
    name: 'handoff_create',
    arguments: { package: printed(name).handoff },
  });
  await client.close();
  expect([isError ?? false, JSON.stringify(content)]).toEqual([false, expect.any(String)]);
  return structuredContent as Told;
};

describe.each([
  ['by HTTP', byHttp],
  ['on the command line', byCommand],
  ['by tool', byTool],
] as const)('the printed example of a package, sent %s', (_, send) => {
  it('[004 Sequential (Workflow)] the next agent accepts and completes a sequential package', async () => {
    const { id, type } = await send('sequential');
    expect(type).toBe('sequential');
    const ada = agent('architecture');
    const got = await scene.call<{ report: { blocked: boolean } }>(ada, 'POST', `/${id}/receive`, {});
    expect(got.body.report.blocked).toBe(false);
    expect((await scene.call(ada, 'POST', `/${id}/ack`, full())).body.state).toBe('accepted');
    expect((await scene.call(ada, 'POST', `/${id}/complete`, {})).body.state).toBe('completed');
  });

  it('[004 Delegation (Specialist)] [004 Return] the return package of a specialist completes the delegation', async () => {
    const { id, type } = await send('delegation');
    expect(type).toBe('delegation');
    const sam = agent('security-check');
    await scene.call(sam, 'POST', `/${id}/receive`, {});
    expect((await scene.call(sam, 'POST', `/${id}/ack`, full())).body.state).toBe('accepted');
    const back = await send('return');
    expect(back.type).toBe('return');
    expect((await scene.call('operator', 'GET', `/${id}`)).body.state).toBe('completed');
  });

  it('[004 Escalation (Human)] the decision of a person completes an escalation', async () => {
    const { id, type } = await send('escalation');
    expect(type).toBe('escalation');
    const { seen } = (await scene.call('operator', 'GET', `/${id}`)).body;
    const decided = await scene.call('operator', 'POST', `/${id}/decide`, {
      option: 'approve',
      choice: 'B',
      reason: 'Robust first',
      seen,
    });
    expect(decided.body).toMatchObject({ state: 'completed', decision: { choice: 'B' } });
  });
});
