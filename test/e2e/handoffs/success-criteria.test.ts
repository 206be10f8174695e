import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, Event, HandoffDetail, InboxItem, Run } from '../../../src/contract/resources.ts';
import { BatonProcess } from '../../support/baton-process.ts';

/**
 * Tests a handoff by one click. Each success criterion of specification 002, section 3.1, has its own test, with real
 * tmux, SQLite and practice agents. The agents' own logs are the evidence. The tests of section 3.2 are in
 * test/app/success-criteria.test.ts.
 */
describe('one click on Handoff', () => {
  const baton = new BatonProcess();
  let agent: Agent;
  let run: Run;
  let successor: Agent;
  let events: readonly Event[];

  const handOff = async (id: number, body: object = {}): Promise<Run> => {
    const answer = await baton.call<{ run_id: number }>('POST', `/api/agents/${id}/handoff`, body);
    expect(answer.status).toBe(200);
    return baton.over(answer.body.run_id);
  };
  const heard = (id: number, mark: string): readonly string[] =>
    baton.evidence(id).flatMap(({ type, text }) => (type === 'submitted' && text?.includes(mark) ? [text] : []));
  const seqOf = (type: string, fits: (event: Event) => boolean = () => true): number =>
    events.find((event) => event.type === type && fits(event))?.seq ?? 0;

  beforeAll(async () => {
    await baton.start();
    agent = await baton.agent();
    run = await handOff(agent.id, { reason: 'shift_end' });
    successor = await baton.get<Agent>(`/api/agents/${run.successor_agent_id}`);
    events = (await baton.get<{ events: Event[] }>('/api/events?limit=1000')).events;
  });
  afterAll(() => baton.cleanUp());

  it('[002 SC1] [002 FR6] the agent gets one instruction with the path of the document', () => {
    const instructions = heard(agent.id, '-instruction]');
    expect(instructions).toHaveLength(1);
    expect(instructions[0]).toContain(run.document?.absolute_path);
    expect(baton.evidence(agent.id).some(({ type, text }) => type === 'paste' && text?.includes('-instruction]'))).toBe(
      true,
    );
  });

  it("[002 SC2] the agent itself writes the document to a path in the folder of the agent's persona, as the instruction says", () => {
    const folder = join(baton.home, 'data/personas', agent.persona?.slug ?? '', 'handoffs');
    expect(dirname(run.document?.absolute_path ?? '')).toBe(folder);
    const written = baton.evidence(agent.id).filter(({ type, name }) => type === 'tool' && name === 'Write');
    expect(JSON.stringify(written)).toContain(run.document?.absolute_path);
    expect(readFileSync(run.document?.absolute_path ?? '', 'utf8')).toContain('handoff-end:');
  });

  it('[002 SC3] [000 Stop hook with handoff file present] [001 DoD 4] [002 FR8] after the Stop hook of the turn, Baton verifies the document on disk', () => {
    const stopped = seqOf(
      'turn_ended',
      ({ agent_id, seq }) => agent_id === agent.id && seq > seqOf('document_place_prepared'),
    );
    const checked = events.find(({ type }) => type === 'document_checked');
    expect(stopped).toBeGreaterThan(0);
    expect(checked?.seq).toBeGreaterThan(stopped);
    expect(checked?.data.result).toMatchObject({ verdict: 'good', sha256: run.document?.sha256 });
  });

  it('[002 SC4] [001 DoD 5] [002 FR9] without a document, the run halts and the agent keeps running', async () => {
    const other = await baton.agent({ behaviour: { handoff: 'ignore' } });
    const failed = await handOff(other.id);
    expect(existsSync(failed.document?.absolute_path ?? '')).toBe(false);
    expect(failed).toMatchObject({
      step: 'failed',
      handoff_id: null,
      successor_agent_id: null,
      failure: { code: 'document_missing', sentence: expect.stringContaining(`Con (agent ${other.id})`) },
    });
    const { items } = await baton.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items.filter(({ run_id }) => run_id === failed.id)).toMatchObject([
      { kind: 'failure', sentence: failed.failure?.sentence },
    ]);
    expect(await baton.get<Agent>(`/api/agents/${other.id}`)).toMatchObject({ state: 'idle', ended_at: null });
    expect(baton.evidence(other.id).some(({ type }) => type === 'command')).toBe(false);
  });

  it('[002 SC5] the handoff record has agent_id, reason, file_path and injection_prompt', async () => {
    const record = await baton.get<HandoffDetail>(`/api/handoffs/${run.handoff_id}`);
    expect(record).toMatchObject({ agent_id: agent.id, reason: 'shift_end', file_path: run.document?.path });
    expect(heard(successor.id, '-injection]')[0]).toContain(record.injection_prompt);
  });

  it('[002 SC6] [000 Graceful shutdown] [001 DoD 7] when Baton asks the agent to exit, the agent exits by itself', async () => {
    const log = baton.evidence(agent.id);
    expect(log.filter(({ type, text }) => type === 'command' && text === '/exit')).toHaveLength(1);
    expect(seqOf('session_ended', ({ agent_id }) => agent_id === agent.id)).toBeGreaterThan(0);
    expect(await baton.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({
      state: 'ended',
      ended_at: expect.any(String),
    });
  });

  it('[002 SC7] the successor has the persona of its predecessor', () => {
    expect(agent.persona).not.toBeNull();
    expect(successor.persona).toEqual(agent.persona);
  });

  it('[002 SC8] the field `previous_agent_id` of the successor is the id of its predecessor', () => {
    expect(successor.previous_agent_id).toBe(agent.id);
  });

  it('[002 SC9] [000 Sequenced delivery] [001 DoD 9] [002 FR18] the successor gets the skill of its persona before the handoff prompt', () => {
    const order = baton
      .evidence(successor.id)
      .flatMap(({ type, text }) => (type === 'submitted' ? [/-(skill|injection)\]/.exec(text ?? '')?.[1]] : []));
    expect(order).toEqual(['skill', 'injection']);
    expect(heard(successor.id, '-skill]')[0]).toContain('--- skill ---');
  });

  it('[002 SC10] [001 DoD 10] the handoff prompt names the predecessor and the path of the document', () => {
    const [prompt] = heard(successor.id, '-injection]');
    expect(prompt).toContain(`agent ${agent.id}, session ${agent.session_uuid.slice(0, 8)}`);
    expect(prompt).toContain(run.document?.absolute_path);
  });

  it('[002 SC11] a handoff needs no operator action besides the request', () => {
    expect(run, run.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true, warnings: [] });
    expect(events.filter(({ type }) => type === 'operator_chose' || type === 'message_begun')).toEqual([]);
  });

  it('[002 SC12] a later handoff does not change an earlier document of the persona', async () => {
    const first = readFileSync(run.document?.absolute_path ?? '');
    const next = await handOff(successor.id);
    expect(next, next.failure?.sentence).toMatchObject({ step: 'completed', acknowledged: true });
    const folder = dirname(run.document?.absolute_path ?? '');
    const paths = [run, next].map(({ document }) => document?.absolute_path ?? '');
    expect(
      readdirSync(folder)
        .map((name) => join(folder, name))
        .sort(),
    ).toEqual(paths.sort());
    expect(readFileSync(run.document?.absolute_path ?? '')).toEqual(first);
  });
});
