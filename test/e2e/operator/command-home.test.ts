import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';
import { PackageProcess } from '../packages/package-process.ts';

const scene = new PackageProcess();
const { baton } = scene;
const otherHome = realpathSync(mkdtempSync(join(tmpdir(), 'bto-')));
beforeAll(async () => void (await scene.begin()));
afterAll(async () => {
  await baton.cleanUp();
  rmSync(otherHome, { recursive: true });
});

/** Runs the command in the `bin` folder of the running Baton's home. */
const command = (argv: readonly string[], variables: NodeJS.ProcessEnv = {}) => {
  const { BATON_AGENT_TOKEN: _, BATON_HOME: __, ...env } = process.env;
  return run(join(baton.home, 'bin/baton'), argv, { ...env, ...variables });
};

describe('the baton command in the bin folder of a home', () => {
  it("without BATON_HOME, the baton command in a home's bin folder uses this home", async () => {
    const { code, stdout } = await command(['persona', 'list']);
    expect(code).toBe(0);
    expect(stdout).toContain('developer-con-1');
  });

  it("if BATON_HOME names a home, the baton command uses that home, even if the command is in another home's bin folder", async () => {
    const { code, stdout, stderr } = await command(['persona', 'register', '--role', 'tester', '--name', 'Robin'], {
      BATON_HOME: otherHome,
    });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(otherHome);
    expect((await command(['persona', 'list'])).stdout).not.toContain('Robin');
  });

  it("in an agent's shell, the baton command acts as that agent on that agent's Baton, even if BATON_HOME names another home", async () => {
    const own = {
      BATON_AGENT_ID: String(scene.ann.id),
      BATON_AGENT_TOKEN: scene.token(scene.ann),
      BATON_SESSION_START: join(baton.home, 'agents', String(scene.ann.id), 'session-start'),
      BATON_HOME: otherHome,
    };
    expect(await command(['package', 'agents', '--json'], own)).toMatchObject({ code: 0, stderr: '' });
    const refused = await command(['persona', 'list'], own);
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain(`This shell belongs to agent ${scene.ann.id}`);
  });
});

describe('output that cannot be written', () => {
  const inShell = (line: string) => run('/bin/sh', ['-c', `"$0" ${line}`, join(baton.home, 'bin/baton')], process.env);

  it(
    'if standard output is on a full disk, the command prints one sentence on standard error and exits with code 1',
    needs({ what: 'the file /dev/full', isThere: existsSync('/dev/full') }),
    async () => {
      for (const line of ['--help', 'persona list', 'events', 'events --json'])
        expect([line, await inShell(`${line} >/dev/full`)]).toEqual([
          line,
          { code: 1, stdout: '', stderr: 'Baton could not write its output: no space left on device.\n' },
        ]);
      expect(await inShell('events >/dev/full 2>&1')).toEqual({ code: 1, stdout: '', stderr: '' });
    },
  );

  it('if the reader of a pipe ends early, the command prints no error', async () => {
    expect(await inShell('events | head -n 0')).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
