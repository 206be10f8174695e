import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { expect, it } from 'vitest';
import { migrate } from '../../../src/adapters/stores/sqlite/migrate.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/sqlite-store.ts';
import { recordFact } from '../../../src/app/engine/record-facts.ts';
import type { Fact } from '../../../src/domain/facts.ts';
import { type ActiveStep, STEPS } from '../../../src/domain/handoffs/run.ts';
import type { Instant } from '../../../src/domain/instant.ts';
import { SimWorld } from '../../app/engine/sim-world.ts';

const AT = '2026-11-15T08:00:00.000Z' as Instant;
/** The version of the last database schema without an inbox, and the handoff steps that Baton had at that version. */
const OLD_SCHEMA = 4;
type OldStep = Exclude<ActiveStep, 'undoing'>;
const OLD_STEPS = STEPS.filter((step): step is OldStep => step !== 'undoing');
const WITH_RECORD = OLD_STEPS.slice(OLD_STEPS.indexOf('recorded'));
const WITH_SUCCESSOR = OLD_STEPS.slice(OLD_STEPS.indexOf('creating_successor'));
/** The steps in which the successor's session has not begun yet. */
const FRESH: readonly OldStep[] = ['creating_successor', 'awaiting_registration'];
const PANE = { serverPid: 1, serverStartedAt: 1, paneId: '%1', panePid: 2, tag: 'agent-1' };

/**
 * Creates a store of the old schema with one run for each step. In run n, agent 2n-1 hands over to agent 2n. The rows
 * have no fields that were added later.
 */
function oldStore(): string {
  const path = join(mkdtempSync(join(tmpdir(), 'baton-upgrade-')), 'baton.db');
  const db = new Database(path);
  migrate(db, OLD_SCHEMA);
  db.exec(`INSERT INTO projects (name, path, created_at) VALUES ('p', '/p', '${AT}')`);
  db.exec(`INSERT INTO personas (slug, role, name, status, created_at)
           VALUES ('developer-con-1', 'developer', 'Con', 'active', '${AT}')`);
  const agent =
    db.prepare(`INSERT INTO agents (host_id, session_uuid, runtime, project_id, persona_id, previous_agent_id,
    token_hash, state, started_at, ended_at, detail) VALUES ('h', ?, 'sim', 1, 1, ?, ?, ?, '${AT}', NULL, ?)`);
  const run =
    db.prepare(`INSERT INTO handoff_runs (host_id, agent_id, successor_agent_id, step, detail, created_at, updated_at)
    VALUES ('h', ?, ?, ?, ?, '${AT}', '${AT}')`);
  const record = db.prepare(`INSERT INTO handoffs (agent_id, reason, file_path, injection_prompt)
    VALUES (?, 'context_limit', 'd.md', 'Read it.')`);
  OLD_STEPS.forEach((step, index) => {
    const [id, heir] = [2 * index + 1, 2 * index + 2];
    const gone = WITH_SUCCESSOR.includes(step);
    agent.run(`old-${id}`, null, `t${id}`, agentState(step), agentDetail({ status: 'done', at: AT, warning: null }));
    agent.run(`old-${heir}`, id, `t${heir}`, 'idle', agentDetail(successorPriming(step), !FRESH.includes(step)));
    if (step === 'creating_successor')
      db.exec(`UPDATE agents SET detail = json_set(detail, '$.pane', NULL) WHERE id = ${heir}`);
    const handoffId = WITH_RECORD.includes(step) ? Number(record.run(id).lastInsertRowid) : null;
    run.run(id, gone ? heir : null, step, runDetail(step, handoffId));
  });
  run.run(2, null, 'meditating', runDetail('requested', null));
  db.close();
  return path;
}

function agentState(step: OldStep): string {
  if (WITH_SUCCESSOR.includes(step)) return 'ended';
  return step === 'waiting_safe_point' || step === 'awaiting_document' ? 'working' : 'idle';
}

const successorPriming = (step: OldStep) =>
  step === 'injecting_skill'
    ? { status: 'typing', ref: 'skill', promptId: 'p2', accepted: true, retryAt: null }
    : { status: FRESH.includes(step) ? 'none' : 'done', at: AT, warning: null };

const agentDetail = (priming: object, registered = true): string =>
  JSON.stringify({
    runtimeSessionId: null,
    pane: PANE,
    transcriptPath: null,
    stateReason: 'old',
    turnPromptId: null,
    lastPrompt: null,
    context: null,
    priming,
    registeredAt: registered ? AT : null,
    lastSeenAt: AT,
  });

const runDetail = (step: OldStep, handoffId: number | null): string =>
  JSON.stringify({
    handoffId,
    reason: 'context_limit',
    note: null,
    failure: null,
    nonce: 'n',
    endToken: 'T',
    document:
      step === 'requested'
        ? null
        : { path: 'd.md', absolutePath: '/h/d.md', sha256: null, bytes: null, markerFound: null },
    delivery: {
      ref: step === 'delivering_prompt' ? 'n-injection' : 'n-instruction',
      submittedPromptId: 'p1',
      submitted: true,
      accepted: false,
      lastRefusal: null,
    },
    deadlineAt: '2026-11-15T08:10:00.000Z',
    safePointDeadlineAt: null,
    pausedAt: null,
    lookedAt: AT,
    retryAt: null,
    compactedSinceInstruction: false,
    warnings: [],
    acknowledgement: null,
    steps: OLD_STEPS.slice(0, OLD_STEPS.indexOf(step) + 1).map((each) => ({ step: each, enteredAt: AT })),
  });

const ended = (agentId: number, promptId: string): Fact => ({
  type: 'turn_ended',
  agentId,
  promptId,
  backgroundTasks: 0,
});

/** Gives for each step the next step, and the fact that moves a run to this next step. */
const NEXT: Record<OldStep, [string, (runId: number, agentId: number) => Fact]> = {
  requested: [
    'instructing',
    (runId) => ({ type: 'document_place_prepared', runId, path: 'd.md', absolutePath: '/h/d.md' }),
  ],
  waiting_safe_point: ['instructing', (_, agentId) => ended(agentId, 'x')],
  instructing: [
    'awaiting_document',
    (_, agentId) => ({ type: 'prompt_found_in_transcript', agentId, ref: 'n-instruction' }),
  ],
  awaiting_document: ['verifying', (_, agentId) => ended(agentId, 'p1')],
  verifying: [
    'recorded',
    (runId) => ({
      type: 'document_checked',
      runId,
      result: { verdict: 'good', sha256: 'a', bytes: 1, markerFound: true },
    }),
  ],
  recorded: ['shutting_down', (runId) => ({ type: 'successor_can_start', runId })],
  shutting_down: ['creating_successor', (_, agentId) => ({ type: 'agent_process_gone', agentId, detail: 'gone' })],
  creating_successor: [
    'awaiting_registration',
    (_, agentId) => ({ type: 'agent_launched', agentId: agentId + 1, pane: PANE }),
  ],
  awaiting_registration: [
    'injecting_skill',
    (_, agentId) => ({ type: 'session_started', agentId: agentId + 1, runtimeSessionId: 's', source: 'startup' }),
  ],
  injecting_skill: ['delivering_prompt', (_, agentId) => ended(agentId + 1, 'p2')],
  delivering_prompt: [
    'awaiting_acknowledgement',
    (_, agentId) => ({ type: 'prompt_found_in_transcript', agentId: agentId + 1, ref: 'n-injection' }),
  ],
  awaiting_acknowledgement: ['completed', (runId) => ({ type: 'handoff_acknowledged', runId, task: 'go on' })],
};

it.each(OLD_STEPS)('[F49] a run that an older Baton left at the step %s continues', async (step) => {
  const store = openSqliteStore(oldStore(), () => 'h');
  const ports = { ...new SimWorld().ports, store };
  const runId = OLD_STEPS.indexOf(step) + 1;
  const before = store.read((tx) => tx.runsInFlight());
  expect(before.map((run) => run.step)).toEqual(OLD_STEPS);
  const [to, fact] = NEXT[step];
  await store.write((tx) => recordFact(tx, ports, fact(runId, 2 * runId - 1)));
  const after = store.read((tx) => tx.runById(runId));
  expect(after).toMatchObject({ step: to, failure: null, attempt: 1 });
  expect(after?.steps.every(({ attempt }) => attempt === 1)).toBe(true);
  const passed = after?.steps.map((each) => each.step) ?? [];
  expect(passed).toEqual([...new Set(passed)]);
});

it('[F49] a stored run with an unknown step is shown as failed', () => {
  const store = openSqliteStore(oldStore(), () => 'h');
  const unknown = store.read((tx) => tx.runById(OLD_STEPS.length + 1));
  expect(unknown).toMatchObject({ step: 'failed', failure: { code: 'unknown_step' } });
  expect(unknown?.failure?.sentence).toContain('meditating');
});

it.each([
  ['starting', 'tmux has not said whether it was started', 'launch_unknown'],
  ['starting', 'was started, but its session has not begun; look at its screen: baton agent attach 1', 'start_overdue'],
  ['ended', 'could not be started: no such program', 'launch_failed'],
  ['awaiting_input', 'another program has its terminal', 'terminal_taken'],
  ['awaiting_input', 'a menu is open in its terminal: Select a model', 'menu_open'],
  ['idle', 'its turn was interrupted', 'interrupted'],
  ['idle', 'a prompt from Baton stands in its composer, unsent', 'prompt_returned'],
  ['idle', 'its turn failed: overloaded', 'turn_failed'],
  ['idle', 'another program has its terminal', null],
  ['working', 'uses Bash', null],
])(
  '[F49] an agent that an older Baton stored with the state %s and the reason "%s" gets the cause %s',
  (state, reason, cause) => {
    const path = oldStore();
    const db = new Database(path);
    db.prepare(`UPDATE agents SET state = ?, detail = json_set(detail, '$.stateReason', ?) WHERE id = 1`).run(
      state,
      reason,
    );
    db.close();
    const store = openSqliteStore(path, () => 'h');
    expect(store.read((tx) => tx.agentById(1))).toMatchObject({ state, stateReason: reason, stateCause: cause });
  },
);
