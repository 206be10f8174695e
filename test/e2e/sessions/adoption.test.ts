import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PackageDetail } from '../../../src/contract/packages/package-resources.ts';
import type { Agent, Candidate, Event, InboxItem, Persona, Run } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run as spawned } from '../../support/baton-process.ts';
import { type OperatorSession, OperatorTmux, until, writeOldHooks } from '../../support/operator-tmux.ts';

type Answer = Agent & { readonly code: string; readonly error: string; readonly run_id: number };

/** Tests the built product with external sessions, which the operator started in a separate tmux server. */
describe('the adoption of a real external session', () => {
  const baton = new BatonProcess();
  const own = new OperatorTmux(baton);
  let slug = '';
  beforeAll(async () => {
    await own.installHooks();
    await baton.start();
    const { body } = await baton.call<Persona>('POST', '/api/personas/register', { role: 'developer', name: 'Con' });
    slug = body.slug;
  });
  afterAll(async () => {
    await own.cleanUp();
    await baton.cleanUp();
  });

  const adopt = (id: string, body: object = { persona: slug }) =>
    baton.call<Answer>('POST', `/api/candidates/${id}/adopt`, body);
  const adopted = async (session: OperatorSession, persona: string | null = slug) => {
    const { status, body } = await adopt(session.id, { persona });
    expect([status, body.error]).toEqual([201, undefined]);
    return baton.ready(body.id, persona !== null);
  };

  it('a handoff of an adopted session completes', async () => {
    const session = await own.seen();
    const bystander = await own.shell();
    await until('both shells and the agent are drawn', async () => (await own.screen(session.pane)).includes('❯'));
    const before = await own.everything();
    const agent = await adopted(session);
    expect(agent).toMatchObject({
      adopted: true,
      runtime: 'practice',
      project: { path: session.folder },
      tmux: { socket: own.socket, pane: session.pane },
      attach_command: `tmux -S ${own.socket} attach -t '${session.pane}'`,
    });
    expect(own.submitted(session.id, '-skill]')).toBe(1);
    const said = await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    expect(said.body).toMatchObject({ verdict: 'accepted' });
    await baton.event((event) => event.agent_id === agent.id && event.type === 'tool_used');
    const shown = await baton.get<{ lines: { text: string }[][] }>(`/api/agents/${agent.id}/screen`);
    expect(shown.lines.flat().some(({ text }) => text.includes('PLAN.md'))).toBe(true);
    await until('its context is measured', async () => {
      const { context } = await baton.get<Agent>(`/api/agents/${agent.id}`);
      return (context?.used_tokens ?? 0) > 0 && context?.window_tokens === 20_000;
    });
    await baton.ready(agent.id, true);

    const { body } = await baton.call<Answer>('POST', `/api/agents/${agent.id}/handoff`, { reason: 'shift_end' });
    const run: Run = await baton.over(body.run_id);
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true, warnings: [] });
    const successor = await baton.get<Agent>(`/api/agents/${run.successor_agent_id}`);
    expect(successor).toMatchObject({
      adopted: false,
      previous_agent_id: agent.id,
      persona: { slug },
      project: { path: session.folder },
      tmux: { socket: join(baton.home, 'tmux.sock') },
    });
    expect(own.submitted(session.id, '-instruction]')).toBe(1);
    expect(await baton.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({ state: 'ended' });

    // The operator's shell must be in the foreground again, and the pane must have no tmux options of Baton. Baton must
    // not have typed into another pane or changed another pane.
    await until('the marks are off', async () => (await own.tmux('show-options', '-p', '-t', session.pane)) === '');
    await until('the shell has the pane again', async () =>
      ['sh', 'dash', 'bash'].includes(
        await own.tmux('display-message', '-p', '-t', session.pane, '#{pane_current_command}'),
      ),
    );
    expect(await own.everything()).toBe(before);
    expect((await own.screen(bystander)).trim()).toMatch(/^\S{0,3}[#$]?$/);
    expect(readdirSync(join(baton.home, 'adopted'))).toEqual([]);
    // Baton must be able to adopt the next session in the same pane.
    expect(await adopted(await own.seen({}, session.pane), null)).toMatchObject({ adopted: true, persona: null });
  });

  it("[package P33] a package for an adopted session is announced to the session's successor", async () => {
    const registered = await baton.call<Persona>('POST', '/api/personas/register', { role: 'reviewer', name: 'Ann' });
    const ann = registered.body.slug;
    const agent = await adopted(await own.seen(), ann);
    const sent = await baton.call<PackageDetail>('POST', '/api/packages', {
      project_id: agent.project.id,
      package: {
        from: { agent: 'human' },
        to: { agent: ann, reason: 'Need a review of PLAN.md' },
        context: { summary: 'The plan in PLAN.md has 3 steps, none of them reviewed.', open_questions: [] },
        expectations: { deliverable: 'Notes on the 3 steps', success_criteria: ['Every step has 1 note'] },
      },
    });
    expect([sent.status, sent.body.state]).toEqual([201, 'pending']);
    const about = async () => {
      const { items } = await baton.get<{ items: InboxItem[] }>('/api/inbox');
      return items.filter(({ package_id }) => package_id === sent.body.id);
    };
    const [item, ...more] = await about();
    expect(more).toEqual([]);
    expect(item?.sentence).toContain(
      `waits for ${ann}, but the only agent of that name, agent ${agent.id}, was adopted`,
    );
    const { BATON_AGENT_TOKEN: _, ...env } = process.env;
    const command = [PROGRAM, 'package', 'show', sent.body.id];
    const shown = await spawned(process.execPath, command, { ...env, BATON_HOME: baton.home });
    expect(shown.stdout).toContain(item?.sentence);

    const { body } = await baton.call<Answer>('POST', `/api/agents/${agent.id}/handoff`, { reason: 'shift_end' });
    const run: Run = await baton.over(body.run_id);
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed' });
    const told = await baton.event(({ type, data }) => type === 'package_announced' && data.packageId === sent.body.id);
    expect(told.agent_id).toBe(run.successor_agent_id);
    await until('the operator is left alone', async () => (await about()).length === 0);
  });

  it('Baton ignores the hooks of a released session', async () => {
    const session = await own.seen();
    const agent = await adopted(session, null);
    const [file = ''] = readdirSync(join(baton.home, 'adopted'))
      .filter((name) => /^\d+$/.test(name))
      .slice(-1);
    expect(statSync(join(baton.home, 'adopted', file)).mode & 0o777).toBe(0o600);
    const release = () => own.cli('agent', 'release', String(agent.id), '--json');
    expect((await release()).code).toBe(0);
    expect(await baton.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({ state: 'ended', adopted: false });
    await until('the marks are off', async () => (await own.tmux('show-options', '-p', '-t', session.pane)) === '');
    await own.type(session.pane, 'Do the next step of PLAN.md.');
    await until('it goes on', async () => own.submitted(session.id, 'next step') === 1);
    expect((await release()).code).toBe(1);
    expect((await baton.call<Answer>('POST', `/api/agents/${agent.id}/messages`, { text: 'x' })).body.code).toBe(
      'agent_not_active',
    );
    await own.candidate(session.id);
    const again = await adopted(session, null);
    expect(again.id).not.toBe(agent.id);
    const { events } = await baton.get<{ events: Event[] }>('/api/events?limit=1000');
    const heard = events.filter(
      ({ agent_id, type }) => agent_id === agent.id && /^(prompt_submitted|tool_used)$/.test(type),
    );
    expect(heard).toEqual([]);
  });

  it.each(['adopt_agent:claimed', 'adopt_agent:claimed_pane', 'adopt_agent:performed', 'adopt_agent:committed'])(
    '[F36] if Baton is killed at %s, an adopted session becomes exactly one agent',
    async (point) => {
      const session = await own.seen();
      await baton.kill('SIGTERM');
      await baton.start({ BATON_CRASH_AT: `${point}#1` });
      await adopt(session.id).catch(() => undefined);
      expect(await baton.ended()).toBe('SIGKILL');
      await baton.start();
      const { agents } = await baton.get<{ agents: Agent[] }>('/api/agents?live=1');
      const mine = agents.filter(({ project }) => project.path === session.folder);
      expect(mine).toHaveLength(1);
      const agent = await baton.ready(mine[0]?.id ?? 0, true);
      expect(agent).toMatchObject({ adopted: true, tmux: { pane: session.pane } });
      expect(own.submitted(session.id, '-skill]')).toBe(1);
      const { body } = await baton.call<Answer>('POST', `/api/agents/${agent.id}/handoff`, { reason: 'shift_end' });
      await baton.step(body.run_id, 'awaiting_document');
      await baton.kill();
      await baton.start();
      const run: Run = await baton.over(body.run_id);
      expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
      expect(own.submitted(session.id, '-instruction]')).toBe(1);
    },
  );

  it('Baton records neither hooks nor prompts of a session that was not adopted', async () => {
    const session = await own.seen();
    await own.type(session.pane, 'Between the two of us: heliotrope.');
    await until('it has it', async () => own.submitted(session.id, 'heliotrope') === 1);
    const waiting = readdirSync(join(baton.home, 'spool')).filter((name) => /^\d/.test(name));
    expect(waiting).toEqual([]);
    expect(await own.candidate(session.id)).toMatchObject({ why_not: null });
    const { events } = await baton.get<{ events: { data: object }[] }>('/api/events?limit=1000');
    expect(JSON.stringify(events)).not.toContain(session.id);
    expect(JSON.stringify(events)).not.toContain('heliotrope');
  });

  it('if eight commands adopt one external session at once, the session becomes one agent', async () => {
    const session = await own.seen();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => own.cli('agent', 'adopt', session.id, '--no-persona', '--yes', '--json')),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    for (const { code, stderr, stdout } of answers.filter((each) => each.code !== 0))
      expect([code, stderr + stdout]).toEqual([1, expect.stringMatching(/already/)]);
    const { agents } = await baton.get<{ agents: Agent[] }>('/api/agents?live=1');
    expect(agents.filter(({ tmux }) => tmux.socket === own.socket && tmux.pane === session.pane)).toHaveLength(1);
  });

  it('a session that is outside tmux or has ended cannot be adopted', async () => {
    const gone = await own.seen();
    await own.type(gone.pane, '/exit');
    await until('it has ended', async () => {
      const { candidates } = await baton.get<{ candidates: Candidate[] }>('/api/candidates');
      return candidates.some(({ session_id, alive }) => session_id === gone.id && !alive);
    });
    expect((await adopt(gone.id)).body).toMatchObject({ code: 'candidate_gone' });
    expect((await adopt('nobody')).body).toMatchObject({ code: 'candidate_not_found' });

    const bare = await own.shell();
    await own.type(bare, 'unset TMUX TMUX_PANE');
    expect((await adopt((await own.seen({}, bare)).id)).body).toMatchObject({
      code: 'candidate_not_in_tmux',
      error: expect.stringContaining('does not run in tmux'),
    });

    const old = new OperatorTmux(baton, 'old');
    try {
      writeOldHooks(join(old.home, '.practice/settings.json'), join(baton.home, 'bin/baton-candidate'));
      expect((await adopt((await old.seen()).id)).body).toMatchObject({
        code: 'candidate_hooks_old',
        hint: expect.stringContaining('baton hooks install'),
      });
    } finally {
      await old.cleanUp();
    }
  });

  it('a session that reports a wrong pane or a wrong process cannot be adopted', async () => {
    const session = await own.seen();
    const stranger = await own.shell();
    const { pid } = await own.candidate(session.id);
    const lie = async (name: string, over: { socket?: string; pane?: string; pid?: number | null }) => {
      const { socket = own.socket, pane = session.pane } = over;
      const script = join(baton.home, 'bin/baton-candidate');
      const input = JSON.stringify({ session_id: name, cwd: session.folder });
      const env = { ...process.env, TMUX: `${socket},1,0`, TMUX_PANE: pane };
      spawnSync(script, ['practice', 'SessionStart', String(over.pid ?? pid), '2'], { input, env });
      await own.candidate(name);
      return (await adopt(name)).body;
    };
    expect(await lie('lie-1', { pane: stranger })).toMatchObject({
      code: 'candidate_elsewhere',
      error: expect.stringContaining(`does not run in pane ${stranger}`),
    });
    expect(await lie('lie-2', { pid: process.pid })).toMatchObject({ code: 'candidate_elsewhere' });
    expect(await lie('lie-3', { socket: join(baton.home, 'tmux.sock'), pane: '%0' })).toMatchObject({
      code: 'candidate_elsewhere',
      error: expect.stringContaining("Baton's own tmux"),
    });
    expect(await lie('lie-4', { pane: '%999' })).toMatchObject({ error: expect.stringContaining('%999') });
    expect(await lie('lie-5', { socket: '/nowhere/at/all' })).toMatchObject({
      error: expect.stringContaining('no tmux server'),
    });
    expect(existsSync('/nowhere')).toBe(false);
  });
});
