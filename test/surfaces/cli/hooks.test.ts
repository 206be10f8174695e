import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/contract/resources.ts';
import { FakeBaton } from './support/fake-baton.ts';
import { runInHome } from './support/run-in-home.ts';

let baton: FakeBaton;
let folder = '';
let file = '';
const run = (...argv: string[]) =>
  runInHome(baton.home, ['hooks', ...argv], { env: { HOME: join(baton.home, 'user') } });
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout);
const MINE = '{\n\t"model": "x",\n\t"hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] }\n}';

beforeEach(async () => {
  baton = new FakeBaton();
  folder = join(baton.home, 'user', '.claude');
  file = join(folder, 'settings.json');
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, MINE);
  baton.answer('GET /api/candidates', { candidates: [] });
  await baton.listen();
});
afterEach(() => baton.remove());

function putScript(): void {
  mkdirSync(join(baton.home, 'bin'));
  writeFileSync(join(baton.home, 'bin', 'baton-candidate'), '#!/bin/sh\n', { mode: 0o700 });
}

describe('baton hooks install and uninstall', () => {
  it("`baton hooks` changes no entries of the settings file except Baton's own", async () => {
    const installed = await run('install');
    expect([installed.code, installed.stderr]).toEqual([0, '']);
    expect(installed.stdout).toMatch(
      /settings\.json was changed\n {2}added SessionStart: .*\n {2}added UserPromptSubmit: /,
    );
    expect(installed.stdout).toContain('baton agent adopt SESSION');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('\n\t\t"SessionStart": [');
    const [copy = ''] = readdirSync(folder).filter((name) => name.includes('baton-backup'));
    expect(installed.stdout).toContain(copy);
    expect(readFileSync(join(folder, copy), 'utf8')).toBe(MINE);

    expect((await run('install')).stdout).toContain('nothing to change');
    expect([readFileSync(file, 'utf8'), readdirSync(folder).length]).toEqual([text, 2]);

    expect((await run('uninstall')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(MINE);
    expect(await run('uninstall')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to change') });
  });

  it('[U10] `baton hooks --dry-run` prints the change as a diff and writes nothing', async () => {
    const { stdout } = await run('install', '--dry-run');
    expect(stdout).toMatch(
      /would be changed; nothing was written\n--- .*settings\.json\n\+\+\+ .*\n@@ -1,\d+ \+1,\d+ @@\n \{\n/,
    );
    const lines = stdout.split('\n');
    expect(lines.filter((line) => /^\+\s+"SessionStart": \[$/.test(line))).toHaveLength(1);
    expect(lines, 'the unchanged lines around the change').toContain(' \t"model": "x",');
    const narrow = await runInHome(baton.home, ['hooks', 'install', '--dry-run'], {
      env: { HOME: join(baton.home, 'user'), NO_COLOR: '1' },
      tty: true,
      columns: 60,
    });
    const isCut = narrow.stdout.split('\n').slice(0, -2);
    expect(Math.max(...isCut.map((line) => line.length))).toBe(60);
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([MINE, ['settings.json']]);
    expect(await json('install', '--dry-run')).toMatchObject({
      dry_run: true,
      settings: [{ state: 'not_installed', backup: null, changes: Array(8).fill({ what: 'added' }) }],
    });
    await run('install');
    expect((await json('uninstall', '--dry-run')).settings[0]).toMatchObject({ state: 'installed' });
  });

  it('if CLAUDE_CONFIG_DIR is set, `baton hooks` uses that folder', async () => {
    const other = join(baton.home, 'other');
    mkdirSync(other);
    const env = { HOME: join(baton.home, 'user'), CLAUDE_CONFIG_DIR: other };
    expect((await runInHome(baton.home, ['hooks', 'install'], { env })).code).toBe(0);
    expect([readdirSync(other), readFileSync(file, 'utf8')]).toEqual([['settings.json'], MINE]);
    expect((await runInHome(baton.home, ['hooks', 'uninstall'], { env })).code).toBe(0);
    expect(readdirSync(other).filter((name) => name === 'settings.json')).toEqual([]);
  });

  it.each([
    ['not JSON', () => writeFileSync(file, '{ "a": 1, }'), 'is not valid JSON'],
    ['read-only', () => chmodSync(file, 0o400), 'is read-only'],
  ])('if the settings file is %s, `baton hooks` exits 1 and changes nothing', async (_name, spoil, why) => {
    spoil();
    const before = readFileSync(file, 'utf8');
    const { code, stdout } = await run('install');
    expect([code, stdout]).toEqual([1, expect.stringContaining(why)]);
    expect((await json('install')).settings[0]).toMatchObject({ state: null, problem: expect.stringContaining(why) });
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([before, ['settings.json']]);
  });
});

it('`baton hooks install` refuses a home that is not an absolute path', async () => {
  const env = { HOME: join(baton.home, 'user') };
  const { code, stderr } = await runInHome('relative', ['hooks', 'install'], { env });
  expect([code, stderr]).toEqual([1, expect.stringContaining('must be an absolute path')]);
  expect(readFileSync(file, 'utf8')).toBe(MINE);
});

describe('baton hooks status', () => {
  it('`baton hooks status` says whether Baton can see external sessions', async () => {
    expect(await run('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('not installed') });
    await run('install');
    const { code, stdout } = await run('status');
    expect([code, stdout]).toEqual([1, expect.stringContaining('does not exist yet; Baton creates it when it starts')]);
    putScript();
    const seen = await run('status');
    expect([seen.code, seen.stderr]).toEqual([0, '']);
    for (const told of [
      'installed',
      file,
      'version',
      'SessionStart',
      '# baton hooks v2',
      'visible to Baton',
      'baton agent adopt SESSION',
    ])
      expect(seen.stdout).toContain(told);
    expect((await json('status')).settings[0]).toMatchObject({
      state: 'installed',
      version: 2,
      current_version: 2,
      file,
      script: join(baton.home, 'bin', 'baton-candidate'),
      script_exists: true,
      sees_sessions: true,
      problem: null,
    });

    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('baton hooks v2', 'baton hooks v1'));
    expect(await run('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('outdated') });
    writeFileSync(file, text.replace('"SessionEnd"', '"SessionOver"'));
    expect(await run('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('only in part') });
    writeFileSync(file, text.replace('{', '{ "disableAllHooks": true,'));
    expect(await run('status')).toMatchObject({ code: 1, stdout: expect.stringContaining('"disableAllHooks" is set') });
    writeFileSync(file, '[]');
    expect(await run('status')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('not contain a JSON object'),
    });
  });

  it('`baton hooks status` lists the external sessions', async () => {
    const candidate: Candidate = {
      runtime: 'practice',
      session_id: 'abc-1',
      folder: '/src/\u001b[31mtally',
      transcript_path: null,
      pid: 7,
      tmux: { socket: '/tmp/tmux-1/default', pane: '%3' },
      first_seen_at: '2026-11-15T07:00:00.000Z',
      last_seen_at: new Date(Date.now() - 125_000).toISOString(),
      ended_at: null,
      alive: true,
      why_not: null,
      default_persona: null,
    };
    const candidates = [candidate, { ...candidate, session_id: 'abc-2', tmux: null, folder: null, alive: false }];
    baton.answer('GET /api/candidates', { candidates });
    const { stdout } = await run('status');
    expect(stdout).toMatch(/abc-1 +\/src\/tally +%3 on \/tmp\/tmux-1\/default +2 min ago +yes/);
    expect(stdout).toMatch(/abc-2 +- +- +2 min ago +no/);
    expect(stdout).not.toContain('\u001b');
    expect((await json('status')).candidates).toEqual(candidates);
  });

  it('even if Baton is not running, `baton hooks status` checks the settings file', async () => {
    await baton.die();
    putScript();
    await run('install');
    const { code, stdout } = await run('status');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Baton is not running, so the sessions')]);
    expect((await json('status')).candidates).toBeNull();
  });
});
