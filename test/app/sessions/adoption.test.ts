import { beforeEach, describe, expect, it } from 'vitest';
import { releaseAgent } from '../../../src/app/agents/release-agent.ts';
import { startAgent } from '../../../src/app/agents/start-agent.ts';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import { perform } from '../../../src/app/engine/effects/perform.ts';
import { stillWanted } from '../../../src/app/engine/effects/still-wanted.ts';
import { createHealth } from '../../../src/app/engine/health.ts';
import { createReconciler } from '../../../src/app/engine/reconcile.ts';
import { changeDefaultPersona } from '../../../src/app/personas/default-persona.ts';
import { givePersona } from '../../../src/app/personas/give-persona.ts';
import type { SpooledSession } from '../../../src/app/ports/spool.ts';
import { adoptExternalSession } from '../../../src/app/sessions/adopt-session.ts';
import { listExternalSessions } from '../../../src/app/sessions/list-external-sessions.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { hasHadPersona } from '../../../src/domain/agents/agent.ts';
import type { Effect } from '../../../src/domain/effects.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { SimWorld } from '../engine/sim-world.ts';

const SLUG = 'developer-con-1';
const SOCKET = '/tmp/own';
const PID = 42;

describe('the adoption of an external session', () => {
  let sim: SimWorld;
  beforeEach(async () => {
    sim = new SimWorld();
    sim.status = { status: 'idle' };
    // Add an ended agent only to create its persona and its project.
    await sim.addAgent({ state: 'ended' });
    sim.processes.set(PID, sim.nowMs - 500);
    const identity = { serverPid: 7, serverStartedAt: 9, paneId: '%3', panePid: 41, tag: '' };
    const outside = { socket: SOCKET, session: 'work', pid: PID, mark: `mark-${sim.nowMs - 500}` };
    sim.outside.set(SOCKET, {
      server: { serverPid: 7, serverStartedAt: 9 },
      panes: [{ identity, sessionName: 'work', dead: false }],
    });
    sim.inspection = { found: 'pane', pane: { ...identity, outside } };
    await tell('SessionStart', 's-1');
  });

  let files = 0;
  const tell = async (event: string, sessionId: string, over: Partial<SpooledSession> = {}) => {
    sim.hooks.push({
      key: `0-${++files}`,
      runtime: 'sim',
      event,
      payload: { session_id: sessionId, cwd: '/p', transcript_path: '/t' },
      pid: PID,
      tmux: { socket: SOCKET, pane: '%3' },
      hooks: 2,
      writtenAtMs: sim.nowMs,
      ...over,
    });
    await drainSpool(sim.ports);
  };
  const adopt = (sessionId = 's-1', persona: string | null | undefined = SLUG) =>
    adoptExternalSession(sim.ports, { sessionId, runtime: undefined, persona });
  const codeOf = async (answer: Promise<unknown>) => {
    const got = await answer;
    return isRefusal(got) ? got.code : 'done';
  };
  const effects = (): readonly Effect[] =>
    sim.ports.store.read((tx) => tx.pendingEffects()).map(({ effect }) => effect);
  /** Performs the pending effects one after another, as the effect runner does. */
  const carryOut = async (): Promise<void> => {
    for (const { id, effect } of sim.ports.store.read((tx) => tx.pendingEffects())) {
      const facts = stillWanted(sim.ports, effect) ? await perform(sim.ports, effect) : [];
      await sim.record(...facts);
      await sim.ports.store.write((tx) => tx.finishEffect(id, sim.ports.clock.now()));
    }
  };
  const adopted = async (persona: string | null = SLUG): Promise<Agent> => {
    const agent = (await adopt('s-1', persona)) as Agent;
    await carryOut();
    return sim.agent(agent.id);
  };
  const inbox = () => sim.ports.store.read((tx) => tx.openInboxItems());
  const look = () => createReconciler(sim.ports, createHealth(sim.ports)).look();

  it('an adoption enables the hooks of the session and types the skill once', async () => {
    const begun = (await adopt()) as Agent;
    expect(begun).toMatchObject({ state: 'starting', adoption: 'adopted', clientPid: PID, runtimeSessionId: 's-1' });
    expect([sim.claimed, [...sim.heard]]).toEqual([[], []]);
    await carryOut();
    const agent = sim.agent(begun.id);
    expect(agent).toMatchObject({ state: 'idle', pane: { paneId: '%3', outside: { socket: SOCKET, pid: PID } } });
    expect(sim.claimed).toEqual([agent.pane?.tag]);
    expect([...sim.heard]).toEqual([[agent.id, PID]]);
    await carryOut();
    expect(sim.typed.filter(({ id }) => id.endsWith('-skill'))).toHaveLength(1);
    expect(await listExternalSessions(sim.ports)).toEqual([]);
    expect(await codeOf(adopt())).toBe('already_adopted');
    await tell('SessionStart', 's-2');
    expect(await codeOf(adopt('s-2'))).toBe('already_adopted');
  });

  it('if a crash makes Baton repeat an adoption, no second agent is created', async () => {
    const { id } = (await adopt()) as Agent;
    const [effect] = effects();
    if (effect === undefined) throw new Error('nothing was wished');
    await perform(sim.ports, effect);
    await sim.record(...(await perform(sim.ports, effect)));
    expect([sim.agent(id).state, new Set(sim.claimed).size, sim.heard.size]).toEqual(['idle', 1, 1]);
  });

  it.each<[string, () => void]>([
    ['another Baton was quicker', () => Object.assign(sim, { claimable: false })],
    ['its process ended meanwhile', () => sim.processes.clear()],
    ['another process has its number meanwhile', () => sim.processes.set(PID, sim.nowMs)],
  ])("if an adoption fails because %s, Baton ignores the session's hooks", async (_what, happens) => {
    const { id } = (await adopt()) as Agent;
    happens();
    await carryOut();
    expect(sim.agent(id)).toMatchObject({ state: 'ended', stateReason: expect.stringContaining('was not adopted') });
    expect(inbox()).toMatchObject([
      {
        sentence: expect.stringMatching(/\(agent \d+\) was not adopted: /),
        hint: expect.stringContaining('baton agent adopt s-1'),
      },
    ]);
    await look();
    expect([...sim.heard]).toEqual([]);
  });

  it('several simultaneous adoption requests create one agent', async () => {
    const answers = await Promise.all([codeOf(adopt()), codeOf(adopt()), codeOf(adopt())]);
    expect(answers.sort()).toEqual(['already_adopted', 'already_adopted', 'done']);
    expect(effects()).toHaveLength(1);
  });

  it('an adoption is refused if the session is unknown, ended or already adopted', async () => {
    expect(await codeOf(adopt('nobody'))).toBe('candidate_not_found');
    expect(await codeOf(adopt('s-1', 'nobody-9'))).toBe('persona_not_found');
    sim.notAProject = 'no folder';
    expect(await codeOf(adopt())).toBe('bad_project_path');
    sim.notAProject = undefined;
    if (sim.inspection.found === 'pane')
      sim.inspection = { found: 'pane', pane: { ...sim.inspection.pane, tag: 'agent-1-other' } };
    expect(await codeOf(adopt())).toBe('already_adopted');
    sim.inspection = { found: 'other_terminal', detail: 'not in that pane' };
    expect(await codeOf(adopt())).toBe('candidate_elsewhere');
    await tell('SessionStart', 'bare', { tmux: null, pid: 43 });
    sim.processes.set(43, sim.nowMs);
    expect(await codeOf(adopt('bare'))).toBe('candidate_not_in_tmux');
    await tell('SessionStart', 'old', { hooks: 1, pid: 43 });
    sim.pass(1_000);
    expect(await codeOf(adopt('old'))).toBe('candidate_hooks_old');
    sim.pass(1_000);
    await tell('SessionStart', 'cleared');
    expect(await codeOf(adopt())).toBe('candidate_gone');
    sim.processes.clear();
    expect(await codeOf(adopt('cleared'))).toBe('candidate_gone');
    expect([effects(), sim.claimed]).toEqual([[], []]);
  });

  it('Baton types nothing to a released session and ignores its hooks', async () => {
    const agent = await adopted();
    // Release the session after Baton has enqueued the effect that types the skill, and before Baton has typed the
    // skill.
    expect(effects()).toMatchObject([{ kind: 'prime_agent' }]);
    expect(await releaseAgent(sim.ports, agent.id)).toMatchObject({ state: 'ended', adoption: 'released', pane: null });
    // The operator asked Baton to release the session. The inbox must therefore neither report the end of the agent nor
    // offer to resume the agent.
    expect(inbox()).toEqual([]);
    await carryOut();
    expect([sim.typed, sim.released, [...sim.heard]]).toEqual([[], [agent.pane?.tag], []]);
    // The session belongs to the operator, so Baton must not end it.
    expect(sim.ended).toEqual([]);
    // A hook that was already on its way when the session was released must have no effect.
    const token = `token-${agent.sessionUuid}`;
    const payload = { session_id: 's-1', source: 'clear' };
    const hook = { key: 'late', agentId: agent.id, token, event: 'SessionStart', clientPid: PID, given: null };
    sim.hooks.push({ ...hook, payload, writtenAtMs: sim.nowMs });
    await drainSpool(sim.ports);
    expect(sim.agent(agent.id).state).toBe('ended');
    expect(await codeOf(releaseAgent(sim.ports, agent.id))).toBe('agent_not_active');
    expect((await listExternalSessions(sim.ports)).map(({ sessionId, whyNot }) => [sessionId, whyNot])).toEqual([
      ['s-1', null],
    ]);
    expect((await adopted()).id).not.toBe(agent.id);
    expect(await codeOf(releaseAgent(sim.ports, 1))).toBe('agent_not_adopted');
  });

  it('if a session was released after a /clear, the list of external sessions shows the new session id', async () => {
    const agent = await adopted();
    sim.hook(agent, 'SessionStart', { session_id: 's-2', source: 'clear', transcript_path: '/t2' });
    await drainSpool(sim.ports);
    sim.pass(1_000);
    await releaseAgent(sim.ports, agent.id);
    await carryOut();
    const [latest] = await listExternalSessions(sim.ports);
    expect(latest).toMatchObject({ sessionId: 's-2', folder: '/p', transcriptPath: '/t2', whyNot: null });
    expect(await codeOf(adopt('s-2'))).toBe('done');
  });

  it('a release is refused during a handoff', async () => {
    const agent = await adopted();
    await sim.handOver(agent.id);
    expect(await codeOf(releaseAgent(sim.ports, agent.id))).toBe('agent_in_handoff');
  });

  it('the context use of an adopted agent is read from its transcript', async () => {
    const agent = await adopted(null);
    const runtime = sim.ports.runtimes.get('sim');
    const use = { usedPercent: 40, usedTokens: 4, windowTokens: 10 };
    Object.assign(runtime ?? {}, { contextInTranscript: async () => use });
    await look();
    expect(sim.agent(agent.id).context).toMatchObject(use);
    const { lastSeenAt } = sim.agent(agent.id);
    sim.pass(1_000);
    await look();
    expect(sim.agent(agent.id).lastSeenAt).toBe(lastSeenAt);
  });

  it('an adopted agent ends when its client process ends', async () => {
    const agent = await adopted(null);
    sim.processes.clear();
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'ended' });
    await carryOut();
    await look();
    expect([sim.released, [...sim.heard]]).toEqual([[agent.pane?.tag], []]);
  });

  it("an adopted agent keeps its state while the operator's tmux does not answer", async () => {
    const agent = await adopted(null);
    sim.broken.add('outside');
    await look();
    expect(sim.agent(agent.id).state).toBe('idle');
    sim.broken.clear();
    sim.outside.set(SOCKET, { server: undefined, panes: [] });
    await look();
    expect(sim.agent(agent.id)).toMatchObject({ state: 'lost' });
  });

  it('if a crash disabled the hooks of an adopted agent, Baton enables them again', async () => {
    const agent = await adopted(null);
    sim.heard.clear();
    sim.heard.set(99, 1);
    await look();
    expect([...sim.heard]).toEqual([[agent.id, PID]]);
  });

  it("an adoption without a persona in the request uses the project's default persona", async () => {
    const { projectId } = await adopted(null);
    expect(sim.agent(2).personaId).toBeNull();
    await changeDefaultPersona(sim.ports, projectId, SLUG);
    await releaseAgent(sim.ports, 2);
    await carryOut();
    expect((await listExternalSessions(sim.ports))[0]?.defaultPersona).toBe(SLUG);
    expect(await adopt('s-1', undefined)).toMatchObject({ personaId: 1 });
  });
});

describe('replacing the persona of an agent', () => {
  it('[002 FR17] an agent that got another persona is in the lineages of both personas', async () => {
    const sim = new SimWorld();
    const agent = await sim.addAgent();
    const zoe = await sim.ports.store.write((tx) =>
      tx.insertPersona(
        { role: 'qa', name: 'Zoe', status: 'active', createdAt: sim.ports.clock.now() },
        () => 'qa-zoe-2',
      ),
    );
    expect(await givePersona(sim.ports, agent.id, { slug: zoe.slug, replace: false })).toMatchObject({
      code: 'agent_has_persona',
    });
    const given = (await givePersona(sim.ports, agent.id, { slug: zoe.slug, replace: true })) as Agent;
    expect(given).toMatchObject({ personaId: zoe.id, priming: { status: 'typing' } });
    expect([hasHadPersona(given, 1), hasHadPersona(given, zoe.id), hasHadPersona(given, 9)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(sim.notices('persona_changed')).toMatchObject([{ slug: zoe.slug, from: SLUG }]);
    // Give the agent its first persona back before Baton types the skill of the second persona. Baton must then type
    // only the skill of the first persona.
    await givePersona(sim.ports, agent.id, { slug: SLUG, replace: true });
    const wished = sim.ports.store
      .read((tx) => tx.pendingEffects())
      .map(({ effect }) => effect)
      .filter(({ kind }) => kind === 'prime_agent');
    expect(wished.map((effect) => stillWanted(sim.ports, effect))).toEqual([false, true]);
    expect(new Set(wished.map((effect) => ('ref' in effect ? effect.ref : '')))).toHaveProperty('size', 2);
  });
});

describe('the default persona of a project', () => {
  it('a new agent without a persona in the request gets the default persona of its project', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    const start = (personaSlug: string | null | undefined) =>
      startAgent(sim.ports, { projectId: 1, personaSlug, runtime: 'sim' });
    expect(await start(undefined)).toMatchObject({ personaId: null });
    expect(await changeDefaultPersona(sim.ports, 1, SLUG)).toMatchObject({ defaultPersonaId: 1 });
    expect(await start(undefined)).toMatchObject({ personaId: 1 });
    expect(await start(null)).toMatchObject({ personaId: null });
    expect(sim.notices('project_default_persona_changed')).toEqual([{ projectId: 1, slug: SLUG }]);
    await changeDefaultPersona(sim.ports, 1, SLUG);
    expect(sim.notices('project_default_persona_changed')).toHaveLength(1);
    expect(await changeDefaultPersona(sim.ports, 1, 'nobody-1')).toMatchObject({ code: 'persona_not_found' });
    expect(await changeDefaultPersona(sim.ports, 9, null)).toMatchObject({ code: 'project_not_found' });
    await changeDefaultPersona(sim.ports, 1, null);
    expect(await start(undefined)).toMatchObject({ personaId: null });
  });
});
