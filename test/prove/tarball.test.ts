import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BackupReport,
  DoctorReport,
  PurgeReport,
  RestoreReport,
  ServiceReport,
} from '../../src/contract/maintenance.ts';
import type { Agent } from '../../src/contract/resources.ts';
import { run } from '../support/baton-process.ts';
import { OtherAccount } from './other-account.ts';

/** Tests a Baton that npm installed from the tarball into an empty prefix, for an account with an empty home. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const other = new OtherAccount();
let packed: { filename: string; files: { path: string }[] };

beforeAll(async () => {
  // Skip the prepack script. The product is already built, and another build would delete files that other tests are
  // using.
  const pack = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', other.folder, ROOT]);
  packed = JSON.parse(pack.stdout)[0];
  const tarball = join(other.folder, packed.filename);
  const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const installed = await run('npm', ['install', '--global', '--prefix', other.prefix, ...quiet, tarball]);
  expect(installed.code, installed.stderr).toBe(0);
});
afterAll(async () => {
  // Clean up even after a failed test, so that no server keeps running.
  if (fake.FAKE_SYSTEMCTL !== undefined) await baton('service', 'uninstall');
  await other.run('tmux', ['-S', join(other.home, '.baton/tmux.sock'), 'kill-server']);
  other.remove();
});

const baton = (...argv: string[]) => other.run('baton', argv, fake);
async function told<T>(schema: { parse(value: unknown): T }, ...argv: string[]): Promise<T> {
  const ran = await baton(...argv, '--json');
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
  return schema.parse(JSON.parse(ran.stdout));
}
let fake: NodeJS.ProcessEnv = {};

describe('the npm tarball of Baton', () => {
  it('the tarball contains only the product and its documentation', () => {
    expect(manifest.scripts.prepack).toBe('node scripts/setup.mjs --build');
    const paths = packed.files.map(({ path }) => path);
    for (const path of [
      'package.json',
      'LICENSE',
      'README.md',
      'dist/main/baton.js',
      'dist/practice/main.js',
      'dist/surfaces/page/index.html',
    ])
      expect(paths).toContain(path);
    expect(
      paths.filter(
        (path) =>
          !/^(dist\/.*\.(js|html|css|svg|json|png|ico|webmanifest|woff2)|dist\/(surfaces\/page\/)?THIRD-PARTY\.txt|docs\/(guides\/)?[A-Za-z-]+\.md|plugins\/.*\.(md|json)|package\.json|LICENSE|README\.md)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect(paths.filter((path) => /test|\.d\.ts$|\.map$|tsbuildinfo/.test(path))).toEqual([]);
  });

  it('the tarball contains no path of the build machine', () => {
    const folder = join(other.prefix, 'lib/node_modules/baton');
    for (const { path } of packed.files.filter(({ path }) => path.startsWith('dist/')))
      expect(readFileSync(join(folder, path), 'utf8').includes(ROOT.replace(/\/$/, '')), path).toBe(false);
    const found = readdirSync(join(folder, 'node_modules'));
    for (const name of ['vite', 'vitest', 'typescript', 'react', 'playwright-core']) expect(found).not.toContain(name);
    for (const name of Object.keys(manifest.dependencies))
      expect(existsSync(join(folder, 'node_modules', name)), name).toBe(true);
  });
});

/** These tests run in order, and each one continues from the state of the previous one. */
describe('the installed product in another account', () => {
  it('the installed product prints its version', async () => {
    expect(await baton('--version')).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });

  it('the installed product runs the demo and leaves no temporary files behind', async () => {
    const ran = await baton('demo', '--json');
    expect([ran.code, JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '')], ran.stderr).toEqual([
      0,
      expect.objectContaining({ completed: true }),
    ]);
    expect(readdirSync(join(other.home, 'tmp'))).toEqual([]);
  });

  /** Lets the operating system choose a free port, because another Baton may use the default port. */
  const configure = (home: string): void => {
    mkdirSync(join(other.home, home), { mode: 0o700 });
    writeFileSync(join(other.home, home, 'config.json'), '{"port":0,"reconcile_every_ms":300}');
    for (const name of [home, join(home, 'config.json')]) other.give(join(other.home, name));
  };

  it('the installed product passes `baton doctor`', async () => {
    configure('.baton');
    expect((await told(DoctorReport, 'doctor')).ok).toBe(true);
  });

  it('the installed product reports a missing tmux with the install command', async () => {
    configure('x');
    const ran = await other.run(process.execPath, [join(other.prefix, 'bin/baton'), 'start'], {
      PATH: '/nonexistent',
      BATON_HOME: join(other.home, 'x'),
    });
    expect([ran.code, ran.stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringMatching(/tmux was not found.*apt install tmux.*brew install tmux/)],
    ]);
  });

  it('the installed product reports a home that it cannot open', async () => {
    configure('y');
    const home = join(other.home, 'y');
    const closed = (...argv: string[]) => other.run('baton', argv, { BATON_HOME: home });
    writeFileSync(join(home, 'baton.db'), '', { mode: 0o600 });
    other.give(join(home, 'baton.db'));
    for (const mode of [0o500, 0o000]) {
      chmodSync(home, mode);
      const { ok, findings } = DoctorReport.parse(JSON.parse((await closed('doctor', '--json')).stdout));
      expect([ok, findings.filter(({ level }) => level === 'error').map(({ check }) => check)]).toEqual([
        false,
        ['home'],
      ]);
      for (const argv of [['start'], ['backup'], ['purge', '--all'], ['export', join(other.home, 'z')]]) {
        const ran = await closed(...argv);
        expect([ran.code, ran.stderr.trim().split('\n')], argv[0]).toEqual([
          1,
          [expect.stringContaining(`chmod 700 ${home}`)],
        ]);
      }
    }
    const logs = await closed('logs');
    expect([logs.code, logs.stderr]).toEqual([1, expect.not.stringContaining('    at ')]);
    chmodSync(home, 0o700);
  });

  it('the installed product runs as a service that can start agents (with a stand-in for systemctl)', async () => {
    mkdirSync(join(other.folder, 'fake'));
    mkdirSync(join(other.home, 'state'));
    other.give(join(other.home, 'state'));
    const systemctl = join(other.folder, 'fake/systemctl');
    copyFileSync(fileURLToPath(new URL('../maintenance/fake-systemctl.mjs', import.meta.url)), systemctl);
    chmodSync(systemctl, 0o755);
    fake = { PATH: `${join(other.folder, 'fake')}:${other.env.PATH}`, FAKE_SYSTEMCTL: join(other.home, 'state') };
    expect(await told(ServiceReport, 'service', 'install')).toMatchObject({ changed: true, state: 'active' });
    await until(async () => (await baton('status')).code === 0);
    await mustRun('demo', '--here', '--json');
    await mustRun('persona', 'register', '--role', 'tester', '--name', 'Tia');
    const { findings } = await told(DoctorReport, 'doctor');
    expect(findings.find(({ check }) => check === 'service')).toMatchObject({ level: 'ok' });
  });

  it('the installed product can be backed up while Baton runs', async () => {
    const { file } = await told(BackupReport, 'backup', join(other.home, 'friday.tar.gz'));
    const refused = await baton('restore', file, '--yes');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Stop Baton first')]);
    await told(ServiceReport, 'service', 'uninstall');
    const purged = await told(PurgeReport, 'purge', '--all', '--documents', '--yes');
    expect(purged.agents.length).toBeGreaterThan(1);
    expect(purged.documents.length).toBeGreaterThan(0);
    expect((await told(DoctorReport, 'doctor')).ok).toBe(true);
    expect(await told(RestoreReport, 'restore', file)).toMatchObject({ done: false });
    expect(await told(RestoreReport, 'restore', file, '--yes')).toMatchObject({ done: true });
    await told(ServiceReport, 'service', 'install');
    await until(async () => (await baton('status')).code === 0);
    const { agents } = JSON.parse((await baton('agent', 'list', '--all', '--json')).stdout) as { agents: Agent[] };
    expect(agents.map(({ id }) => id)).toEqual(expect.arrayContaining(purged.agents));
    expect((await baton('persona', 'list')).stdout).toContain('tester-tia');
    expect((await told(DoctorReport, 'doctor')).ok).toBe(true);
    await told(ServiceReport, 'service', 'uninstall');
  });
});

async function mustRun(...argv: string[]): Promise<void> {
  const ran = await baton(...argv);
  expect(ran.code, `${argv.join(' ')}: ${ran.stderr}`).toBe(0);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 120_000;
  while (!(await holds())) if (Date.now() > end) throw new Error('it did not come about');
}
