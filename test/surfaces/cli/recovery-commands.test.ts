import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunAction } from '../../../src/contract/resources.ts';
import { RUN_ACTIONS } from '../../../src/domain/handoffs/run.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { aRun } from './support/resources.ts';
import { runInHome } from './support/run-in-home.ts';

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
const sent = () => baton.seen.map(({ method, url, body }) => [method, url, body]);
const offer = { action: 'force_exit', title: 'Kill the agent', confirm: 'It is not asked.' } as const;

beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
});
afterEach(() => baton.remove());

describe('the commands for handoff actions', () => {
  it('every handoff action of the API has a command of its own', async () => {
    expect(RunAction.options).toEqual(RUN_ACTIONS);
    const { stdout } = await run('handoff', '--help');
    for (const action of RUN_ACTIONS) expect(stdout).toContain(` ${action.replaceAll('_', '-')} `);
  });

  it('`baton handoff show` prints the possible actions of a run as commands', async () => {
    baton.answer(
      'GET /api/runs/7',
      aRun({ actions: [offer, { action: 'adopt', title: 'Use a file', confirm: null }] }),
    );
    const { stdout } = await run('handoff', 'show', '7');
    expect(stdout).toContain('baton handoff force-exit 7');
    expect(stdout).toContain('baton handoff adopt 7 FILE');
  });

  it('if Baton began a handoff by itself, `baton handoff show` prints why', async () => {
    const because = 'the agent asked for it ("the parser is done"), and the handoff policy of its persona is auto';
    baton.answer('GET /api/runs/7', aRun({ begun_because: because }));
    expect((await run('handoff', 'show', '7')).stdout).toContain(`  begun by Baton  because ${because}\n`);
    baton.answer('GET /api/runs/7', aRun({ begun_because: null }));
    expect((await run('handoff', 'show', '7')).stdout).not.toContain('begun by Baton');
  });

  it('the command of a handoff action requests the action and prints the new step of the run', async () => {
    baton.answer('GET /api/runs/7', aRun({ actions: [offer] }));
    baton.answer('POST /api/runs/7/force_exit', aRun({ step: 'shutting_down' }));
    const { code, stdout } = await run('handoff', 'force-exit', '7', '--yes');
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'Handoff 7: Waiting for the old agent to exit.']);
    expect(sent()).toEqual([
      ['GET', '/api/runs/7', undefined],
      ['POST', '/api/runs/7/force_exit', {}],
    ]);
  });

  it('if the operator does not confirm a handoff action, the action is not requested', async () => {
    baton.answer('GET /api/runs/7', aRun({ actions: [offer] }));
    const { code, stderr } = await runInHome(baton.home, ['handoff', 'force-exit', '7'], { stdin: 'no\n', tty: true });
    expect(code).toBe(1);
    expect(stderr).toContain('Kill the agent? It is not asked.');
    expect(stderr).toContain('Handoff 7 was not changed.');
    expect(sent()).toHaveLength(1);
  });

  it('`baton handoff adopt` sends the absolute path of the adopted file', async () => {
    baton.answer('GET /api/runs/7', aRun());
    baton.answer('POST /api/runs/7/adopt', aRun({ step: 'verifying' }));
    expect((await run('handoff', 'adopt', '7', 'x.md')).code).toBe(0);
    expect(baton.seen.at(-1)?.body).toEqual({ file: `${process.cwd()}/x.md` });
  });

  it('an emergency handoff can be started on the command line', async () => {
    baton.answer('POST /api/agents/3/succeed', { status: 'initiated', run_id: 7 });
    baton.answer('POST /api/agents/3/handoff', { status: 'initiated', run_id: 8 });
    expect((await run('handoff', '3', '--emergency', '--note', 'x')).stdout).toContain('Handoff 7 has started.');
    expect((await run('handoff', '3', '--review')).stdout).toContain('Handoff 8 has started.');
    expect(baton.seen.map(({ body }) => body)).toEqual([{ note: 'x' }, { review: true }]);
  });
});

describe('the commands for the inbox and for handoff records', () => {
  it('`baton inbox` lists the items with their hints', async () => {
    const item = {
      id: 2,
      kind: 'failure',
      agent_id: 3,
      run_id: 7,
      sentence: 'Con (agent 3) did not exit.',
      hint: 'baton handoff show 7',
      opened_at: '2026-11-15T08:00:00.000Z',
      resolved_at: null,
      resolution: null,
      notified_at: null,
      notified: {},
    };
    baton.answer('GET /api/inbox', { items: [item] });
    baton.answer('POST /api/inbox/2/dismiss', item);
    const { stdout } = await run('inbox', 'list');
    expect(stdout).toContain('2  failure  Con (agent 3) did not exit.');
    expect(stdout).toContain('baton handoff show 7');
    expect(JSON.parse((await run('inbox', 'list', '--json')).stdout).items).toEqual([item]);
    expect((await run('inbox', 'dismiss', '2')).stdout).toBe('Inbox item 2 is dismissed.\n');
    for (const [resolution, says] of [
      ['dismissed by the operator', 'is dismissed.'],
      ['its cause is resolved', 'was already over: its cause is resolved.'],
    ] as const) {
      baton.answer('POST /api/inbox/2/dismiss', { ...item, resolved_at: item.opened_at, resolution });
      expect(await run('inbox', 'dismiss', '2')).toEqual({ code: 0, stdout: `Inbox item 2 ${says}\n`, stderr: '' });
    }
    baton.answer('GET /api/inbox', { items: [] });
    expect((await run('inbox', 'list')).stdout).toBe('Nothing needs you.\n');
  });

  it('a handoff record and its document can be shown on the command line', async () => {
    const offer = { action: 'resume', title: 'Start a successor', confirm: 'Con is not asked.' } as const;
    const record = {
      id: 1,
      agent_id: 3,
      reason: 'shift_end',
      file_path: 'data/personas/developer-con-1/handoffs/x.md',
      injection_prompt: 'Read it',
      created_at: '2026-11-15T08:00:00.000Z',
      run: aRun({ step: 'failed', actions: [offer] }),
      document_text: '# Where I am\n\n- 3 of 5 steps \u001b[31mdone\n',
    };
    baton.answer('GET /api/handoffs/1', record);
    baton.answer('POST /api/handoffs/1/resume', aRun({ step: 'recorded' }));
    const { stdout } = await run('handoff', 'show-record', '1');
    expect(stdout).toMatch(/^Handoff 7 of agent 3 \(shift_end\)\n/);
    expect(stdout).toContain('data/personas/developer-con-1/handoffs/x.md');
    expect(stdout.trimEnd().split('\n').slice(-3)).toEqual(['# Where I am', '', '- 3 of 5 steps done']);
    expect(JSON.parse((await run('handoff', 'show-record', '1', '--json')).stdout)).toEqual(record);
    const asked = await runInHome(baton.home, ['handoff', 'resume-record', '1'], { stdin: 'no\n', tty: true });
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('Handoff 7 was not changed.')]);
    expect(baton.seen.some(({ method }) => method === 'POST')).toBe(false);
    expect((await run('handoff', 'resume-record', '1', '--yes')).stdout).toContain(
      'Handoff 7: Checking that a successor can start.',
    );
    expect(sent().at(-1)).toEqual(['POST', '/api/handoffs/1/resume', {}]);
  });

  it('for a search hit in a document, the output names the command that prints the document with the same line numbers', async () => {
    const hit = { id: 1, kind: 'document', at: '2026-11-15T08:00:00.000Z', title: 'Document of Con', package_id: null };
    const place = { run_id: 7, agent_id: 3, line: 3, personas: [], project: null, page: '#/runs/7?line=3' };
    const excerpt = [{ text: '3 of 5 steps', hit: true }];
    baton.answer('GET /api/search', { hits: [{ ...hit, ...place, excerpt }], next: null, indexed_percent: 100 });
    expect((await run('search', 'steps')).stdout).toContain('baton handoff show 7 --document   (line 3)\n');
    baton.answer('GET /api/runs/7', aRun({ handoff_id: 1 }));
    const record = { id: 1, agent_id: 3, reason: 'shift_end', file_path: 'x.md', injection_prompt: 'Read it' };
    const text = { document_text: '# Where I am\n\n- 3 of 5 steps done\n', created_at: hit.at, run: aRun() };
    baton.answer('GET /api/handoffs/1', { ...record, ...text });
    const { code, stdout } = await run('handoff', 'show', '7', '--document');
    expect([code, stdout.split('\n')[place.line - 1]]).toEqual([0, '- 3 of 5 steps done']);
    baton.answer('GET /api/runs/7', aRun({ handoff_id: null, document: null }));
    const none = await run('handoff', 'show', '7', '--document');
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('Handoff 7 has no verified document.')]);
  });

  it('[D6] the handoffs of a persona can be listed on the command line', async () => {
    const record = {
      id: 1,
      agent_id: 3,
      reason: 'shift_end',
      file_path: null,
      created_at: '2026-11-15T08:00:00.000Z',
      persona: 'developer-con-1',
      run_id: 7,
      step: 'completed',
      successor_agent_id: 4,
      acknowledged: true,
      emergency: true,
    };
    baton.answer('GET /api/handoffs', { handoffs: [record] });
    const { stdout } = await run('persona', 'handoffs', 'developer-con-1');
    expect(stdout).toContain('(emergency: none)');
    expect(stdout).toMatch(/^HANDOFF +AGENT.*\n7 +3 /);
    expect(stdout).not.toMatch(/\brecord\b/i);
    expect(baton.seen[0]?.url).toBe('/api/handoffs?persona=developer-con-1');
    baton.answer('GET /api/handoffs', { handoffs: [] });
    expect((await run('persona', 'handoffs', 'x')).stdout).toContain('has no handoffs yet');
  });
});
