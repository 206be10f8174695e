import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { externalSessionScript, operatorCommand } from '../../../src/adapters/spool/external-session-script.ts';
import { openSpool } from '../../../src/adapters/spool/spool-folder.ts';
import type { Overflow, Spool, SpooledSession } from '../../../src/app/ports/spool.ts';
import { waitingIn } from './waiting-in.ts';

describe('the spool of hooks', () => {
  let root = '';
  let folder = '';
  let script = '';
  let externalSessionScriptPath = '';
  let trouble: string[] = [];
  let spool: Spool;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "bt spool's-"));
    folder = join(root, 'spool');
    script = join(root, 'baton-hook');
    externalSessionScriptPath = join(root, 'baton-candidate');
    mkdirSync(folder);
    trouble = [];
    spool = openSpool({
      folder,
      scriptPath: script,
      externalSessionScriptPath,
      adoptedScriptPath: join(root, 'baton-adopted'),
      adoptedFolder: join(root, 'adopted'),
      onProblem: (sentence) => trouble.push(sentence),
    });
  });

  /** The files in the spool, except the counter, which always exists. */
  const held = (): string[] => readdirSync(folder).filter((name) => !name.startsWith('unwritten'));
  const scripts = () => ({
    externalSessionScript: externalSessionScriptPath,
    adoptedScript: join(root, 'baton-adopted'),
    adoptedFolder: join(root, 'adopted'),
  });
  const fire = (
    event: string,
    payload: unknown,
    env: object = { BATON_AGENT_ID: '7', BATON_AGENT_TOKEN: 'tok' },
  ): string =>
    execFileSync('/bin/sh', ['-c', spool.hookCommand(event)], {
      input: typeof payload === 'string' ? payload : JSON.stringify(payload),
      env: { PATH: process.env.PATH, ...env },
      encoding: 'utf8',
    });

  it('[X-8] a FIFO in place of a hook file does not block the server', async () => {
    writeFileSync(join(root, 'secret'), 'baton1 tok Stop 1 -\n{}');
    execFileSync('mkfifo', [join(folder, '7-1000000001-11'), join(folder, 'order-7')]);
    symlinkSync(join(root, 'secret'), join(folder, '7-1000000002-12'));
    fire('Stop', { session_id: 's' });
    const hooks = await waitingIn(spool);
    expect(hooks).toHaveLength(1);
    expect(hooks[0]?.key).not.toMatch(/-1[12]@/);
  });

  it('the spool returns the hooks in the order in which the hook script wrote them', async () => {
    for (let n = 0; n < 20; n++) fire('Stop', { n, text: 'it\'s\n"x"' });
    const hooks = await waitingIn(spool);
    expect(hooks.map(({ payload }) => (payload as { n: number }).n)).toEqual([...Array(20).keys()]);
    expect(hooks[0]).toMatchObject({ agentId: 7, token: 'tok', event: 'Stop' });
    expect(trouble).toEqual([]);
  });

  it('[F36] hooks with the same file time stay in order', async () => {
    for (let n = 0; n < 12; n++) fire('Stop', { n });
    for (const name of readdirSync(folder).filter((each) => /^7-/.test(each))) {
      const [agent, count] = name.split('-');
      const path = join(folder, `${agent}-${count}-${2_000_000_000 - Number(count)}`);
      renameSync(join(folder, name), path);
      utimesSync(path, 1_700_000_000, 1_700_000_000);
    }
    const seen = (await waitingIn(spool)).map(({ payload }) => (payload as { n: number }).n);
    expect(seen).toEqual([...Array(12).keys()]);
  });

  it('[T17] a hook file contains the process id of the client, not of a shell between the client and the hook', async () => {
    const command = `true; ${spool.hookCommand('Stop')}`;
    const env = { PATH: process.env.PATH, BATON_AGENT_ID: '7', BATON_AGENT_TOKEN: 'tok' };
    execFileSync('/bin/sh', ['-c', command], { input: '{}', env });
    fire('Stop', {});
    expect((await waitingIn(spool)).map((hook) => 'clientPid' in hook && hook.clientPid)).toEqual([
      process.pid,
      process.pid,
    ]);
  });

  describe('[H25] the hook at the start of a session', () => {
    const start = () => join(root, "what's given");
    const agent = { BATON_AGENT_ID: '7', BATON_AGENT_TOKEN: 'tok' };
    const given = async () => (await waitingIn(spool)).map((hook) => 'given' in hook && hook.given);
    const output = `{"text":"back\\\\slash, 'quote', 漢字"}\n`;

    it('the session start hook prints the prepared skill unchanged', async () => {
      writeFileSync(start(), `0123456789abcdef\n${output}`);
      const env = { ...agent, BATON_SESSION_START: start() };
      expect(fire('SessionStart', { source: 'startup' }, env)).toBe(output);
      expect(fire('Stop', {}, env)).toBe('');
      expect(await given()).toEqual(['0123456789abcdef', null]);
      expect((await waitingIn(spool))[0]?.payload).toEqual({ source: 'startup' });
    });

    it('the session start hook prints nothing if no skill is prepared', async () => {
      expect(fire('SessionStart', {}, { ...agent, BATON_SESSION_START: join(root, 'gone') })).toBe('');
      expect(fire('SessionStart', {}, agent)).toBe('');
      writeFileSync(start(), 'not a name of ours\nx');
      fire('SessionStart', {}, { ...agent, BATON_SESSION_START: start() });
      expect(await given()).toEqual([null, null, null]);
    });

    it('if the client did not read the skill, the session start event does not say that the skill was given', async () => {
      writeFileSync(start(), `0123456789abcdef\n${'x'.repeat(1_000_000)}`);
      const env = { PATH: process.env.PATH, ...agent, BATON_SESSION_START: start() };
      execFileSync('/bin/sh', ['-c', `(${spool.hookCommand('SessionStart')}) | true`], { input: '{}', env });
      await expect.poll(given).toEqual([null]);
    });

    it('the session start hook prints the skill even if the folder of the spool is missing', () => {
      writeFileSync(start(), `0123456789abcdef\n${output}`);
      execFileSync('/bin/rm', ['-r', folder]);
      expect(fire('SessionStart', {}, { ...agent, BATON_SESSION_START: start() })).toBe(output);
    });
  });

  it('the spool loses no hooks if its counter file is broken or missing', () => {
    fire('Stop', {});
    for (const broken of ['', 'x', '12', '1999999999', 'a[$(touch /tmp/no)]']) {
      writeFileSync(join(folder, 'order-7'), broken);
      fire('Stop', {});
    }
    expect(readdirSync(folder).filter((name) => /^7-\d{10}-\d+$/.test(name))).toHaveLength(6);
  });

  it('[F36] Baton replaces the hook script by a new file, because a running script must not be overwritten', () => {
    const before = statSync(script).ino;
    // Keep a second hard link to the old file. Without this link, the file system could reuse the old inode number for
    // the new file.
    linkSync(script, `${script}.kept`);
    openSpool({
      folder,
      scriptPath: script,
      externalSessionScriptPath,
      adoptedScriptPath: join(root, 'baton-adopted'),
      adoptedFolder: join(root, 'adopted'),
      onProblem: (sentence) => trouble.push(sentence),
    });
    expect(statSync(script).ino).not.toBe(before);
    expect(statSync(script).mode & 0o777).toBe(0o700);
  });

  it('a waiting hook keeps the same key each time the spool is read', async () => {
    fire('Stop', {});
    const [first] = await waitingIn(spool);
    const [again] = await waitingIn(spool);
    expect(again?.key).toBe(first?.key);
    if (first !== undefined) await spool.remove(first);
    if (first !== undefined) await spool.remove(first);
    expect(await waitingIn(spool)).toEqual([]);
  });

  it('[F36] the spool loses none of fifty hooks that arrive at once', async () => {
    const run = promisify(execFile);
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const done = run('/bin/sh', ['-c', spool.hookCommand('Stop')], {
          env: { PATH: process.env.PATH, BATON_AGENT_ID: '7', BATON_AGENT_TOKEN: 'tok' },
        });
        done.child.stdin?.end(JSON.stringify({ n }));
        await done;
      }),
    );
    const seen = (await waitingIn(spool)).map(({ payload }) => (payload as { n: number }).n).sort((a, b) => a - b);
    expect(seen).toEqual([...Array(50).keys()]);
  });

  it('the hook script always exits 0', async () => {
    fire('Stop', {}, {});
    expect(await waitingIn(spool)).toEqual([]);
    execFileSync('/bin/chmod', ['500', folder]);
    expect(() => fire('Stop', {})).not.toThrow();
    execFileSync('/bin/chmod', ['700', folder]);
    execFileSync('/bin/rm', ['-r', folder]);
    expect(() => fire('Stop', {})).not.toThrow();
  });

  it("the hook script prints Baton's text for the agent's status line", () => {
    expect(fire('StatusLine', {})).toBe('baton');
    expect(fire('Stop', {})).toBe('');
  });

  it('the hook script confirms an acknowledgment only after writing the acknowledgment to the spool', () => {
    expect(fire('Acknowledge', {})).toBe('kept');
    execFileSync('/bin/rm', ['-r', folder]);
    expect(fire('Acknowledge', {})).toBe('');
  });

  it('Baton removes and reports a file in the spool that is not a hook', async () => {
    fire('Stop', 'not json');
    expect((await waitingIn(spool))[0]?.payload).toBeUndefined();
    writeFileSync(join(folder, '7-1-0'), 'garbage');
    expect(await waitingIn(spool)).toHaveLength(1);
    expect(trouble).toHaveLength(1);
    expect(held()).not.toContain('7-1-0');
  });

  it('[F2] the spool does not read a half-written hook', async () => {
    writeFileSync(join(folder, '.7-2-0'), 'baton1 tok St');
    expect(await waitingIn(spool)).toEqual([]);
    expect(held()).toEqual(['.7-2-0']);
    utimesSync(join(folder, '.7-2-0'), 1, 1);
    await waitingIn(spool);
    expect(held()).toEqual([]);
  });

  describe('[F36] a full spool', () => {
    const withCap = (files: number, kilobytes: number) => {
      const cap = { files, kilobytes, lookEvery: 1 };
      spool = openSpool({
        folder,
        scriptPath: script,
        externalSessionScriptPath,
        adoptedScriptPath: join(root, 'baton-adopted'),
        adoptedFolder: join(root, 'adopted'),
        onProblem: (sentence) => trouble.push(sentence),
        cap,
      });
    };
    const numbers = async () => (await waitingIn(spool)).map(({ payload }) => (payload as { n: number }).n);

    it('a full spool keeps the oldest hooks and counts the dropped hooks', async () => {
      withCap(5, 1_000_000);
      for (let n = 0; n < 8; n++) expect(fire('StatusLine', { n })).toBe('baton');
      expect(fire('Acknowledge', {})).toBe('');
      const kept = await waitingIn(spool);
      expect(kept.map(({ payload }) => (payload as { n: number }).n)).toEqual([0, 1, 2, 3, 4]);
      await Promise.all(kept.map(spool.remove));
      const overflow = await spool.overflow();
      expect(overflow?.count).toBe(4);

      // The caller has not acknowledged the count of dropped hooks, as after a crash. The spool must therefore return
      // the same count with the same key a second time.
      fire('Stop', { n: 9 });
      expect(await numbers()).toEqual([9]);
      expect(await spool.overflow()).toEqual(overflow);
      await spool.overflowTold(overflow as Overflow);
      expect([await numbers(), await spool.overflow()]).toEqual([[9], undefined]);
    });

    it('the spool drops and counts hooks after its size on disk has reached the limit', async () => {
      withCap(1_000, 100);
      for (let n = 0; n < 6; n++) fire('Stop', { n, text: 'x'.repeat(40_000) });
      const seen = await numbers();
      expect(seen.length).toBeLessThan(5);
      expect(seen).toEqual([...Array(seen.length).keys()]);
      expect((await spool.overflow())?.count).toBe(6 - seen.length);
    });

    it('to stay fast, the spool checks its size only at every Nth event', () => {
      const cap = { files: 1, kilobytes: 1, lookEvery: 100 };
      spool = openSpool({
        folder,
        scriptPath: script,
        externalSessionScriptPath,
        adoptedScriptPath: join(root, 'baton-adopted'),
        adoptedFolder: join(root, 'adopted'),
        onProblem: (sentence) => trouble.push(sentence),
        cap,
      });
      writeFileSync(join(folder, 'order-7'), '1000000097\n');
      for (let n = 0; n < 5; n++) fire('Stop', { n });
      expect(readdirSync(folder).filter((name) => /^7-/.test(name))).toHaveLength(2);
    });

    it('an oversized hook event is dropped and counted', async () => {
      fire('Stop', 'x'.repeat(5 * 1_048_576));
      fire('Stop', { n: 1 });
      expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
      expect(await numbers()).toEqual([1]);
      expect((await spool.overflow())?.count).toBe(1);
    });
  });

  it('the spool ignores a FIFO and a symbolic link in its folder', async () => {
    execFileSync('mkfifo', [join(folder, '7-1-1')]);
    execFileSync('/bin/ln', ['-s', '/etc/passwd', join(folder, '7-1-2')]);
    fire('Stop', {});
    expect(await waitingIn(spool)).toHaveLength(1);
    execFileSync('/bin/rm', ['-r', folder]);
    expect(await waitingIn(spool)).toEqual([]);
    fire('Stop', {});
    expect(await waitingIn(spool)).toHaveLength(1);
  });

  it('the spool notifies its listener when a hook arrives', async () => {
    const arrived = new Promise<void>((resolve) => spool.onArrival(resolve));
    fire('Stop', {});
    await arrived;
    spool.close();
  });

  describe('reports of external sessions', () => {
    const payload = {
      session_id: 'abc',
      transcript_path: '/t/a "b".jsonl',
      cwd: "/p/it's",
      prompt: 'SECRET',
      message: '"cwd":"/no"',
    };
    const tell = (event: string, said: unknown, env: object = {}) =>
      spawnSync('/bin/sh', ['-c', operatorCommand(scripts(), 'practice', event)], {
        input: typeof said === 'string' ? said : JSON.stringify(said),
        env: { PATH: process.env.PATH, ...env },
        encoding: 'utf8',
      });
    const quiet = { status: 0, stdout: '', stderr: '' };
    const waiting = async () => (await waitingIn(spool)) as SpooledSession[];
    const names = () => readdirSync(folder).filter((name) => name.startsWith('0-'));

    it('the report of an external session contains session, folder, pane and process', async () => {
      const env = { TMUX: '/tmp/tmux-1000/default,12,0', TMUX_PANE: '%3' };
      expect(tell('SessionStart', payload, env)).toMatchObject(quiet);
      const [name = ''] = names();
      expect(readFileSync(join(folder, name), 'utf8')).not.toContain('SECRET');
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      const [told] = await waiting();
      expect(told).toMatchObject({
        runtime: 'practice',
        event: 'SessionStart',
        payload: { session_id: 'abc', transcript_path: '/t/a "b".jsonl', cwd: "/p/it's" },
        pid: process.pid,
        tmux: { socket: '/tmp/tmux-1000/default', pane: '%3' },
      });
      expect(Object.keys(told?.payload as object)).toHaveLength(3);
      await spool.remove(told as SpooledSession);
      expect([await waiting(), trouble]).toEqual([[], []]);
    });

    it('an external session outside of tmux has no pane', async () => {
      tell('SessionStart', payload);
      tell('SessionStart', payload, { TMUX: 'x', TMUX_PANE: '%1' });
      expect((await waiting()).map(({ tmux }) => tmux)).toEqual([null, null]);
    });

    it('agents of Baton are not reported as external sessions', () => {
      expect(tell('SessionStart', payload, { BATON_AGENT_TOKEN: 'tok', BATON_AGENT_ID: '7' })).toMatchObject(quiet);
      expect(held()).toEqual([]);
    });

    it('the hook script never fails in an external session, even with an invalid payload', () => {
      expect(tell('SessionStart', 'not json')).toMatchObject(quiet);
      expect(tell('SessionStart', { ...payload, cwd: 'x'.repeat(200_000) })).toMatchObject(quiet);
      expect(held()).toEqual(['order-0']);
      execFileSync('/bin/rm', ['-r', folder]);
      expect(tell('SessionStart', payload)).toMatchObject(quiet);
      execFileSync('/bin/rm', ['-r', root]);
      expect(tell('SessionStart', payload)).toMatchObject(quiet);
    });

    it('if the limit of external session reports is reached, a new report replaces the oldest one', async () => {
      writeFileSync(externalSessionScriptPath, externalSessionScript(folder, 3));
      for (let n = 0; n < 7; n++) tell('SessionStart', { session_id: `s${n}` });
      const kept = (await waiting()).map((each) => (each.payload as { session_id: string }).session_id);
      expect(kept).toEqual(['s4', 's5', 's6']);
    });

    it('reports of external sessions arrive in order', async () => {
      const arrived = new Promise<void>((resolve) => spool.onArrival(resolve));
      for (let n = 0; n < 12; n++) tell(n % 2 === 0 ? 'SessionStart' : 'SessionEnd', { session_id: `s${n}` });
      await arrived;
      spool.close();
      for (const name of names()) utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000);
      const seen = (await waiting()).map((each) => (each.payload as { session_id: string }).session_id);
      expect(seen).toEqual([...Array(12).keys()].map((n) => `s${n}`));
    });

    it.each([
      ['baton1 tok Stop 1\n{}', 'a hook of an agent'],
      ['candidate1 ../x SessionStart 1\n"session_id":"a"', 'an odd runtime'],
      ['candidate1 practice Session\u001bStart 1\n"session_id":"a"', 'an odd event'],
      ['candidate1 practice SessionStart 1;2\n"session_id":"a"', 'an odd process'],
    ])('Baton removes an invalid report of an external session and reports a problem: %j (%s)', async (text) => {
      writeFileSync(join(folder, '0-1-1'), text);
      expect([await waiting(), trouble.length, names()]).toEqual([[], 1, []]);
    });

    it('invalid lines in the report of an external session are skipped', async () => {
      const lines = [
        'candidate1 practice SessionStart ',
        '"session_id":"a"',
        '"cwd":"/x\\',
        'TMUX=../s,1,1',
        'TMUX_PANE=%1;kill',
        '',
      ];
      writeFileSync(join(folder, '0-1-1'), lines.join('\n'));
      expect(await waiting()).toMatchObject([{ payload: { session_id: 'a' }, pid: null, tmux: null }]);
    });
  });
});
