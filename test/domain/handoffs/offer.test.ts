import { describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { activityOf, applyFact } from '../../../src/domain/agents/apply-fact.ts';
import type { AgentFact } from '../../../src/domain/facts.ts';
import { contextTier, offerHandoff } from '../../../src/domain/handoffs/offer.ts';
import type { Run } from '../../../src/domain/handoffs/run.ts';
import { anAgent, aRun } from '../../adapters/stores/store-contract.ts';
import { PANE, T0 } from './handoff-kit.ts';

const context = (usedPercent: number) => ({ usedPercent, usedTokens: 1, windowTokens: 2, measuredAt: T0 });
const agent = (over: Partial<Agent> = {}): Agent => ({
  id: 1,
  hostId: 'h',
  tmuxSession: 'agent-1',
  ...anAgent({ personaId: 1, pane: PANE, context: context(80), ...over }),
});
const run = (over: Partial<Run>): Run => ({ id: 5, hostId: 'h', ...aRun(1), ...over });
const NO_PAST = { runs: [], record: undefined };

describe('the Handoff button', () => {
  it("a handoff is offered as soon as the agent's context use reaches the threshold", () => {
    expect(offerHandoff(agent(), NO_PAST, 80)).toEqual({ offered: true, whyNot: null });
    expect(offerHandoff(agent({ context: context(40) }), NO_PAST, 40).offered).toBe(true);
  });

  it.each<[string, Partial<Agent>, readonly Run[]]>([
    ['Agent is not active', { state: 'ended' }, []],
    ['Agent has no persona', { personaId: null }, []],
    ['Agent 1 has no tmux pane, so Baton cannot type the handoff instruction', { pane: null }, []],
    ['Handoff already in progress', {}, [run({ step: 'instructing' })]],
    ['Handoff already in progress', {}, [run({ step: 'failed', handoffId: 1 })]],
    ['The context use of this agent is not known yet', { context: null }, []],
    ['Context use is 79 %; Baton suggests a handoff at 80 %', { context: context(79.9) }, []],
  ])('Baton offers no handoff and gives the reason "%s"', (whyNot, over, runs) => {
    expect(offerHandoff(agent(over), { runs, record: undefined }, 80)).toEqual({ offered: false, whyNot });
  });
});

it.each([
  [64.9, 80, 'fine'],
  [65, 80, 'warn'],
  [75, 80, 'high'],
  [79.9, 80, 'high'],
  [80, 80, 'handoff'],
  [70, 70, 'handoff'],
  [69, 70, 'warn'],
  [12, 10, 'handoff'],
  [99, 100, 'high'],
] as const)(
  'a context use of %d percent with a threshold of %d percent has the level "%s"',
  (used, threshold, tier) => {
    expect(contextTier(used, threshold)).toBe(tier);
  },
);

describe('the activity of an agent', () => {
  const doing = (start: Agent, ...facts: readonly AgentFact[]): string | null =>
    activityOf(facts.reduce((seen, fact) => applyFact(seen, fact, T0).agent, start));
  const of = { agentId: 1, promptId: 'p' } as const;
  const prompt: AgentFact = { ...of, type: 'prompt_submitted', ref: null, excerpt: 'mend it', textHash: '' };
  const tool = (name: string, phase: 'began' | 'ended'): AgentFact => ({ ...of, type: 'tool_used', tool: name, phase });

  it("an agent's activity is its current tool, or its last prompt if no tool runs", () => {
    expect(doing(agent())).toBeNull();
    expect(doing(agent(), prompt)).toBe('mend it');
    expect(doing(agent(), prompt, tool('Bash', 'began'))).toBe('Bash');
    expect(doing(agent(), prompt, tool('Bash', 'began'), tool('Bash', 'ended'))).toBe('mend it');
    expect(doing(agent(), prompt, tool('Bash', 'began'), tool('Read', 'began'), tool('Bash', 'ended'))).toBe('Read');
  });

  it("after an interrupted turn, an agent's activity no longer names the tool", () => {
    const began = [prompt, tool('Bash', 'began')];
    expect(doing(agent(), ...began, { type: 'agent_seen_idle', agentId: 1, shows: 'interrupted' })).toBe('mend it');
    expect(
      doing(agent(), ...began, { type: 'agent_seen_idle', agentId: 1 }, { type: 'agent_seen_working', agentId: 1 }),
    ).toBe('mend it');
    expect(doing(agent(), ...began, { ...prompt, excerpt: 'something else' })).toBe('something else');
  });

  it("after a question about a tool was answered, the agent's activity names the tool again", () => {
    const asked: AgentFact = { ...of, type: 'input_requested', question: 'may I?' };
    expect(doing(agent(), prompt, tool('Bash', 'began'), asked)).toBe('mend it');
    expect(doing(agent(), prompt, tool('Bash', 'began'), asked, { type: 'agent_seen_working', agentId: 1 })).toBe(
      'Bash',
    );
  });

  it('for an agent that an older Baton stored without the field `tool`, Baton still names the activity', () => {
    const { tool: _, ...old } = agent({ state: 'working', lastPrompt: 'mend it' });
    expect(activityOf(old)).toBe('mend it');
    expect(doing(old, tool('Bash', 'began'))).toBe('Bash');
  });
});
