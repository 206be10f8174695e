import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createAgentFiles } from '../../../src/adapters/files/agent-files.ts';
import { watchHome } from '../../../src/adapters/home/home-identity.ts';
import { openHome } from '../../../src/adapters/home/open-home.ts';
import { takePathLock } from '../../../src/adapters/home/path-lock.ts';
import { refuseStart } from '../../../src/adapters/home/refuse-start.ts';
import { sweepLeftovers } from '../../../src/adapters/home/sweep-leftovers.ts';
import { errorMessage } from '../../../src/app/error-message.ts';

const scratch = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'bth-')));
const makeHome = () => openHome(join(scratch(), 'home'));

describe('[X-10] a home that is moved or deleted while Baton runs', () => {
  it('Baton detects that its home was moved', async () => {
    const { path } = makeHome();
    const problem = watchHome(path);
    expect(await problem()).toBeUndefined();
    renameSync(path, `${path}-moved`);
    expect(await problem()).toContain(`${path} no longer exists. Stop Baton`);
    mkdirSync(path, { mode: 0o700 });
    expect(await problem()).toContain('is not the folder that Baton was started with');
    rmSync(path, { recursive: true });
    renameSync(`${path}-moved`, path);
    expect(await problem()).toBeUndefined();
  });

  it('if the home of a running server was deleted, a second server cannot use the same path', () => {
    const parent = scratch();
    const { path } = makeHome();
    const unlock = takePathLock(path, parent);
    rmSync(path, { recursive: true });
    expect(() => takePathLock(path, parent)).toThrow(/Another Baton still runs on .*, although .* moved or deleted/);
    takePathLock(`${path}-2`, parent)();
    unlock();
    takePathLock(path, parent)();
    expect(readdirSync(parent)).toEqual([]);
  });

  it('Baton starts even if the folder for its lock file cannot be created', () => {
    const parent = scratch();
    writeFileSync(join(parent, `baton-${process.getuid?.()}`), 'not a folder');
    takePathLock('/any', parent)();
  });
});

describe('[X-10] the checks before Baton starts', () => {
  it("Baton does not start if its home's path is too long or has a forbidden character", () => {
    expect(() => refuseStart(join(scratch(), 'new'), {})).not.toThrow();
    expect(() => refuseStart(join(scratch(), 'a#b'), {})).toThrow(/"#"/);
    expect(() => refuseStart(join(scratch(), 'x'.repeat(90)), {})).toThrow(/at most 90/);
    expect(() => refuseStart(scratch(), { HOST: '0.0.0.0' })).toThrow(/loopback only/);
  });
});

describe('[X-10] temporary files that a killed Baton left', () => {
  it("Baton deletes a leftover file only if its name matches Baton's temporary files and the file is some hours old", async () => {
    const home = makeHome();
    mkdirSync(join(home.path, 'data/personas/developer-con-1/handoffs'), { recursive: true });
    mkdirSync(join(home.agents, '7'));
    mkdirSync(join(home.path, 'data/templates'), { recursive: true });
    const place = (path: string, hoursOld: number): string => {
      const whole = join(home.path, path);
      writeFileSync(whole, 'half');
      const at = new Date(Date.now() - hoursOld * 3_600_000);
      utimesSync(whole, at, at);
      return whole;
    };
    const gone = [
      'config.json.123-0a1b2c3d.tmp',
      'baton.tmux.conf.01234567-89ab-4cde-8f01-23456789abcd.tmp',
      'backup-0a1b2c3d.tmp',
      'agents/7/mcp.json.9-00000000.tmp',
      'data/personas/developer-con-1/handoffs/x.md.1-ffffffff.tmp',
      'data/templates/instruction.txt.1-ffffffff.tmp',
    ].map((path) => place(path, 7));
    const kept = [
      place('config.json.124-0a1b2c3d.tmp', 1),
      ...['notes.tmp', 'x.123-0a1b2c3d.tmp.md', 'my-0a1b2c3d.tmp'].map((path) => place(path, 7)),
    ];
    expect([...(await sweepLeftovers(home))].sort()).toEqual([...gone].sort());
    expect([gone.some((path) => existsSync(path)), kept.every((path) => existsSync(path))]).toEqual([false, true]);
  });
});

describe('[X-10] folders that cannot be a project', () => {
  it('the whole disk, the operator’s home folder and Baton’s own home cannot be a project', async () => {
    const home = makeHome();
    const files = createAgentFiles(home);
    for (const [path, is] of [
      ['/', 'the whole disk'],
      [homedir(), 'your home folder'],
      [`${home.path}/`, "Baton's own home"],
    ] as const)
      expect(await files.whyNotANewProject(path)).toContain(`${path} is ${is}, not a project. Name the folder`);
    expect(await files.whyNotANewProject(home.agents)).toBeUndefined();
  });
});

it('[X-10] the error EMFILE (too many open files) is explained in a sentence', () => {
  const error = Object.assign(new Error('EMFILE: too many open files, open x'), { code: 'EMFILE' });
  expect(errorMessage(error)).toContain('raise the limit with ulimit -n');
});
