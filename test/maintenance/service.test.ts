import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchdPlist, restOfPlist } from '../../src/adapters/service/launchd-plist.ts';
import { ownerOf, serviceEnv } from '../../src/adapters/service/service-plan.ts';
import { systemdUnit } from '../../src/adapters/service/systemd-unit.ts';
import { ServiceReport } from '../../src/contract/maintenance.ts';
import { maintainHome } from '../../src/main/maintenance/maintain-home.ts';
import { PROGRAM, run } from '../support/baton-process.ts';

const FAKE = fileURLToPath(new URL('fake-systemctl.mjs', import.meta.url));
let folder = '';
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'bs-')));
  for (const name of ['bin', 'state', 'user']) mkdirSync(join(folder, name));
  copyFileSync(FAKE, join(folder, 'bin/systemctl'));
  chmodSync(join(folder, 'bin/systemctl'), 0o755);
  env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    HOME: join(folder, 'user'),
    FAKE_SYSTEMCTL: join(folder, 'state'),
    API_KEY: 'hush',
    BATON_HOME: join(folder, 'home'),
  };
});
afterEach(async () => {
  await baton('service', 'uninstall');
  // Stop the agents' tmux server, which by design keeps running when the service stops.
  await run('tmux', ['-S', join(folder, 'home/tmux.sock'), 'kill-server']);
  rmSync(folder, { recursive: true, force: true });
});

const baton = (...argv: string[]) => run(process.execPath, [PROGRAM, ...argv], env);
const unit = () => join(folder, 'user/.config/systemd/user/baton.service');
const calls = () => readFileSync(join(folder, 'state/calls'), 'utf8').trim().split('\n');
const report = async (...argv: string[]) =>
  ServiceReport.parse(JSON.parse((await baton('service', ...argv, '--json')).stdout));
function home(): void {
  mkdirSync(join(folder, 'home'), { mode: 0o700 });
  writeFileSync(join(folder, 'home/config.json'), '{"port":0}', { mode: 0o600 });
}

describe('baton service, with a stand-in for systemctl', () => {
  it('`baton service --dry-run` changes nothing', async () => {
    const ran = await baton('service', 'install', '--dry-run');
    expect(ran.stdout).toContain(`${unit()} would be written:`);
    expect(ran.stdout).toContain('would run: systemctl --user restart baton.service');
    expect(existsSync(unit())).toBe(false);
  });

  it('the service can be installed, started and uninstalled', async () => {
    home();
    const first = await report('install');
    expect(first).toMatchObject({ changed: true, state: 'active' });
    expect(first.advice.join()).toMatch(/loginctl enable-linger|^$/);
    const written = readFileSync(unit(), 'utf8');
    expect(written).not.toContain('hush');
    expect(await report('install')).toMatchObject({ changed: false, state: 'active' });
    expect(readFileSync(unit(), 'utf8')).toBe(written);
    expect(calls().filter((call) => call.includes('restart'))).toHaveLength(1);
    expect((await baton('service', 'status')).stdout).toContain('and running.');
    expect(await report('uninstall')).toMatchObject({ changed: true, installed: false });
    expect(existsSync(unit())).toBe(false);
    expect((await baton('service', 'status')).code).toBe(1);
    expect(await report('uninstall')).toMatchObject({ changed: false });
  });

  it.each([
    ['was not written by Baton', () => '[Service]\nExecStart=/bin/true\n'],
    ['was changed since Baton wrote it', () => `${systemdUnit({ argv: ['a'], env: {}, homePath: '/h' })}# mine\n`],
  ])('`baton service` does not replace a unit file that %s', async (what, content) => {
    mkdirSync(dirname(unit()), { recursive: true });
    writeFileSync(unit(), content());
    for (const wish of ['install', 'uninstall']) {
      const ran = await baton('service', wish);
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(what)]);
      expect(readFileSync(unit(), 'utf8')).toBe(content());
    }
    rmSync(unit());
  });

  it('if systemctl fails, the error of `baton service` contains the message of systemctl', async () => {
    env = { ...env, FAKE_SYSTEMCTL_FAILS: '1' };
    const ran = await baton('service', 'install');
    expect(ran.stderr).toContain('"systemctl --user restart baton.service" failed: Job for baton.service failed.');
  });

  it('a temporary npx copy of Baton cannot be installed as a service', async () => {
    const keep = maintainHome({ homePath: join(folder, 'home'), self: ['node', '/u/.npm/_npx/1/baton.js'], env });
    await expect(keep.service({ wish: 'install', dryRun: true })).rejects.toThrow(
      /fetched this Baton for one run only.*npm install -g/,
    );
  });
});

it('without a user manager, as in a container, `baton service install` fails with a suggested fix', async () => {
  writeFileSync(
    join(folder, 'bin/systemctl'),
    '#!/bin/sh\necho "Failed to connect to bus: No medium found" >&2\nexit 1\n',
  );
  const ran = await baton('service', 'install');
  expect([ran.code, ran.stderr]).toEqual([
    1,
    expect.stringMatching(
      /systemd does not answer for this user \(Failed to connect.*baton start.*No service was installed\./,
    ),
  ]);
  expect(existsSync(unit())).toBe(false);
});

/** This test uses the real systemctl. It runs only on machines without a systemd user manager, such as containers. */
it('if the real systemctl finds no user manager, `baton service install` fails with a suggested fix', async ({
  skip,
}) => {
  const real = { ...env, PATH: process.env.PATH };
  const probe = await run('systemctl', ['--user', 'show-environment'], real);
  skip(probe.code === 0, 'a machine without a systemd user manager');
  const ran = await run(process.execPath, [PROGRAM, 'service', 'install'], real);
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('No service was installed.')]);
});

describe('the content of the service file', () => {
  const plan = {
    argv: ['/opt/no de/bin', '/a/100%/$x"y.js'],
    env: { BATON_HOME: '/h & <b>', PATH: '/usr/bin' },
    homePath: '/h',
  };

  it("the systemd unit escapes every special character of Baton's paths", () => {
    const text = systemdUnit(plan);
    expect(text).toContain('ExecStart="/opt/no de/bin" "/a/100%%/$$x\\"y.js" "start"\n');
    expect(text).toContain('Environment="BATON_HOME=/h & <b>"\n');
    expect(text).toContain('\nKillMode=process\n');
    // At its start Baton prints a login address, which must not get into the systemd journal.
    expect(text).toContain('\nStandardOutput=null\n');
  });

  /** This test checks only the content of the file, because launchd runs only on macOS. */
  it('the launchd plist is valid XML', () => {
    const text = launchdPlist(plan);
    expect(text).toContain('<string>/h &amp; &lt;b&gt;</string>');
    expect(text).toContain('<key>AbandonProcessGroup</key><true/>');
    expect(text).toContain('<key>StandardOutPath</key><string>/dev/null</string>');
    expect(text.match(/<string>start<\/string>/g)).toHaveLength(1);
    expect(ownerOf(text, restOfPlist)).toBe('ours');
    expect(ownerOf(text.replace('63', '0'), restOfPlist)).toBe('changed');
  });

  it("the service file sets no environment variables except PATH, the language and Baton's home", () => {
    expect(serviceEnv({ PATH: '/a:b:/a:/c', LANG: 'C.UTF-8', TOKEN: 'x' }, '/h')).toEqual({
      BATON_HOME: '/h',
      PATH: '/a:/c',
      LANG: 'C.UTF-8',
    });
  });
});
