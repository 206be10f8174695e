import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/contract/resources.ts';
import { eventSentence } from '../../../src/surfaces/page/activity/event-sentence.ts';

const event = (type: string, data: Event['data'] = {}, agent_id: number | null = 3): Event => ({
  seq: 1,
  at: '2026-01-01T00:00:00.000Z',
  type,
  agent_id,
  run_id: null,
  by: null,
  data,
});

describe('the sentence of an event', () => {
  it.each([
    ['agent_state_changed', { from: 'idle', to: 'awaiting_input', reason: 'it asks' }, 'Agent 3 needs you: it asks'],
    ['tool_used', { tool: 'Bash', phase: 'began' }, 'Agent 3 is using Bash'],
    ['turn_ended', { backgroundTasks: 0 }, 'Agent 3 finished its turn'],
    ['turn_ended', { backgroundTasks: 2 }, 'Agent 3 finished its turn; 2 background tasks are still running'],
    ['prompt_typed', { purpose: 'skill', outcome: { verdict: 'typed' } }, 'Baton typed the skill to Agent 3'],
    [
      'prompt_typed',
      { purpose: 'exit', outcome: { verdict: 'refused', detail: 'a dialog is open' } },
      'Baton did not type the exit command to Agent 3: a dialog is open',
    ],
    ['document_checked', { result: { verdict: 'missing' } }, 'The document failed its verification: missing'],
    ['handoff_progress', { from: null, to: 'requested' }, 'Handoff started: Preparing the document path'],
    ['operator_notified', { itemId: 4, outcome: { os: 'sent' } }, 'Notification for inbox item 4: desktop sent'],
    ['answer_begun', { said: 2 }, 'The operator answers Agent 3 with option 2'],
    ['answer_begun', { said: 'yes, both' }, 'The operator answers Agent 3: “yes, both”'],
    ['turn_ended', { purged: true }, 'turn ended (content purged)'],
    ['history_purged', { agents: [1, 2] }, 'History purged: 2 agents and the content of their events'],
    [
      'package_receiver_started',
      { packageId: 'HO-2026-001', changes: { start: { agentId: 7, problem: null } } },
      'Agent 7 was started for HO-2026-001',
    ],
    [
      'package_receiver_started',
      { packageId: 'HO-2026-001', changes: { start: { agentId: null, problem: 'persona ada is archived' } } },
      'No agent was started for HO-2026-001: persona ada is archived',
    ],
    [
      'package_held_up',
      { packageId: 'HO-2026-001', changes: { heldUp: { agentId: 7, name: 'ada' } } },
      'HO-2026-001 is waiting for agent 7, which was adopted and has no package tools',
    ],
    [
      'package_held_up',
      { packageId: 'HO-2026-001', changes: { heldUp: null } },
      'HO-2026-001 is no longer waiting for an adopted agent',
    ],
    ['settings_changed', { keys: ['handoff_at_percent'] }, 'Settings changed: handoff at percent'],
  ])('%s %j', (type, data, sentence) => {
    expect(eventSentence(event(type, data))).toBe(sentence);
  });

  it("includes the agent's name if it is known", () => {
    expect(eventSentence(event('agent_created'), 'Ada')).toBe('Agent 3 (Ada) was created');
  });

  it('shows an unknown type with its data, in one line', () => {
    expect(eventSentence(event('moon_rose', { phase: 'full' }, null))).toBe('moon rose {"phase":"full"}');
    expect(eventSentence(event('moon_set', {}, null))).toBe('moon set');
    expect(eventSentence(event('moon_rose', { text: 'x'.repeat(900) })).length).toBeLessThan(200);
  });

  it('treats the name of an Object method as an unknown type', () => {
    expect(eventSentence(event('constructor', {}))).toBe('constructor');
  });

  it('tolerates malformed data', () => {
    for (const type of ['agent_launched', 'prompt_typed', 'document_checked', 'operator_notified', 'settings_changed'])
      expect(eventSentence(event(type, {}))).not.toContain('undefined');
  });
});
