import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/contract/resources.ts';
import { describeEvent, eventSentence, typesOfKind } from '../../../../src/surfaces/http/inbox/event-sentence.ts';
import { withLabel } from '../../../../src/surfaces/page/activity/with-label.ts';

type Described = Pick<Event, 'type' | 'agent_id' | 'data'>;
const event = (type: string, data: Event['data'] = {}, agent_id: number | null = 3): Described => ({
  type,
  agent_id,
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
  ])('describes %s with the data %j', (type, data, sentence) => {
    expect(eventSentence(event(type, data))).toBe(sentence);
  });

  it("includes the agent's name if it is known", () => {
    const shown = (sentence: string, agent_id: number | null, label?: string) =>
      withLabel({ sentence, agent_id }, label);
    expect(shown('Agent 3 was created', 3, 'Ada')).toBe('Agent 3 (Ada) was created');
    expect(shown('Baton typed the skill to Agent 3', 3, '$& Ada')).toBe('Baton typed the skill to Agent 3 ($& Ada)');
    expect(shown('Agent 31 was seen', 3, 'Ada')).toBe('Agent 31 was seen');
    expect(shown('Agent 3 was created', 3)).toBe('Agent 3 was created');
    expect(shown('Baton started', null, 'Ada')).toBe('Baton started');
  });

  it('shows an unknown type with its data, in one line', () => {
    expect(eventSentence(event('moon_rose', { phase: 'full' }, null))).toBe('moon rose {"phase":"full"}');
    expect(eventSentence(event('moon_set', {}, null))).toBe('moon set');
    expect(eventSentence(event('moon_rose', { text: 'x'.repeat(900) })).length).toBeLessThan(200);
  });

  it('treats the name of an Object method as an unknown type', () => {
    expect(eventSentence(event('constructor', {}))).toBe('constructor');
  });

  it('is sent with the kind of the event and whether it is bad news', () => {
    expect(describeEvent(event('agent_launch_failed', { detail: 'no tmux' }))).toEqual({
      sentence: 'Agent 3 could not be started: no tmux',
      kind: 'agent',
      bad_news: true,
    });
    expect(describeEvent(event('moon_set'))).toMatchObject({ kind: null, bad_news: false });
    expect(typesOfKind('inbox')).toEqual(['inbox_opened', 'inbox_resolved', 'inbox_held', 'operator_notified']);
    expect(typesOfKind('constructor')).toEqual([]);
  });

  it('tolerates malformed data', () => {
    for (const type of ['agent_launched', 'prompt_typed', 'document_checked', 'operator_notified', 'settings_changed'])
      expect(eventSentence(event(type, {}))).not.toContain('undefined');
  });
});
