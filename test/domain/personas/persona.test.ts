import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { NEW_RUN } from '../../../src/domain/handoffs/run.ts';
import { type Persona, personaSlug, refusePersona, SLUG_SHAPE } from '../../../src/domain/personas/persona.ts';
import { refuseGiving } from '../../../src/domain/personas/refuse-giving.ts';
import { anAgent, aRun } from '../../adapters/stores/store-contract.ts';
import { T0 } from '../handoffs/handoff-kit.ts';

describe('persona slugs', () => {
  it("a persona slug consists of the persona's role, name and id", () => {
    expect(personaSlug('Developer', 'Con', 1)).toBe('developer-con-1');
    expect(personaSlug('QA Lead', 'Zoë  Müller', 12)).toBe('qa-lead-zoe-muller-12');
  });

  it('a persona slug needs no shell quoting, whatever the role and the name are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.nat(), (role, name, id) => {
        if (refusePersona(role, name) !== undefined) return;
        expect(personaSlug(role, name, id)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(personaSlug(role, name, id)).toMatch(new RegExp(`^${SLUG_SHAPE}$`));
        expect(personaSlug(role, name, id).length).toBeLessThanOrEqual(53);
      }),
    );
  });

  it('a persona name without letters or digits is refused', () => {
    expect(refusePersona('developer', '../..')?.sentence).toContain('name');
    expect(refusePersona('', 'Con')?.sentence).toContain('role');
  });
});

describe('[S-14] persona names and roles', () => {
  it('a persona name may use any writing system', () => {
    for (const name of ['Мария', '小林', 'دانا', 'Zoë']) expect(refusePersona('developer', name)).toBeUndefined();
    expect(personaSlug('developer', 'Мария', 7)).toBe('developer-agent-7');
  });

  it('a role that is too long is refused and not shortened', () => {
    expect(refusePersona('principal-staff-engineer-of-everything', 'Con')).toMatchObject({
      code: 'bad_persona_role',
      sentence: 'The role has 38 characters; at most 20 are allowed.',
    });
    expect(refusePersona('x'.repeat(20), 'Con')).toBeUndefined();
  });
});

describe('assigning a persona to an agent', () => {
  const persona = { id: 1, slug: 'developer-con-1', role: 'developer', name: 'Con', createdAt: T0 } as const;
  const agent = (over: Partial<Agent> = {}): Agent => ({
    id: 3,
    hostId: 'h',
    tmuxSession: 'agent-3',
    ...anAgent(over),
  });
  const run = { id: 7, hostId: 'h', ...aRun(3), ...NEW_RUN, step: 'instructing' } as const;
  const active = { ...persona, status: 'active' } as const;
  const giving = (wanted: Persona, replace = false) => ({ persona: wanted, replace, record: undefined });

  it('a live agent without a persona can get a persona', () => {
    for (const state of ['starting', 'idle', 'working', 'awaiting_input'] as const)
      expect(refuseGiving(agent({ state }), undefined, giving(active))).toBeUndefined();
  });

  it('the persona of a live agent is replaced only if the operator asks for a replacement', () => {
    const other = agent({ personaId: 2 });
    expect(refuseGiving(agent({ state: 'ended' }), undefined, giving(active))?.hint).toContain('baton agent list');
    expect(refuseGiving(other, undefined, giving(active))).toMatchObject({
      code: 'agent_has_persona',
      hint: expect.stringContaining('--replace'),
    });
    expect(refuseGiving(other, undefined, giving(active, true))).toBeUndefined();
    expect(refuseGiving(other, run, giving(active, true))).toMatchObject({ code: 'agent_in_handoff' });
    const record = {
      id: 4,
      agentId: 3,
      reason: 'shift_end',
      filePath: null,
      injectionPrompt: null,
      createdAt: T0,
    } as const;
    expect(refuseGiving(other, undefined, { ...giving(active, true), record })).toMatchObject({
      code: 'agent_has_persona',
    });
    expect(refuseGiving(agent({ personaId: 1 }), undefined, giving(active, true))).toMatchObject({
      code: 'agent_has_persona',
      sentence: expect.stringContaining('already'),
    });
  });

  it.each([
    ['an ended agent', agent({ state: 'ended' }), undefined, active, 'agent_not_active'],
    ['a lost agent', agent({ state: 'lost' }), undefined, active, 'agent_not_active'],
    ['an agent in a run', agent(), run, active, 'agent_in_handoff'],
    ['an agent with another persona', agent({ personaId: 2 }), undefined, active, 'agent_has_persona'],
    ['the same persona again', agent({ personaId: 1 }), undefined, active, 'agent_has_persona'],
    ['an archived persona', agent(), undefined, { ...persona, status: 'archived' } as const, 'persona_archived'],
  ])('assigning a persona is refused for %s', (_what, to, inRun, wanted, code) => {
    expect(refuseGiving(to, inRun, giving(wanted))).toMatchObject({ code, sentence: expect.stringMatching(/3|con-1/) });
  });
});
