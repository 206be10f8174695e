import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/contract/resources.ts';
import { checkEvidence, type Evidence } from '../../../src/surfaces/cli/demo/check-evidence.ts';
import { demoReport } from '../../../src/surfaces/cli/demo/demo-report.ts';
import { nextSteps } from '../../../src/surfaces/cli/demo/show-outcome.ts';
import { leftProcesses } from '../../../src/surfaces/cli/demo/stage/left-processes.ts';
import { newFiles } from '../../../src/surfaces/cli/demo/stage/project-files.ts';
import type { Stage } from '../../../src/surfaces/cli/demo/stage/stage.ts';
import { stepsKilledIn } from '../../../src/surfaces/cli/demo/watch-handoff.ts';
import { watchWork } from '../../../src/surfaces/cli/demo/watch-work.ts';
import { anEvent, aRun } from './support/resources.ts';

it("[D3] the demo does not count files in Baton's package archive as work of the successor", () => {
  const folder = mkdtempSync(join(tmpdir(), 'btd-'));
  mkdirSync(join(folder, '.project/07-audit/sessions/s/handoffs'), { recursive: true });
  writeFileSync(join(folder, '.project/07-audit/sessions/s/handoffs/HO-2026-001.yaml'), '');
  writeFileSync(join(folder, 'csv.ts'), '');
  expect(newFiles(folder, [])).toEqual(['csv.ts']);
});

const PATH = '/home/handoffs/x.md';
const prompt = (ref: string) => ({ type: 'submitted', text: `… [baton:abcd-${ref}]` });
const read = { type: 'tool', name: 'Read', ok: true, input: { file_path: PATH } };
const ack = (token: string) => ({
  type: 'tool',
  name: 'Bash',
  ok: true,
  input: { command: `baton ack 1 --proof ${token} --task 'go on'` },
});
const bytes = (text: string) => ({ type: 'bytes', hex: Buffer.from(text).toString('hex') });

const good: Evidence = {
  runId: 1,
  acknowledged: true,
  documentPath: PATH,
  document: '# Handoff\n\n<!-- handoff-end:T0KEN -->\n',
  predecessor: [prompt('skill'), prompt('instruction')],
  successor: [
    bytes('You are Con'),
    prompt('skill'),
    { type: 'paste', text: 'continue' },
    prompt('injection'),
    read,
    ack('T0KEN'),
  ],
};

describe('the proof of a handoff', () => {
  it('the demo calls a handoff proven if the logs contain all evidence', () => {
    expect(checkEvidence(good)).toEqual({ proofOk: true, problems: [] });
  });

  it.each<[string, Partial<Evidence>]>([
    ['an acknowledgement the server does not know', { acknowledged: false }],
    ['a document without its marker', { document: '# Handoff\n' }],
    ['a marker that is not at the end', { document: '<!-- handoff-end:T0KEN -->\nmore' }],
    ['a document that was not read', { successor: good.successor.filter((entry) => entry !== read) }],
    [
      'a failed read of the document',
      { successor: good.successor.map((entry) => (entry === read ? { ...read, ok: false } : entry)) },
    ],
    ['another token', { successor: [...good.successor.slice(0, -1), ack('T0KEN2')] }],
    ['an acknowledgement before the read', { successor: [...good.successor.slice(0, -2), ack('T0KEN'), read] }],
    ['a token that was pasted', { successor: [...good.successor, { type: 'paste', text: 'use T0KEN' }] }],
    [
      'a token that was typed in two pieces',
      { successor: [bytes('T0'), ...good.successor.slice(1), bytes('x')].toSpliced(1, 0, bytes('KEN')) },
    ],
  ])('the demo does not count a handoff with %s as proven', (_what, changes) => {
    const { proofOk, problems } = checkEvidence({ ...good, ...changes });
    expect(proofOk).toBe(false);
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe('problems with prompts in the demo', () => {
  const [, , , injection] = good.successor;
  it.each<[string, Partial<Evidence>]>([
    ['two instructions', { predecessor: [prompt('instruction'), prompt('instruction')] }],
    ['no instruction', { predecessor: [] }],
    ['two skills', { successor: [prompt('skill'), ...good.successor] }],
    ['two injections', { successor: [...good.successor, prompt('injection')] }],
    [
      'the skill after the injection',
      { successor: [prompt('injection'), ...good.successor.filter((entry) => entry !== injection)] },
    ],
  ])('the demo reports a problem with the prompts even if the handoff counts as proven: %s', (_what, changes) => {
    const { proofOk, problems } = checkEvidence({ ...good, ...changes });
    expect([proofOk, problems.length]).toEqual([true, 1]);
  });
});

describe('the demo while its agent works', () => {
  const watch = (...events: readonly Event[]) => {
    const follow = async function* () {
      yield* events;
    };
    const stage = { api: { follow }, project: import.meta.dirname, signal: new AbortController().signal };
    return watchWork(stage as unknown as Stage, 1, 0);
  };
  const about = (type: string, data: Event['data'], agent_id = 1) =>
    anEvent(7, { type, agent_id, run_id: null, sentence: `told ${type}`, data });

  it.each([
    about('agent_state_changed', { to: 'ended' }),
    about('agent_state_changed', { to: 'lost' }),
    about('message_verdict', { verdict: 'refused' }),
  ])('the demo fails at the event $type with $data and describes the event', async (event) => {
    await expect(watch(event)).rejects.toThrow(`told ${event.type}`);
  });

  it('the demo ignores events of other agents', async () => {
    const begun = anEvent(8, { agent_id: 1, run_id: 3 });
    const ended = about('agent_state_changed', { to: 'ended' }, 2);
    const accepted = about('message_verdict', { verdict: 'accepted' });
    expect(await watch(ended, accepted, begun)).toBe(begun);
  });
});

it('the demo reports in which step the server was killed', () => {
  const to = (seq: number, step: string) => anEvent(seq, { data: { to: step } });
  const started = (seq: number) => anEvent(seq, { type: 'server_started', run_id: null });
  expect(
    stepsKilledIn([
      to(1, 'awaiting_document'),
      started(2),
      to(3, 'verifying'),
      to(4, 'creating_successor'),
      started(5),
    ]),
  ).toEqual(['awaiting_document', 'creating_successor']);
});

it('the demo reads the next steps from the handoff document', () => {
  expect(nextSteps('# H\n\n## Next steps\n\n1. one\n2. two\n\n<!-- handoff-end:x -->\n')).toEqual([
    'Next steps',
    '1. one',
    '2. two',
  ]);
  expect(nextSteps('## 6. Next steps, and what remains\n- a\n## More\n- b')).toEqual([
    '6. Next steps, and what remains',
    '- a',
  ]);
  expect(nextSteps('nothing')).toEqual([]);
});

describe('the report of the demo', () => {
  const watched = {
    run: aRun({ step: 'completed', over: true, acknowledged: true }),
    verdict: { proofOk: true, problems: [] },
  };

  it('the report of the demo has exactly the documented fields', () => {
    expect(demoReport({ watched, fault: undefined, left: [], wallMs: 12.4, kills: undefined })).toEqual({
      completed: true,
      acknowledged: true,
      proof_ok: true,
      steps: [{ step: 'requested', ms: 12 }],
      wall_ms: 12,
      left_processes: 0,
    });
  });

  it('the report of the demo names the processes that are still running', () => {
    const report = demoReport({ watched, fault: undefined, left: [4711], wallMs: 1, kills: 2 });
    expect(report).toMatchObject({
      kills: 2,
      left_processes: 1,
      problems: ['Processes of the demo are still running: 4711.'],
    });
  });
});

it('the demo finds a process both by its environment and by its command line', async () => {
  const name = `/nowhere/baton-test-${process.pid}`;
  const linux = process.platform === 'linux';
  const child = spawn('sleep', ['20'], linux ? { env: { ...process.env, SOME_HOME: name } } : { argv0: name });
  await once(child, 'spawn');
  expect(await leftProcesses([name], 0)).toEqual([child.pid]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await leftProcesses([name])).toEqual([]);
});
