import { describe, expect, it } from 'vitest';
import type { Event, Run } from '../../../src/contract/resources.ts';
import { actionName } from '../../../src/contract/words/action-words.ts';
import { reasonInWords, runStatus, watchedAgentId } from '../../../src/contract/words/step-words.ts';
import { canRetry } from '../../../src/surfaces/page/agents/hand-off.ts';
import { actionLabel, chooseOffers, mainOffer } from '../../../src/surfaces/page/handoffs/choose-offers.ts';
import { inFlightFirst } from '../../../src/surfaces/page/handoffs/choose-runs.ts';
import { gitRows, gitTrouble } from '../../../src/surfaces/page/handoffs/run/git-rows.ts';
import { groupEvidence } from '../../../src/surfaces/page/handoffs/run/group-evidence.ts';
import { timelineOf } from '../../../src/surfaces/page/handoffs/run/timeline.ts';
import { stageNumber, stagesOf } from '../../../src/surfaces/page/handoffs/stages.ts';

const second = (at: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, at)).toISOString();

const entries = (...names: readonly string[]): Run['steps'] =>
  names.map((step, index) => ({ step, entered_at: second(index), attempt: 1, ms: null }));

const run = (over: Partial<Run>): Run => ({
  id: 1,
  agent_id: 1,
  successor_agent_id: null,
  handoff_id: null,
  reason: 'context_limit',
  note: null,
  step: 'requested',
  over: false,
  failure: null,
  actions: [],
  attempt: 1,
  emergency: false,
  review: 'not_wanted',
  late_document: false,
  git: null,
  findings: [],
  comment: null,
  changed_since: null,
  brought_back_agent_id: null,
  document: null,
  last_refusal: null,
  waits: null,
  background: 'stop',
  compacted_since_instruction: false,
  cleared_since_instruction: false,
  compact_summary: null,
  warnings: [],
  acknowledged: false,
  acknowledgement: null,
  deadline_at: null,
  paused_since: null,
  steps: entries('requested'),
  created_at: second(0),
  updated_at: second(0),
  ...over,
});

const failedAt = (at: string): Run['failure'] => ({ at, code: 'c', sentence: 's', hint: 'h' });

it('only the agent of a failed handoff, and not its successor, gets the button to try again', () => {
  const retry = { action: 'retry', title: 'Try again', confirm: null } as const;
  const failed = run({ agent_id: 1, successor_agent_id: 2, step: 'failed', actions: [retry] });
  expect([1, 2].map((id) => canRetry({ id }, failed))).toEqual([true, false]);
  expect([canRetry({ id: 1 }, undefined), canRetry({ id: 1 }, { ...failed, actions: [] })]).toEqual([false, false]);
});

describe('the list of runs', () => {
  it('runs in progress are at the top of the list of runs', () => {
    const loaded = [run({ id: 4 }), run({ id: 3, step: 'failed', over: true }), run({ id: 2, over: true })];
    const inFlight = [run({ id: 4 }), run({ id: 1 })];
    expect(inFlightFirst(inFlight, loaded).map(({ id }) => id)).toEqual([4, 1, 3, 2]);
  });
});

describe('the stages of a run', () => {
  const states = (of: Run) => stagesOf(of).map(({ state }) => state);

  it('each stage of a run is shown as done, current or still to come', () => {
    const steps = entries('requested', 'waiting_safe_point', 'instructing');
    expect(states(run({ step: 'instructing', steps })).slice(0, 4)).toEqual(['done', 'done', 'now', 'left']);
    expect(stageNumber(stagesOf(run({ step: 'instructing', steps })))).toBe(3);
  });

  it('a failed step is marked in the stages of a run', () => {
    const failed = run({ step: 'failed', over: true, failure: failedAt('verifying') });
    expect(states(failed).indexOf('failed')).toBe(4);
  });

  it('while a review waits for the operator, the stages of a run say so', () => {
    expect(states(run({ step: 'recorded', review: 'wanted' }))[5]).toBe('waits');
    expect(states(run({ step: 'recorded', review: 'approved' }))[5]).toBe('now');
  });

  it('for an emergency handoff, the stages of a run leave out the steps that do not apply', () => {
    const steps = entries('recorded', 'creating_successor');
    expect(states(run({ step: 'creating_successor', steps, emergency: true })).slice(0, 8)).toEqual([
      ...['skipped', 'skipped', 'skipped', 'skipped', 'skipped'],
      ...['done', 'skipped', 'now'],
    ]);
  });

  it('if an acknowledgment is missing, the stages of the run say so', () => {
    expect(states(run({ step: 'completed', over: true }))[11]).toBe('missed');
  });

  it('the stages of a cancelled run end at the step where the run was cancelled', () => {
    const steps = entries('requested', 'waiting_safe_point', 'cancelled');
    expect(states(run({ step: 'cancelled', over: true, steps })).slice(0, 3)).toEqual(['done', 'stopped', 'left']);
  });
});

describe('the timeline of a run', () => {
  it('in the timeline of a run, a step is done only if the run continued after the step', () => {
    const steps = entries('requested', 'waiting_safe_point', 'failed');
    const failed = timelineOf(run({ step: 'failed', over: true, steps, failure: failedAt('waiting_safe_point') }));
    expect(failed.map(({ state }) => state)).toEqual(['done', 'failed_here', 'failed']);
    expect(failed[1]?.words).toBe('Waiting for the agent to become idle');
  });

  it('if an acknowledgment is missing, the timeline of the run says so', () => {
    const steps = entries('awaiting_acknowledgement', 'completed');
    const states = timelineOf(run({ step: 'completed', over: true, steps })).map(({ state }) => state);
    expect(states).toEqual(['missed', 'done']);
  });

  it('the timeline of a run shows where a new attempt begins', () => {
    const steps = [
      ...entries('requested', 'failed'),
      { step: 'requested', entered_at: second(9), attempt: 2, ms: null },
    ];
    expect(timelineOf(run({ steps })).map(({ newAttempt }) => newAttempt)).toEqual([null, null, 2]);
  });
});

describe('the status of a run', () => {
  it.each([
    [{ step: 'completed', acknowledged: true }, 'Completed', 'green'],
    [{ step: 'completed' }, 'Completed, not acknowledged', 'amber'],
    [{ step: 'cancelled' }, 'Canceled', 'grey'],
    [{ step: 'cancelled', brought_back_agent_id: 5 }, 'Undone', 'violet'],
    [{ step: 'recorded', review: 'wanted' }, 'Needs your approval', 'amber'],
    [{ step: 'a_new_step' }, 'A new step', 'blue'],
  ] as const)('the status of the run %j is described in words', (over, words, tone) => {
    expect(runStatus(run(over))).toEqual({ words, tone });
  });

  it('the status of a run names the agent for which the run waits', () => {
    expect(watchedAgentId(run({ step: 'shutting_down', agent_id: 1, successor_agent_id: 2 }))).toBe(1);
    expect(watchedAgentId(run({ step: 'injecting_skill', agent_id: 1, successor_agent_id: 2 }))).toBe(2);
  });

  it('the page shows the reason of a handoff in words', () => {
    expect(reasonInWords('context_limit')).toBe('context limit');
    expect(reasonInWords('some_other')).toBe('some other');
  });
});

describe('the offered actions of a run', () => {
  const offer = (action: Run['actions'][number]['action'], confirm: string | null = null) => ({
    action,
    title: action,
    confirm,
  });

  it('if "retry" is offered, the page does not offer "resume", because both do the same', () => {
    expect(chooseOffers([offer('retry'), offer('resume')])).toEqual([offer('retry')]);
    expect(chooseOffers([offer('resume')])).toEqual([offer('resume')]);
  });

  it('the main action of a run is never a destructive action', () => {
    expect(mainOffer([offer('undo', 'sure?'), offer('retry'), offer('wait')])?.action).toBe('retry');
    expect(mainOffer([offer('cancel'), offer('undo', 'sure?')])).toBeUndefined();
  });

  it('depending on the failed step, the label of an action names the document or the prompt', () => {
    const label = (action: Parameters<typeof actionLabel>[0], at: string) =>
      actionLabel(action, run({ step: 'failed', failure: failedAt(at) }));
    expect([label('check_again', 'verifying'), label('check_again', 'delivering_prompt')]).toEqual([
      'Check for document',
      'Check for prompt',
    ]);
    expect([label('force_exit', 'shutting_down'), label('force_exit', 'injecting_skill')]).toEqual([
      'Kill agent…',
      'Kill successor…',
    ]);
    expect(actionLabel('force_exit', run({ step: 'shutting_down' }))).toBe('Kill agent…');
    expect([actionName('undo'), actionName('a_new_action')]).toEqual(['Undo handoff', 'a new action']);
  });
});

describe('the evidence of a step', () => {
  const event = (seq: number, at: number, data: Event['data'], type = 'handoff_progress'): Event => ({
    seq,
    at: second(at),
    type,
    agent_id: 1,
    run_id: 1,
    by: null,
    sentence: '',
    kind: null,
    bad_news: false,
    data,
  });

  it('the page of a run shows evidence at the step during which Baton saw it', () => {
    const steps = [
      { step: 'waiting_safe_point', entered_at: second(0) },
      { step: 'instructing', entered_at: second(1) },
      { step: 'waiting_safe_point', entered_at: second(9) },
    ];
    const events = [
      event(1, 0, { to: 'waiting_safe_point' }),
      event(2, 1, { to: 'instructing' }),
      event(3, 1, {}, 'prompt_typed'),
      event(4, 2, { to: 'waiting_safe_point' }),
      event(5, 3, {}, 'agent_seen_idle'),
      event(6, 9, { to: 'waiting_safe_point' }),
    ];
    const groups = groupEvidence(steps, events).map((group) => group.map(({ seq }) => seq));
    expect(groups).toEqual([[1, 4, 5], [2, 3], [6]]);
  });
});

describe('the git report of a run', () => {
  it('the git report of a run is shown row by row', () => {
    const git = {
      kind: 'repository' as const,
      branch: null,
      head: '0123456789abcdef',
      dirty: { count: 2, untracked: 1, unsure: 0, files: [] },
      diffstat: { files: 1, insertions: 3, deletions: 4 },
      upstream: { name: 'origin/main', ahead: 1, behind: 0 },
    };
    expect(gitRows(git).map(({ value }) => value)).toEqual([
      'none checked out',
      '0123456789ab',
      '2 files (1 untracked), +3 −4 lines',
      'origin/main, 1 ahead',
    ]);
  });

  it('if git failed, the git report of a run has no rows', () => {
    const git = { kind: 'unknown' as const, sentence: 'There is no git.' };
    expect([gitRows(git), gitTrouble(git), gitTrouble(null)]).toEqual([[], 'There is no git.', null]);
  });
});
