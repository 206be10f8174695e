import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createRig, until } from './rig.ts';

const rig = createRig();
const { terminal } = rig;
afterAll(() => rig.stop());

const CAT = ['cat', '-'];

describe('Terminal.launch', () => {
  it('Terminal.launch returns the same pane identity that Terminal.list reports', async () => {
    const pane = await terminal.launch({ sessionName: 'one', tag: 'tag-one', argv: CAT });
    const listed = (await terminal.list()).panes.find(({ sessionName }) => sessionName === 'one');
    expect(listed).toMatchObject({ identity: pane, sessionName: 'one', dead: false, staysAtExit: true });
    expect(rig.tmux('display-message', '-p', '-t', pane.paneId, '#{pane_width}x#{pane_height}')).toMatch(
      /^180x(49|50)$/,
    );
  });

  it('[R6] two calls of Terminal.launch with the same name and tag start one pane', async () => {
    const request = { sessionName: 'twice', tag: 'tag-twice', argv: CAT };
    const [first, second] = await Promise.all([terminal.launch(request), rig.makeTerminal().launch(request)]);
    expect(second).toEqual(first);
    expect((await terminal.list()).panes.filter(({ identity }) => identity.tag === 'tag-twice')).toHaveLength(1);
    await expect(terminal.launch({ ...request, tag: 'other' })).rejects.toThrow('this launch did not start');
  });

  /** A terminal adapter that watches a launched program for up to 40 s, long enough to see the end of slow programs. */
  const patient = rig.makeTerminal({ watchLaunchMs: 40_000 });

  const endDead = async (): Promise<void> => {
    for (const { dead, identity } of (await terminal.list()).panes) if (dead) await terminal.end(identity);
  };

  it('[F38] Terminal.launch reports the exit code of a program that exits at once', async () => {
    const ends = { 0: ['true', 'x'], 1: ['/none/such', 'x'], 127: ['/none/such'] };
    for (const [code, argv] of Object.entries(ends)) {
      const launched = patient.launch({ sessionName: 'brief', tag: 'brief', argv });
      await expect(launched).rejects.toThrow(`the program ended at once with exit code ${code};`);
      await endDead();
    }
    expect((await terminal.list()).panes.some(({ identity }) => identity.tag === 'brief')).toBe(false);
  });

  /**
   * Shell commands that wait until tmux answers a query for the cursor position. By the time of the answer, tmux has
   * drawn all earlier output, so no output is lost when the program ends.
   */
  const DRAWN = "stty -icanon -echo; printf '\\033[6n'; dd bs=1 count=1 >/dev/null 2>&1";

  it('[S-6] [L9] Terminal.launch reports the last lines of a program that has exited, including error output', async () => {
    const long = `Error: ${'x'.repeat(300)} end`;
    const argv = ['sh', '-c', `echo first; echo; echo ${long} >&2; ${DRAWN}; exit 3`];
    const launched = patient.launch({ sessionName: 'words-1', tag: 'words-1', argv });
    await expect(launched).rejects.toThrow(
      `the program ended at once with exit code 3; its terminal last showed: "first / ${long}"`,
    );
    const flood = [
      'sh',
      '-c',
      `i=0; while [ $i -lt 80 ]; do echo "line $i of many words"; i=$((i+1)); done; ${DRAWN}; exit 4`,
    ];
    const message = await patient.launch({ sessionName: 'words-2', tag: 'words-2', argv: flood }).catch(String);
    expect(message).toMatch(/exit code 4; its terminal last showed: "line 74 of many words.*line 79 of many words"$/);
    const unended = patient.launch({
      sessionName: 'words-4',
      tag: 'words-4',
      argv: ['sh', '-c', `printf cut; ${DRAWN}; exit 6`],
    });
    await expect(unended).rejects.toThrow('exit code 6; its terminal last showed: "cut"');
    const killed = patient.launch({ sessionName: 'words-3', tag: 'words-3', argv: ['sh', '-c', 'kill -9 $$'] });
    await expect(killed).rejects.toThrow('the program ended at once by signal 9; its terminal showed nothing');
    await endDead();
  });

  it("Terminal.launch returns as soon as the agent's session has begun", async () => {
    const hour = rig.makeTerminal({ watchLaunchMs: 3_600_000 });
    const marker = join(rig.dir, 'end-begun');
    const argv = ['sh', '-c', `until [ -e ${marker} ]; do sleep 0.02; done`];
    let looks = 0;
    // Without `hasBegun`, the launch would return only after it has watched the new program for an hour.
    const pane = await hour.launch({ sessionName: 'begun', tag: 'begun', argv, hasBegun: () => ++looks === 3 });
    expect(looks).toBe(3);
    const isDead = async () =>
      (await hour.list()).panes.some(({ identity, dead }) => dead && identity.paneId === pane.paneId);
    // tmux sends no notification if a program ends in a pane that stays open. The terminal adapter must notice this end
    // by itself.
    const told = new Promise<void>((resolve) => {
      hour.onChange(() => void isDead().then((dead) => dead && resolve()));
    });
    writeFileSync(marker, '');
    await told;
    await endDead();
  });

  it('[S-6] the pane of an ended program stays open with its last lines', async () => {
    const marker = join(rig.dir, 'end-now');
    const script = `until [ -e ${marker} ]; do sleep 0.02; done; echo goodbye; ${DRAWN}; exit 5`;
    const pane = await terminal.launch({ sessionName: 'stays', tag: 'stays', argv: ['sh', '-c', script] });
    expect(await terminal.programEnd(pane)).toBeUndefined();
    writeFileSync(marker, '');
    const end = await until('the end with its exit code', async () => {
      const seen = await terminal.programEnd(pane);
      return seen?.isEnding ? undefined : seen;
    });
    expect(end).toEqual({ exitCode: 5, signal: null, lines: ['goodbye'] });
    expect(await terminal.deliver(pane, rig.prompt('hello', { waitReadyMs: 0 }))).toMatchObject({ verdict: 'refused' });
    const access = rig.access(pane);
    expect(await access.paste('d-dead', { x: 0, y: 1 }, 'hello')).toBe(false);
    expect(await terminal.programEnd({ ...pane, tag: 'other' })).toBeUndefined();
    await terminal.end(pane);
    expect((await terminal.list()).panes.some(({ identity }) => identity.tag === 'stays')).toBe(false);
  });

  it('[S-6] a pane closes when its program ends if closeAtExit was called for the pane', async () => {
    const pane = await terminal.launch({ sessionName: 'closes', tag: 'closes', argv: CAT });
    await terminal.closeAtExit(pane);
    expect((await terminal.list()).panes.find(({ identity }) => identity.tag === 'closes')).toMatchObject({
      staysAtExit: false,
    });
    process.kill(pane.panePid, 'SIGKILL');
    await until('the pane to be gone', async () => (await rig.access(pane).look()).here === false);
    expect((await terminal.list()).panes.some(({ identity }) => identity.tag === 'closes')).toBe(false);
  });

  it('[T8] Terminal.launch passes every argument literally', async () => {
    const canary = join(rig.dir, 'canary');
    const out = join(rig.dir, 'words');
    const words = [
      `#(touch ${canary})`,
      '#{pid}',
      `$(touch ${canary})`,
      '`x`',
      ';',
      'a;',
      '-s',
      '',
      ' ',
      "'",
      '"',
      '\\',
      'é漢',
      'a\nb',
      '%1',
      '{}',
      '~',
    ];
    const script =
      'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.argv.slice(2))); setInterval(() => {}, 1e6)';
    await terminal.launch({
      sessionName: 'words',
      tag: 'words',
      argv: [process.execPath, '-e', script, '--', out, ...words],
    });
    await until('the words', () => existsSync(out) && readFileSync(out, 'utf8'));
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(words);
    expect(existsSync(canary)).toBe(false);
  });

  it('Terminal.launch executes a single argument without a shell', async () => {
    const pane = await terminal.launch({ sessionName: 'single', tag: 'single', argv: ['cat'] });
    // Poll, because the process is first a copy of tmux, then a shell, and only then `cat`.
    await expect.poll(() => readFileSync(`/proc/${pane.panePid}/cmdline`, 'utf8')).toBe('cat\0');
    const semicolon = join(rig.dir, 'semicolon');
    await expect(
      patient.launch({ sessionName: 'shell', tag: 'shell', argv: [`cat; touch ${semicolon}`] }),
    ).rejects.toThrow('ended at once');
    expect(existsSync(semicolon)).toBe(false);
  });

  it('[T8] Terminal.launch refuses names that tmux would interpret', async () => {
    for (const name of ['#(touch x)', 'a:b', 'a.b', '=a', '', 'a b', 'é', 'x'.repeat(65)]) {
      await expect(terminal.launch({ sessionName: name, tag: 'ok', argv: CAT })).rejects.toThrow(
        'session name must match',
      );
      await expect(terminal.launch({ sessionName: 'ok', tag: name, argv: CAT })).rejects.toThrow('tag must match');
    }
    await expect(terminal.launch({ sessionName: 'ok', tag: 'ok', argv: [] })).rejects.toThrow('no program');
  });
});

describe('Terminal.end', () => {
  it('[T8] ending the missing session a-1 does not end the session a-10', async () => {
    const one = await terminal.launch({ sessionName: 'a-1', tag: 't-1', argv: CAT });
    const ten = await terminal.launch({ sessionName: 'a-10', tag: 't-10', argv: CAT });
    await terminal.end(one);
    await terminal.end(one);
    await terminal.end({ ...one, paneId: ten.paneId });
    const names = (await terminal.list()).panes.map(({ sessionName }) => sessionName);
    expect(names).toContain('a-10');
    expect(names).not.toContain('a-1');
    await expect(terminal.launch({ sessionName: 'a-1', tag: 't-1', argv: CAT })).resolves.not.toEqual(one);
  });

  it('Terminal.end does not end a pane if the given tag, process id or tmux server is wrong', async () => {
    const pane = await terminal.launch({ sessionName: 'keep', tag: 'keep', argv: CAT });
    await terminal.end({ ...pane, serverPid: pane.serverPid + 1 });
    await terminal.end({ ...pane, serverStartedAt: pane.serverStartedAt - 1 });
    await terminal.end({ ...pane, tag: 'other' });
    await terminal.end({ ...pane, panePid: pane.panePid + 1 });
    expect((await terminal.list()).panes.some(({ identity }) => identity.paneId === pane.paneId)).toBe(true);
  });

  it("Terminal.end keeps a pane that the operator created beside Baton's pane", async () => {
    const pane = await terminal.launch({ sessionName: 'split', tag: 'split', argv: CAT });
    const beside = rig.tmux('split-window', '-d', '-t', pane.paneId, '-P', '-F', '#{pane_id}', 'cat', '-');
    await terminal.end(pane);
    expect(rig.tmux('list-panes', '-s', '-t', '=split', '-F', '#{pane_id}')).toBe(beside);
  });
});

describe('Terminal.capture', () => {
  it('Terminal.capture returns no-break spaces unchanged under any locale', async () => {
    const plain = rig.makeTerminal({ env: { PATH: process.env.PATH, LANG: 'C' } });
    const script = 'process.stdout.write("%end 1 2 1\\r\\n❯\\u00a0é漢 \\u00a0"); setInterval(() => {}, 1e6)';
    const pane = await plain.launch({ sessionName: 'shown', tag: 'shown', argv: [process.execPath, '-e', script] });
    const screen = await until('the text', async () => {
      const seen = await plain.capture(pane);
      return seen?.lines[1] ? seen : undefined;
    });
    expect(screen.lines.slice(0, 2)).toEqual(['%end 1 2 1', '❯\u00a0é漢 \u00a0']);
    expect([screen.cursorX, screen.cursorY]).toEqual([7, 1]);
    expect(await plain.capture({ ...pane, panePid: 1 })).toBeUndefined();
    rig.tmux('rename-session', '-t', '=shown', 'gezeigt|ä');
    expect((await plain.list()).panes.find(({ identity }) => identity.tag === 'shown')?.sessionName).toBe('gezeigt|ä');
  });
});
