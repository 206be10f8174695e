import { describe, expect, it } from 'vitest';
import type { Event } from '../../../../src/contract/resources.ts';
import { STATE_FACTS } from '../../../../src/domain/agents/state-facts.ts';
import type { LoggedEvent } from '../../../../src/domain/facts.ts';
import { type Instant, localTime } from '../../../../src/domain/instant.ts';
import { viewEvent } from '../../../../src/surfaces/http/agents/views.ts';
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
    ['prompt_submitted', { ref: null, excerpt: 'two\nlines' }, 'Agent 3 received a prompt: “two lines”'],
    ['prompt_submitted', { ref: 'message-eiezje4vjxzr' }, "Agent 3 received the operator's message"],
    ['prompt_submitted', { ref: '5d4f8064-skill' }, 'Agent 3 received the skill'],
    ['prompt_submitted', { ref: 'ab12-injection' }, 'Agent 3 received the handoff prompt'],
    ['prompt_submitted', { ref: 'ab12-stop-x1y2z3' }, 'Agent 3 received the exit command'],
    ['prompt_submitted', { ref: 'package-ho-2026-002-8-clarifying-1-1' }, 'Agent 3 received a package notification'],
    ['prompt_submitted', { ref: 'ab12-other' }, "Agent 3 received Baton's prompt ab12-other"],
    [
      'prompt_found_in_transcript',
      { ref: 'ymyqpzqpwp-instruction' },
      'The transcript of Agent 3 contains the instruction',
    ],
    ['agent_state_changed', { to: 'ended', reason: 'its process has ended' }, 'Agent 3 has ended'],
    ['agent_process_gone', { detail: 'its process has ended' }, 'The process of Agent 3 ended'],
    ['agent_process_gone', { detail: 'exit code 1' }, 'The process of Agent 3 ended: exit code 1'],
    [
      'session_started',
      { source: 'clear', skillGiven: '0a1b' },
      'Agent 3 started a session (after its conversation was cleared) with the skill 0a1b',
    ],
    [
      'package_deadline_restarted',
      { packageId: 'HO-2026-001', record: { deadlineAt: '2026-11-18T21:00:00.000Z' } },
      `The deadline of HO-2026-001 began again, because the clock was set back or the timer was shortened; it ends on ${localTime('2026-11-18T21:00:00.000Z' as Instant)}`,
    ],
    ['turn_ended', { backgroundTasks: 0 }, 'Agent 3 finished its turn'],
    ['turn_ended', { backgroundTasks: 2 }, 'Agent 3 finished its turn; 2 background tasks are still running'],
    ['prompt_typed', { purpose: 'skill', outcome: { verdict: 'typed' } }, 'Baton typed the skill to Agent 3'],
    [
      'prompt_typed',
      { purpose: 'exit', outcome: { verdict: 'refused', detail: 'a dialog is open' } },
      'Baton did not type the exit command to Agent 3: a dialog is open',
    ],
    [
      'agent_seen_idle',
      { shows: 'draft', by: 'transcript' },
      'Baton saw twice on the screen of Agent 3: unsent text in the composer and no work; its transcript ends with an interruption',
    ],
    ['agent_seen_idle', {}, 'Baton saw twice on the screen of Agent 3: an empty composer and no work'],
    ['agent_seen_working', { by: 'status' }, "Agent 3 is working: its client's status file says so"],
    ['agent_seen_working', { doing: '2 shells' }, 'Agent 3 was observed working: 2 shells'],
    [
      'agent_seen_unknown',
      { line: 'Update available' },
      'Baton does not recognize this line on the screen of Agent 3: “Update available”',
    ],
    [
      'agent_seen_unknown',
      { line: null },
      'Baton saw an empty composer on the screen of Agent 3, but no hook has reported the end of its turn',
    ],
    ['document_checked', { result: { verdict: 'missing' } }, 'The document failed its verification: missing'],
    ['handoff_progress', { from: null, to: 'requested' }, 'Handoff started: Preparing the document path'],
    ['operator_notified', { itemId: 4, outcome: {} }, 'Notification for inbox item 4'],
    ['operator_notified', { itemId: 4, outcome: { os: 'sent' } }, 'The desktop notification for inbox item 4 was sent'],
    [
      'operator_notified',
      {
        itemId: 4,
        itemIds: [4, 5],
        outcome: { os: 'unavailable: Baton runs outside a desktop session.', ntfy: 'sent' },
      },
      'No desktop notification for 2 inbox items: Baton runs outside a desktop session; the ntfy notification was sent',
    ],
    [
      'operator_notified',
      { itemId: 4, outcome: { webhook: 'failed: example.org answered 500.' } },
      'The webhook notification for inbox item 4 failed: example.org answered 500',
    ],
    ['session_started', { source: 'startup' }, 'Agent 3 started a session'],
    ['session_started', { source: 'resume' }, 'Agent 3 started a session (resumed)'],
    ['session_ended', { reason: 'prompt_input_exit' }, 'The session of Agent 3 ended'],
    ['session_ended', { reason: 'logout' }, 'The session of Agent 3 ended (logout)'],
    ['message_verdict', { sentence: 'Agent 3 has the message.' }, 'Agent 3 has the message'],
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
    ['agent_resumed', { resumedAgentId: 5 }, 'Agent 5 was started to continue the conversation of Agent 3'],
    [
      'handoff_undone',
      { broughtBackAgentId: 5 },
      "Handoff undone: agent 5 was started to continue the predecessor's conversation",
    ],
    ['settings_changed', { keys: ['handoff_at_percent'] }, 'Settings changed: handoff at percent'],
  ])('the event %s with the data %j has the expected sentence', (type, data, sentence) => {
    expect(eventSentence(event(type, data))).toBe(sentence);
  });

  it.each(STATE_FACTS)('the event %s is described by a specific sentence', (type) => {
    expect(describeEvent(event(type)).kind).not.toBeNull();
  });

  it('the sentence that describes an event names the evidence for the event', () => {
    const logged = (type: string, by: string) => ({ seq: 1, type, agentId: 3, data: { by } }) as unknown as LoggedEvent;
    const seen = viewEvent(logged('agent_seen_idle', 'status'));
    expect(seen).toMatchObject({ by: null, data: { by: 'status' } });
    expect(seen.sentence).toContain("its client's status file says that it is idle");
    expect(viewEvent(logged('agent_created', 'operator/cli'))).toMatchObject({ by: 'operator/cli', data: {} });
  });

  it("if the agent's name is known, the sentence that describes an event contains the name", () => {
    const shown = (sentence: string, agent_id: number | null, label?: string) =>
      withLabel({ sentence, agent_id }, label);
    expect(shown('Agent 3 was created', 3, 'Ada')).toBe('Agent 3 (Ada) was created');
    expect(shown('Baton typed the skill to Agent 3', 3, '$& Ada')).toBe('Baton typed the skill to Agent 3 ($& Ada)');
    expect(shown('Agent 31 was seen', 3, 'Ada')).toBe('Agent 31 was seen');
    expect(shown('Agent 3 was created', 3)).toBe('Agent 3 was created');
    expect(shown('Baton started', null, 'Ada')).toBe('Baton started');
  });

  it('an event of an unknown type is shown with its data', () => {
    expect(eventSentence(event('moon_rose', { phase: 'full' }, null))).toBe('moon rose {"phase":"full"}');
    expect(eventSentence(event('moon_set', {}, null))).toBe('moon set');
    expect(eventSentence(event('moon_rose', { text: 'x'.repeat(900) })).length).toBeLessThan(200);
  });

  it('an event whose type is the name of an Object method counts as unknown', () => {
    expect(eventSentence(event('constructor', {}))).toBe('constructor');
  });

  it('each event in the API says whether the event is bad news', () => {
    expect(describeEvent(event('agent_launch_failed', { detail: 'no tmux' }))).toEqual({
      sentence: 'Agent 3 could not be started: no tmux',
      kind: 'agent',
      bad_news: true,
    });
    expect(describeEvent(event('moon_set'))).toMatchObject({ kind: null, bad_news: false });
    expect(typesOfKind('inbox')).toEqual([
      'inbox_opened',
      'inbox_resolved',
      'inbox_restored',
      'inbox_held',
      'operator_notified',
    ]);
    expect(typesOfKind('constructor')).toEqual([]);
  });

  it('the sentence that describes an event with malformed data does not contain "undefined"', () => {
    for (const type of ['agent_launched', 'prompt_typed', 'document_checked', 'operator_notified', 'settings_changed'])
      expect(eventSentence(event(type, {}))).not.toContain('undefined');
  });
});

it('[D16] the ordinary exit of an agent does not count as bad news', () => {
  const gone = (data: object) => describeEvent({ type: 'agent_process_gone', agent_id: 10, data: { ...data } });
  expect(gone({ detail: 'its process has ended' }).bad_news).toBe(false);
  expect(gone({ detail: 'its process has ended with exit code 1', failedToStart: true }).bad_news).toBe(true);
  expect(describeEvent({ type: 'inbox_opened', agent_id: 1, data: { kind: 'failure', sentence: 'x' } }).bad_news).toBe(
    true,
  );
});
