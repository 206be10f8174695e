import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lesson, OpenPoint } from '../../../src/contract/knowledge.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { runInHome } from './support/run-in-home.ts';

const SLUG = 'developer-con-1';
const AT = '2026-11-15T08:00:00.000Z';
const point = (id: number, closed: OpenPoint['closed'] = null): OpenPoint => ({
  id,
  name: `OP-${id}`,
  kind: 'question',
  text: `Which license ${id}?`,
  run_id: 1,
  named_by_run_id: 2,
  agent_id: 1,
  created_at: AT,
  closed,
});
const lesson = (id: number, state: Lesson['state']): Lesson => ({
  id,
  text: `Lint first ${id}.`,
  state,
  run_id: 1,
  created_at: AT,
  decided_at: null,
  automatic: false,
});

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, ['persona', ...argv]);
const sent = () => baton.seen.map(({ method, url, body }) => [method, url, body]);
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
  baton.answer(`GET /api/personas/${SLUG}/knowledge`, {
    persona: SLUG,
    points: [point(1), point(2, { by: 'agent', run_id: 5, at: AT })],
    lessons: [lesson(1, 'offered'), lesson(2, 'accepted')],
  });
});
afterEach(() => baton.remove());

describe('the commands for open points and lessons', () => {
  it("`baton persona points` lists a persona's open points, and with --all its closed points too", async () => {
    const { stdout } = await run('points', SLUG);
    expect(stdout).toContain('Which license 1?');
    expect(stdout).not.toContain('Which license 2?');
    expect((await run('points', SLUG, '--all')).stdout).toContain('closed by handoff 5');
    expect(JSON.parse((await run('points', SLUG, '--json')).stdout)).toEqual({ persona: SLUG, points: [point(1)] });
  });

  it('`baton persona close-point` accepts the names and the numbers of open points', async () => {
    for (const id of [1, 3])
      baton.answer(`POST /api/points/${id}/close`, point(id, { by: 'person', run_id: null, at: AT }));
    expect(await run('close-point', 'OP-1', '3')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('OP-3 is closed'),
    });
    expect(sent()).toEqual([
      ['POST', '/api/points/1/close', {}],
      ['POST', '/api/points/3/close', {}],
    ]);
    expect(await run('close-point', 'point')).toMatchObject({ code: 2 });
  });

  it('if the change of one open point is refused, the other open points are still changed and printed', async () => {
    for (const verb of ['close', 'reopen']) {
      const refusal = { error: 'Open point OP-9 not found', code: 'point_not_found' };
      baton.answer(`POST /api/points/9/${verb}`, refusal, 404);
      for (const id of [1, 3]) baton.answer(`POST /api/points/${id}/${verb}`, point(id));
      const names = [`${verb}-point`, 'OP-1', 'OP-9', 'OP-3'];
      const { code, stdout } = await run(...names);
      expect([code, stdout.split('\n')]).toEqual([
        1,
        [
          '✓ OP-1 is open: Which license 1?',
          `✗ OP-9 was not ${verb === 'close' ? 'closed' : 'opened again'}: Open point OP-9 not found`,
          '✓ OP-3 is open: Which license 3?',
          '',
        ],
      ]);
      const json = await run(...names, '--json');
      expect([json.code, JSON.parse(json.stdout)]).toEqual([
        1,
        { points: [point(1), point(3)], refused: [{ name: 'OP-9', ...refusal }] },
      ]);
      expect(await run(`${verb}-point`, 'OP-9')).toEqual({ code: 1, stdout: '', stderr: `${refusal.error}\n` });
    }
  });

  it('`baton persona reopen-point` makes a closed point an open point again', async () => {
    baton.answer('POST /api/points/2/reopen', point(2));
    expect((await run('reopen-point', 'OP-2')).stdout).toContain('OP-2 is open');
  });

  it('`baton persona lessons` lists the undecided lessons and names the command that accepts a lesson', async () => {
    const { stdout } = await run('lessons', SLUG);
    expect(stdout).toContain('Lint first 1.');
    expect(stdout).not.toContain('Lint first 2.');
    expect(stdout).toContain('baton persona accept-lesson NUMBER');
    const all = JSON.parse((await run('lessons', SLUG, '--all', '--json')).stdout);
    expect(all.lessons).toHaveLength(2);
  });

  it('a person can accept, reword and discard lessons by persona commands', async () => {
    baton.answer('POST /api/lessons/1/accept', lesson(1, 'accepted'));
    baton.answer('POST /api/lessons/1/discard', lesson(1, 'discarded'));
    expect((await run('accept-lesson', '1')).stdout).toContain('Lesson 1 is in experience.md');
    await run('accept-lesson', '1', '--text', 'Mine');
    expect((await run('discard-lesson', '1')).stdout).toContain('not offered again');
    expect(sent().map(([, url, body]) => [url, body])).toEqual([
      ['/api/lessons/1/accept', {}],
      ['/api/lessons/1/accept', { text: 'Mine' }],
      ['/api/lessons/1/discard', {}],
    ]);
  });
});
