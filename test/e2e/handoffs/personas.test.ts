import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, Event, Lineage, PersonaDetail, Run } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Tests personas with the real server, tmux and practice agents, whose sessions begin with the skill. */
let baton: BatonProcess;
beforeEach(async () => {
  baton = new BatonProcess();
  await baton.start({ BATON_PRACTICE_SKILL: 'at-start' });
});
afterEach(() => baton.cleanUp());

type Refused = { error: string; code: string };
const post = <T = PersonaDetail & Refused>(path: string, body: object = {}) => baton.call<T>('POST', path, body);
const register = async (): Promise<string> =>
  (await post('/api/personas/register', { role: 'developer', name: 'Con' })).body.slug;
const give = (agent: Agent, slug: string) =>
  post<Agent & Refused>(`/api/agents/${agent.id}/persona`, { persona: slug });
const handOver = async (agentId: number): Promise<number> =>
  (await post<{ run_id: number }>(`/api/agents/${agentId}/handoff`)).body.run_id;
const cli = (...argv: string[]) =>
  run(process.execPath, [PROGRAM, ...argv], { ...process.env, BATON_HOME: baton.home });
const laidOut = (id: number) => readFileSync(join(baton.home, 'agents', String(id), 'session-start'), 'utf8');

describe('an agent that was started without a persona', () => {
  it('[H25] an agent without a persona can be handed off after it has been assigned a persona', async () => {
    const agent = await baton.agent({ persona: false });
    const slug = await register();
    expect(existsSync(join(baton.home, 'agents', String(agent.id), 'session-start'))).toBe(false);
    expect(await post(`/api/agents/${agent.id}/handoff`)).toMatchObject({ status: 400 });

    expect(await give(agent, slug)).toMatchObject({ status: 200, body: { persona: { slug }, label: 'Con' } });
    expect(laidOut(agent.id)).toContain('You are Con, developer.');
    await baton.ready(agent.id, true);
    expect(baton.accepted(agent.id, '-skill]')).toBe(1);
    expect(await give(agent, slug)).toMatchObject({ status: 409, body: { code: 'agent_has_persona' } });

    const socket = ['-S', join(baton.home, 'tmux.sock')];
    await run('tmux', [...socket, 'send-keys', '-t', agent.tmux.pane ?? '', '/clear', 'Enter']);
    const cleared = await baton.event(({ type, data }) => type === 'session_started' && data.source === 'clear');
    expect(cleared.data.skillGiven).toBe(laidOut(agent.id).split('\n')[0]);

    const over = await baton.over(await handOver(agent.id));
    expect(over, over.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    expect(over.document?.path).toContain(`data/personas/${slug}/handoffs/`);
    expect(baton.accepted(agent.id, '-skill]')).toBe(1);
    const lineage = await baton.get<Lineage>(`/api/personas/${slug}/lineage`);
    expect(lineage.agents).toMatchObject([
      { id: agent.id, state: 'ended', previous_agent_id: null, brought_back: false },
      { id: over.successor_agent_id, state: expect.not.stringMatching(/ended|lost/), previous_agent_id: agent.id },
    ]);
    expect(lineage.handoffs).toMatchObject([
      { agent_id: agent.id, persona: slug, run_id: over.id, acknowledged: true },
    ]);
  });

  it("[F19] a run is paused while the agent's client asks a question before the document is written", async () => {
    const agent = await baton.agent({ persona: false, behaviour: { handoff: 'dialog' } });
    await give(agent, await register());
    await baton.ready(agent.id, true);
    const runId = await handOver(agent.id);
    await baton.event(({ agent_id, type }) => agent_id === agent.id && type === 'input_requested');
    await expect.poll(async () => (await baton.get<Run>(`/api/runs/${runId}`)).paused_since).not.toBeNull();
    expect(baton.evidence(agent.id).filter(({ type }) => type === 'dialog_answered')).toEqual([]);
  });

  it('[H6] a working agent can be assigned a persona', async () => {
    const agent = await baton.agent({ persona: false, behaviour: { thinkMs: 300 } });
    await post(`/api/agents/${agent.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    await give(agent, await register());
    const over = await baton.over(await handOver(agent.id));
    expect(over, over.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    expect(baton.accepted(agent.id, '-skill]')).toBeLessThanOrEqual(1);
    expect(baton.accepted(agent.id, '-instruction]')).toBe(1);
  });

  it('[F1] if Baton is killed right after an agent was assigned a persona, the skill is typed once', async () => {
    const agent = await baton.agent({ persona: false });
    await give(agent, await register());
    await baton.kill();
    await baton.start({ BATON_PRACTICE_SKILL: 'at-start' });
    await baton.ready(agent.id, true);
    expect(baton.accepted(agent.id, '-skill]')).toBe(1);
  });
});

it("[H25] an archived persona's live agent can still be handed off", async () => {
  const agent = await baton.agent();
  const slug = agent.persona?.slug ?? '';
  const path = `/api/personas/${slug}`;
  const shown = await baton.get<PersonaDetail>(path);
  expect(shown).toMatchObject({ slug, status: 'active', agents: [agent.id] });

  expect(await post(`${path}/edit`, { name: 'Zoë' })).toMatchObject({ status: 200, body: { slug, name: 'Zoë' } });
  expect(await post(`${path}/edit`, { slug: 'other' })).toMatchObject({ status: 400 });
  await expect.poll(() => laidOut(agent.id)).toContain('You are Zoë, developer.');

  const save = (text: string, based_on: string | null) => post(`${path}/skill`, { text, based_on });
  const { body: saved } = await save('Be bold.\n', shown.skill.sha256);
  expect(saved.skill.text).toBe('Be bold.\n');
  expect(await save('Be meek.\n', shown.skill.sha256)).toMatchObject({
    status: 409,
    body: { code: 'persona_text_changed', error: expect.stringContaining('changed after you read it') },
  });
  expect(await save('x'.repeat(200_001), saved.skill.sha256)).toMatchObject({ status: 400 });
  expect(readFileSync(join(shown.folder, 'skill.md'), 'utf8')).toBe('Be bold.\n');
  await expect.poll(() => laidOut(agent.id)).toContain('Be bold.');

  expect((await cli('persona', 'archive', slug)).code).toBe(0);
  const refused = await cli('agent', 'start', '--project', agent.projectPath, '--persona', slug);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(`baton persona restore ${slug}`)]);
  expect(await baton.over(await handOver(agent.id))).toMatchObject({ step: 'completed', acknowledged: true });
  expect((await cli('persona', 'restore', slug)).code).toBe(0);

  const file = join(agent.projectPath, 'experience.md');
  writeFileSync(file, 'Much.\r\n');
  expect((await cli('persona', 'experience', slug, '--file', file)).code).toBe(0);
  const printed = await cli('persona', 'experience', slug, '--json');
  expect(JSON.parse(printed.stdout)).toMatchObject({ text: 'Much.\r\n' });

  const { events } = await baton.get<{ events: Event[] }>('/api/events');
  const told = events.filter(({ type }) => /^persona_/.test(type));
  expect(told.map(({ type, data }) => [type, data.slug, data.text])).toEqual([
    ['persona_registered', slug, undefined],
    ['persona_edited', slug, undefined],
    ['persona_text_saved', slug, 'skill'],
    ['persona_archived', slug, undefined],
    ['persona_restored', slug, undefined],
    ['persona_text_saved', slug, 'experience'],
  ]);
  expect(JSON.stringify(told)).not.toMatch(/Be bold|Much/);
});

it('every request about an unknown persona is refused with a reason', async () => {
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', '/lineage', undefined],
    ['POST', '/edit', { name: 'x' }],
    ['POST', '/archive', {}],
    ['POST', '/restore', {}],
    ['POST', '/skill', { text: 'x', based_on: null }],
  ] as const)
    expect(await baton.call(method, `/api/personas/nobody-1${path}`, body)).toMatchObject({
      status: 404,
      body: { code: 'persona_not_found', error: 'Persona "nobody-1" not found' },
    });
});
