import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HandoffSummary, Lineage, PersonaDetail } from '../../../src/contract/resources.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { anAgent } from './support/resources.ts';
import { runInHome } from './support/run-in-home.ts';

const SLUG = 'developer-con-1';
const AT = '2026-11-15T08:00:00.000Z';
const TEXT = '# Con\r\n\u001b[31mred\n';
const aPersona = (changes: Partial<PersonaDetail> = {}): PersonaDetail => ({
  slug: SLUG,
  role: 'developer',
  name: 'Con',
  status: 'active',
  folder: `/home/data/personas/${SLUG}`,
  created_at: AT,
  skill: { text: TEXT, sha256: 'abc' },
  experience: { text: null, sha256: null },
  agents: [3, 5],
  ...changes,
});

let baton: FakeBaton;
const run = (...argv: string[]) => runInHome(baton.home, argv);
const sent = () => baton.seen.map(({ method, url, body }) => [method, url, body]);
beforeEach(async () => {
  baton = new FakeBaton();
  await baton.listen();
  baton.answer(`GET /api/personas/${SLUG}`, aPersona());
});
afterEach(() => baton.remove());

describe('the command line for personas', () => {
  it('`baton persona show` prints a persona', async () => {
    const { code, stdout } = await run('persona', 'show', SLUG);
    expect(code).toBe(0);
    for (const part of ['Con, developer', SLUG, 'active', '16 bytes', 'none', '3, 5']) expect(stdout).toContain(part);
    expect(JSON.parse((await run('persona', 'show', SLUG, '--json')).stdout)).toEqual(aPersona());
  });

  it('if the skill of a persona cannot be used, `baton persona show` says why', async () => {
    const problem =
      '/x/skill.md was left as it is: the path of the file leads through a symbolic link. Fix it, then try again';
    baton.answer(`GET /api/personas/${SLUG}`, aPersona({ skill: { text: null, sha256: null, problem } }));
    expect((await run('persona', 'show', SLUG)).stdout).toContain(problem);
    for (const more of [[], ['--file', '-']])
      expect(await runInHome(baton.home, ['persona', 'skill', SLUG, ...more], { stdin: 'x' })).toMatchObject({
        code: 1,
        stderr: `${problem}\n`,
      });
    expect(baton.seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  it.each([
    [['edit', SLUG, '--name', 'Zoë'], 'edit', { name: 'Zoë' }, 'is Con, developer'],
    [['edit', SLUG, '--role', 'tester', '--name', 'Zoë'], 'edit', { role: 'tester', name: 'Zoë' }, 'is Con, developer'],
    [['archive', SLUG], 'archive', {}, `baton persona restore ${SLUG}`],
    [['restore', SLUG], 'restore', {}, 'is active'],
  ])('the persona command %j sends its request and prints the result', async (argv, path, body, says) => {
    baton.answer(`POST /api/personas/${SLUG}/${path}`, aPersona());
    const { code, stdout } = await run('persona', ...argv);
    expect([code, sent()]).toEqual([0, [['POST', `/api/personas/${SLUG}/${path}`, body]]]);
    expect(stdout).toContain(says);
    expect(JSON.parse((await run('persona', ...argv, '--json')).stdout)).toEqual(aPersona());
  });

  it("control characters are removed from a persona's text when it is printed", async () => {
    expect(await run('persona', 'skill', SLUG)).toEqual({ code: 0, stdout: '# Con\nred\n', stderr: '' });
    expect(JSON.parse((await run('persona', 'skill', SLUG, '--json')).stdout)).toEqual({ text: TEXT, sha256: 'abc' });
    expect(await run('persona', 'experience', SLUG)).toEqual({
      code: 0,
      stdout: '',
      stderr: `${SLUG} has no experience.md.\n`,
    });
  });

  it("a persona's text from a file is saved byte for byte", async () => {
    const text = '\ufeffbe bold\r\nsay so';
    const file = join(baton.home, 'new.md');
    writeFileSync(file, text);
    expect(readFileSync(file).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    baton.answer(`POST /api/personas/${SLUG}/skill`, aPersona({ skill: { text, sha256: 'def' } }));
    baton.answer(`POST /api/personas/${SLUG}/experience`, aPersona());
    expect((await run('persona', 'skill', SLUG, '--file', file)).stdout).toContain('Saved skill.md');
    const { stdout } = await runInHome(baton.home, ['persona', 'experience', SLUG, '--file', '-'], { stdin: 'much\n' });
    expect(stdout).toContain('already has this text');
    expect(sent().filter(([method]) => method === 'POST')).toEqual([
      ['POST', `/api/personas/${SLUG}/skill`, { text, based_on: 'abc' }],
      ['POST', `/api/personas/${SLUG}/experience`, { text: 'much\n', based_on: null }],
    ]);
  });

  it("a file that is not text is refused as a persona's text", async () => {
    const file = join(baton.home, 'new.md');
    expect(await run('persona', 'skill', SLUG, '--file', file)).toMatchObject({ code: 2 });
    writeFileSync(file, Buffer.from([0x61, 0xff]));
    expect((await run('persona', 'skill', SLUG, '--file', file)).stderr).toContain('is not UTF-8 text');
    expect(baton.seen).toEqual([]);
    writeFileSync(file, 'x');
    const refusal = { error: 'skill.md has changed meanwhile', code: 'persona_text_changed', hint: 'Read it again' };
    baton.answer(`POST /api/personas/${SLUG}/skill`, refusal, 409);
    expect(await run('persona', 'skill', SLUG, '--file', file)).toMatchObject({
      code: 1,
      stderr: `${refusal.error}\n${refusal.hint}\n`,
    });
  });

  it('the command line can list the agents that had a persona', async () => {
    const bearer: Lineage['agents'][number] = {
      id: 3,
      label: 'Con',
      uuid8: '0f8fad5b',
      state: 'ended',
      project: 'tally',
      runtime: 'practice',
      previous_agent_id: null,
      brought_back: false,
      wore_until: null,
      started_at: AT,
      ended_at: AT,
    };
    const { skill: _, experience: __, agents: ___, ...persona } = aPersona();
    const record = {
      id: 1,
      agent_id: 3,
      created_at: new Date(Date.now() - 3 * 3_600_000 - 5000).toISOString(),
    } as HandoffSummary;
    const handoff = { ...record, reason: 'shift_end', file_path: null, persona: SLUG, run_id: 1, step: 'completed' };
    const lineage: Lineage = {
      persona,
      agents: [bearer, { ...bearer, id: 5, state: 'idle', previous_agent_id: 3, brought_back: true, ended_at: null }],
      handoffs: [{ ...handoff, successor_agent_id: 4, acknowledged: true, emergency: false }],
    };
    baton.answer(`GET /api/personas/${SLUG}/lineage`, lineage);
    const { stdout } = await run('persona', 'lineage', SLUG);
    expect(stdout.split('\n')[1]).toMatch(/^3 +0f8fad5b +ended +- +3 h ago/);
    expect(stdout.split('\n')[2]).toMatch(/^5 +0f8fad5b +idle +3 \(resumed\) +- /);
    expect(JSON.parse((await run('persona', 'lineage', SLUG, '--json')).stdout)).toEqual(lineage);
  });

  it('after `baton agent give-persona`, a warning says that the agent might ask for permission before it writes a handoff document', async () => {
    baton.answer('POST /api/agents/3/persona', anAgent());
    const { code, stdout } = await run('agent', 'give-persona', '3', SLUG);
    expect([code, sent()]).toEqual([0, [['POST', '/api/agents/3/persona', { persona: SLUG, replace: false }]]]);
    expect(stdout).toContain('may ask before it writes');
  });

  it.each([
    ['Con', 'Con'],
    ['../agents', 'agents'],
    ['Zoë B', 'zoe-b'],
  ])('[U3] the persona name %j is sent as %j in the request path', async (name, part) => {
    baton.answer(`GET /api/personas/${part}`, { error: `Persona "${name}" not found`, code: 'persona_not_found' }, 404);
    expect((await run('persona', 'show', name)).stderr).toContain(`Persona "${name}" not found`);
  });

  it.each(['..', '.', '', '測試', 'a'.repeat(201)])(
    'the invalid persona name %j is refused before a request is sent',
    async (slug) => {
      expect(await run('persona', 'show', slug)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('baton persona list'),
      });
      expect(baton.seen).toEqual([]);
    },
  );
});
