import { beforeEach, describe, expect, it } from 'vitest';
import { perform } from '../../../src/app/engine/effects/perform.ts';
import { textsOfRun } from '../../../src/app/messages/sent-prompts.ts';
import { layOutSkill } from '../../../src/app/personas/skill-at-start.ts';
import type { Ports } from '../../../src/app/ports/index.ts';
import { BUILT_IN, type Templates } from '../../../src/domain/handoffs/prompts/templates.ts';
import { SimWorld } from '../engine/sim-world.ts';

let sim: SimWorld;
let wording: Templates;
let ports: Ports;
const REF = 'nonce-instruction';
const INSTRUCT = { kind: 'type_instruction', agentId: 1, runId: 1, ref: REF } as const;

beforeEach(async () => {
  sim = new SimWorld();
  wording = BUILT_IN;
  ports = { ...sim.ports, wording: { ...sim.ports.wording, current: () => wording } };
  await sim.addAgent();
  await sim.handOver(1);
  await sim.ports.store.write((tx) => tx.saveRun({ ...sim.run(), step: 'instructing' }));
});

const say = (words: string): void => {
  wording = { ...BUILT_IN, instruction: `${words} {{path}} {{end_marker}}\n{{sections}}` };
};
/**
 * Performs the effect that types the instruction, then records the resulting facts in one transaction, as the effect
 * runner does.
 */
async function instruct(): Promise<void> {
  await sim.record(...(await perform(ports, INSTRUCT)));
}
const texts = () => textsOfRun(ports, 1)?.map(({ purpose, outcome, text }) => [purpose, outcome, text.split(' ')[0]]);

describe('the stored text of a prompt', () => {
  it('the stored text of a prompt is the typed text, even if the templates change later', async () => {
    say('First');
    await instruct();
    say('Second');
    expect(texts()).toEqual([['instruction', 'typed', 'First']]);
    expect(textsOfRun(ports, 1)?.[0]?.text).toBe(sim.typed[0]?.text);
  });

  it("after a refused attempt to type a prompt, Baton composes the prompt's text anew for the next attempt", async () => {
    say('First');
    sim.outcome = { verdict: 'refused', reason: 'draft', detail: 'there is a draft' };
    await instruct();
    expect(texts()).toEqual([['instruction', 'refused', 'First']]);
    say('Second');
    sim.outcome = { verdict: 'typed', enters: 1 };
    // Type the prompt without recording the outcome, as if the server died between the two.
    await perform(ports, INSTRUCT);
    expect(texts()).toEqual([['instruction', null, 'Second']]);
    say('Third');
    await instruct();
    expect(sim.typed.map(({ text }) => text.split(' ')[0])).toEqual(['Second', 'Second']);
    expect(texts()).toEqual([['instruction', 'typed', 'Second']]);
  });

  it('the stored text of a prompt is marked as typed when the agent confirms the prompt', async () => {
    sim.outcome = { verdict: 'unconfirmed', detail: 'nobody knows' };
    await instruct();
    expect(texts()?.[0]?.[1]).toBe('unconfirmed');
    await sim.record({
      type: 'prompt_submitted',
      agentId: 1,
      promptId: 'p',
      ref: REF,
      excerpt: '',
      textHash: '',
    });
    expect(texts()?.[0]?.[1]).toBe('typed');
    const refused = { verdict: 'refused', reason: 'not_wanted', detail: 'not wanted' } as const;
    await sim.record({ type: 'prompt_typed', agentId: 1, purpose: 'instruction', ref: REF, outcome: refused });
    expect(texts()?.[0]?.[1]).toBe('typed');
  });

  it('the stored text of a prompt contains no control characters', async () => {
    say('Be\u0000ll\u001b[201~');
    await instruct();
    expect(textsOfRun(ports, 1)?.[0]?.text).toContain('Bell[201~');
  });

  it('if the text of a prompt cannot be stored, Baton does not type the prompt', async () => {
    sim.broken.add('store');
    const facts = await perform({ ...ports, store: sim.ports.store }, INSTRUCT);
    expect(facts).toMatchObject([{ type: 'prompt_typed', outcome: { verdict: 'refused' } }]);
    expect(sim.typed).toEqual([]);
  });
});

describe('the stored texts of a successor', () => {
  const heir = async () => {
    const agent = await sim.addAgent({ previousAgentId: 1, priming: { status: 'none' } });
    const record = await sim.ports.store.write((tx) => {
      const made = tx.insertHandoff({
        agentId: 1,
        reason: 'context_limit',
        filePath: 'd.md',
        injectionPrompt: 'Read it.',
      });
      tx.saveRun({ ...sim.run(), step: 'delivering_prompt', successorAgentId: agent.id, handoffId: made.id });
      return made;
    });
    return { agent, record };
  };

  it('the stored texts of a successor include its skill and its prompt', async () => {
    sim.longestStart = 10_000;
    const { agent } = await heir();
    const persona = sim.ports.store.read((tx) => tx.personaById(1));
    if (persona === undefined) throw new Error('no persona');
    await layOutSkill(ports, agent, persona);
    const name = sim.sessionStart?.split('\n')[0] ?? '';
    sim.skill = 'be bold';
    await layOutSkill(ports, agent, persona);
    const started = { type: 'session_started', agentId: agent.id, runtimeSessionId: 's', source: 'startup' } as const;
    await sim.record({ ...started, skillGiven: name });
    const told = textsOfRun(ports, 1) ?? [];
    expect(told.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([
      ['skill', 'given_at_start'],
      ['injection', null],
    ]);
    expect(told[0]?.text).toContain('be careful');
    await sim.record(
      ...(await perform(ports, { kind: 'type_injection', agentId: agent.id, runId: 1, ref: 'nonce-injection' })),
    );
    expect(textsOfRun(ports, 1)?.[1]).toMatchObject({
      purpose: 'injection',
      agentId: agent.id,
      text: 'Read it. [baton:nonce-injection]',
      outcome: 'typed',
    });
  });

  it('if an older Baton stored no texts of a run, Baton shows the texts from the handoff record and the log', async () => {
    const { agent } = await heir();
    expect(textsOfRun(ports, 1)).toMatchObject([{ purpose: 'injection', text: 'Read it.', outcome: null, at: null }]);
    const typed = { verdict: 'typed', enters: 1 } as const;
    await sim.record({ type: 'prompt_typed', agentId: agent.id, purpose: 'injection', ref: 'old', outcome: typed });
    expect(textsOfRun(ports, 1)).toMatchObject([{ text: 'Read it.', outcome: 'typed', at: sim.ports.clock.now() }]);
  });

  it('if Baton typed the skill of a successor, the stored texts of the successor include this skill', async () => {
    const { agent } = await heir();
    const typing = { promptId: null, accepted: false, retryAt: null, told: false };
    const priming = { status: 'typing', ref: 'u-skill', ...typing } as const;
    await ports.store.write((tx) => tx.saveAgent({ ...agent, priming }));
    await sim.record(...(await perform(ports, { kind: 'prime_agent', agentId: agent.id, ref: 'u-skill' })));
    expect(textsOfRun(ports, 1)?.map(({ purpose, outcome }) => [purpose, outcome])).toEqual([
      ['skill', 'typed'],
      ['injection', null],
    ]);
  });
});
