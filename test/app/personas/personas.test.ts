import { describe, expect, it } from 'vitest';
import { startAgent } from '../../../src/app/agents/start-agent.ts';
import { checkSuccessorCanStart } from '../../../src/app/engine/effects/documents.ts';
import { succeedAgent } from '../../../src/app/handoffs/replace-agent.ts';
import { archivePersona, editPersona, restorePersona } from '../../../src/app/personas/edit-persona.ts';
import { givePersona } from '../../../src/app/personas/give-persona.ts';
import { savePersonaText } from '../../../src/app/personas/save-persona-text.ts';
import { showPersona } from '../../../src/app/personas/show-persona.ts';
import { SimWorld } from '../engine/sim-world.ts';

const SLUG = 'developer-con-1';
const wanted = { projectId: 1, personaSlug: SLUG, runtime: 'sim' };
const anonymous = { personaId: null, priming: { status: 'none' } } as const;
const skillEffects = (sim: SimWorld) =>
  sim.ports.store.read((tx) => tx.pendingEffects()).filter(({ effect }) => effect.kind === 'prime_agent');

describe('editing a persona', () => {
  it('an edit changes the given fields of a persona and keeps its slug', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    expect(await editPersona(sim.ports, SLUG, { name: '  Zoë   M ' })).toMatchObject({
      slug: SLUG,
      name: 'Zoë M',
      role: 'developer',
    });
    expect(await editPersona(sim.ports, SLUG, { role: 'QA Lead' })).toMatchObject({ name: 'Zoë M', role: 'qa-lead' });
    await editPersona(sim.ports, SLUG, { role: 'qa lead', name: 'Zoë M' });
    await editPersona(sim.ports, SLUG, {});
    expect(sim.notices('persona_edited')).toEqual([
      { slug: SLUG, name: 'Zoë M', role: 'developer' },
      { slug: SLUG, name: 'Zoë M', role: 'qa-lead' },
    ]);
  });

  it('an edited persona has to satisfy the same rules as a new persona', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    expect(await editPersona(sim.ports, SLUG, { name: '../..' })).toMatchObject({ code: 'bad_persona_name' });
    expect(await editPersona(sim.ports, SLUG, { role: '' })).toMatchObject({ code: 'bad_persona_role' });
    expect(await editPersona(sim.ports, 'nobody-1', { name: 'x' })).toMatchObject({ code: 'persona_not_found' });
    expect(await showPersona(sim.ports, SLUG)).toMatchObject({ persona: { name: 'Con', role: 'developer' } });
    expect(sim.notices('persona_edited')).toEqual([]);
  });
});

describe('an archived persona', () => {
  it('no agent can start with an archived persona until the persona is restored', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    for (let twice = 0; twice < 2; twice++)
      expect(await archivePersona(sim.ports, SLUG)).toMatchObject({ status: 'archived' });
    expect(await startAgent(sim.ports, wanted)).toMatchObject({
      code: 'persona_archived',
      sentence: expect.stringContaining('is archived'),
      hint: `Restore the persona first: baton persona restore ${SLUG}`,
    });
    for (let twice = 0; twice < 2; twice++)
      expect(await restorePersona(sim.ports, SLUG)).toMatchObject({ status: 'active' });
    expect(await startAgent(sim.ports, wanted)).toMatchObject({ state: 'starting' });
    expect([sim.notices('persona_archived'), sim.notices('persona_restored')]).toEqual([
      [{ slug: SLUG }],
      [{ slug: SLUG }],
    ]);
  });

  it('a refused emergency handoff writes no document', async () => {
    const sim = new SimWorld();
    const dead = await sim.addAgent({ state: 'ended' });
    await archivePersona(sim.ports, SLUG);
    const written: string[] = [];
    Object.assign(sim.ports.files, { writeDocument: async (path: string) => void written.push(path) });
    const request = { reason: undefined, note: undefined };
    expect(await succeedAgent(sim.ports, dead.id, request)).toMatchObject({ code: 'persona_archived' });
    expect(written).toEqual([]);
  });

  it('the live agents of an archived persona can still be handed off', async () => {
    const sim = new SimWorld();
    const live = await sim.addAgent();
    const dead = await sim.addAgent({ state: 'ended' });
    await archivePersona(sim.ports, SLUG);
    const run = await sim.handOver(live.id);
    expect(
      await checkSuccessorCanStart(sim.ports, { kind: 'check_successor_can_start', agentId: live.id, runId: run.id }),
    ).toEqual([{ type: 'successor_can_start', runId: run.id }]);
    const request = { reason: undefined, note: undefined };
    expect(await succeedAgent(sim.ports, dead.id, request)).toMatchObject({ code: 'persona_archived' });
    await restorePersona(sim.ports, SLUG);
    expect(await succeedAgent(sim.ports, dead.id, request)).toMatchObject({ emergency: true });
  });
});

describe("saving a persona's text", () => {
  const save = (sim: SimWorld, slug = SLUG) =>
    savePersonaText(sim.ports, { slug, name: 'skill' }, { text: 'secret: be bold', basedOn: 'be careful' });

  it('the event about a saved persona text never contains the text', async () => {
    const sim = new SimWorld();
    await sim.addAgent();
    expect(await save(sim)).toBeUndefined();
    expect(sim.skill).toBe('secret: be bold');
    const sha256 = sim.ports.chance.sha256('secret: be bold');
    expect(sim.notices('persona_text_saved')).toEqual([{ slug: SLUG, text: 'skill', sha256 }]);
    expect(JSON.stringify(sim.ports.store.read((tx) => tx.eventsAfter(0, 99)))).not.toContain('be bold');
  });

  it.each([
    ['changed_meanwhile', { outcome: 'changed_meanwhile' }, { code: 'persona_text_changed' }],
    [
      'unusable',
      { outcome: 'unusable', why: 'it is a link' },
      { code: 'persona_text_unusable', sentence: 'it is a link' },
    ],
    ['same', { outcome: 'same' }, undefined],
  ] as const)(
    "if a persona's text was not written, no event says that the text was saved: %s",
    async (_what, outcome, answer) => {
      const sim = new SimWorld();
      await sim.addAgent();
      sim.textSaved = outcome;
      const refusal = await save(sim);
      if (answer === undefined) expect(refusal).toBeUndefined();
      else expect(refusal).toMatchObject(answer);
      expect(sim.notices('persona_text_saved')).toEqual([]);
    },
  );

  it('a text for an unknown persona is refused', async () => {
    expect(await save(new SimWorld(), 'nobody-1')).toMatchObject({ code: 'persona_not_found' });
  });
});

describe('assigning a persona', () => {
  it("an agent that is assigned a persona gets the persona's skill", async () => {
    const sim = new SimWorld();
    sim.longestStart = 1_000;
    const agent = await sim.addAgent(anonymous);
    expect(await givePersona(sim.ports, agent.id, { slug: SLUG, replace: false })).toMatchObject({
      personaId: 1,
      priming: { status: 'typing' },
    });
    expect(skillEffects(sim)).toHaveLength(1);
    expect(sim.sessionStart).toContain('be careful');
    expect(sim.notices('persona_given')).toEqual([{ agentId: agent.id, personaId: 1, slug: SLUG }]);
    expect(await sim.handOver(agent.id)).toMatchObject({ agentId: agent.id });
    expect(await givePersona(sim.ports, agent.id, { slug: SLUG, replace: false })).toMatchObject({
      code: 'agent_in_handoff',
    });
  });

  it('a refused assignment of a persona changes nothing', async () => {
    const sim = new SimWorld();
    const bare = await sim.addAgent(anonymous);
    const gone = await sim.addAgent({ ...anonymous, state: 'ended' });
    const con = await sim.addAgent();
    await archivePersona(sim.ports, SLUG);
    const codes = [
      await givePersona(sim.ports, 99, { slug: SLUG, replace: false }),
      await givePersona(sim.ports, bare.id, { slug: 'nobody-1', replace: false }),
      await givePersona(sim.ports, bare.id, { slug: SLUG, replace: false }),
      await givePersona(sim.ports, gone.id, { slug: SLUG, replace: false }),
      await givePersona(sim.ports, con.id, { slug: SLUG, replace: false }),
    ].map((answer) => ('code' in answer ? answer.code : 'given'));
    expect(codes).toEqual([
      'agent_not_found',
      'persona_not_found',
      'persona_archived',
      'agent_not_active',
      'agent_has_persona',
    ]);
    expect([sim.agent(bare.id).personaId, skillEffects(sim), sim.notices('persona_given')]).toEqual([null, [], []]);
  });
});
