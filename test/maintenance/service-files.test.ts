import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchdPlist } from '../../src/adapters/service/launchd-plist.ts';
import { systemdUnit } from '../../src/adapters/service/systemd-unit.ts';
import { needs } from '../support/needs.ts';

/**
 * Checks the service files with the programs that normally read them. The paths contain every unusual character that is
 * allowed.
 */
let folder = '';
let plan = { argv: [''], env: {}, homePath: '' };
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bsf-')));
  const node = join(folder, 'n$o de%h');
  symlinkSync(process.execPath, node);
  const homePath = `${folder}/a b%h$X'q"r;\\n \${HOME} é & <b>`;
  plan = { argv: [node, `${folder}/100%/$x"y \\t.js`], env: { BATON_HOME: homePath, PATH: '/usr/bin' }, homePath };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the files of a service', () => {
  it("systemd-analyze accepts the unit file of Baton's service", needs('systemd-analyze'), () => {
    mkdirSync(join(folder, 'run'), { mode: 0o700 });
    writeFileSync(join(folder, 'baton.service'), systemdUnit(plan));
    const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', './baton.service'], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run'), LC_ALL: 'C.UTF-8' },
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it("plistlib accepts the property list of Baton's service", needs('python3'), () => {
    const program = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
    const read = execFileSync('python3', ['-c', program], { input: launchdPlist(plan), encoding: 'utf8' });
    expect(JSON.parse(read)).toMatchObject({
      ProgramArguments: [...plan.argv, 'start'],
      EnvironmentVariables: plan.env,
      KeepAlive: { SuccessfulExit: false },
      AbandonProcessGroup: true,
      Umask: 0o077,
      StandardErrorPath: `${plan.homePath}/service.err`,
    });
  });
});
