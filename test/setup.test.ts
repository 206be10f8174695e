import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../scripts/setup/run.mjs';
import { needs, OTHER_THAN_ROOT, ROOT_ACCOUNT } from './support/needs.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

let clone: string;
let bin: string;

/**
 * Creates a clone that contains only the scripts, package.json and a lock file. Also creates an empty folder, which is
 * the PATH of setup.
 */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'baton-setup-'));
  bin = join(clone, 'fake-bin');
  mkdirSync(bin);
  cpSync(join(repository, 'scripts'), join(clone, 'scripts'), { recursive: true });
  writeFileSync(join(clone, 'package.json'), '{ "name": "clone", "version": "1.0.0", "private": true }');
  writeFileSync(
    join(clone, 'package-lock.json'),
    '{ "name": "clone", "version": "1.0.0", "lockfileVersion": 3, "packages": { "": { "name": "clone", "version": "1.0.0" } } }',
  );
});

afterEach(() => rmSync(clone, { recursive: true, force: true }));

function shim(name: string, body: string) {
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(bin, name), 0o755);
}

/**
 * The path of npm. npm gives this path to its scripts as npm_execpath. The test finds the path itself, because npm may
 * not have started the test.
 */
const npmCli = realpathSync(findProgram(['npm']) ?? process.execPath);

function environment(extra: Record<string, string>) {
  return { PATH: bin, HOME: join(clone, 'empty-home'), npm_execpath: npmCli, ...extra };
}

function setup(flags: string[], extra: Record<string, string> = { BATON_SETUP_DRY_RUN: '1' }) {
  const command = [join(clone, 'scripts/setup.mjs'), ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    env: environment(extra),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/**
 * Runs the setup without a dry run, so that the setup records a finished installation. A fake npm only creates the
 * folder node_modules.
 */
function installForReal() {
  shim('npm', '/bin/mkdir -p node_modules');
  const { status, stderr } = setup([], { npm_execpath: '' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

describe('the setup of tmux', () => {
  beforeEach(installForReal);

  it('if tmux is missing and setup cannot install it, setup prints the install command', () => {
    const { status, stderr } = setup(['--tmux']);
    expect(status).toBe(1);
    expect(stderr).toContain('tmux is missing');
    expect(stderr).toContain('apt-get install tmux');
    expect(stderr).toContain('brew install tmux');
  });

  it('if Homebrew is present, a dry run of setup says that it would install tmux with Homebrew', () => {
    shim('brew', 'exit 99');
    expect(setup(['--tmux'])).toEqual({ status: 0, stdout: 'Would install tmux: brew install tmux\n', stderr: '' });
  });

  it('as root, a dry run of setup says that it would install tmux with apt', needs(ROOT_ACCOUNT), () => {
    shim('apt-get', 'exit 99');
    const { status, stdout } = setup(['--tmux']);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /DEBIAN_FRONTEND=noninteractive apt-get .*update && .*install -y --no-install-recommends tmux/,
    );
    expect(stdout).not.toContain('sudo');
  });

  it('as root, setup installs tmux with apt even if `apt-get update` fails', needs(ROOT_ACCOUNT), () => {
    const tmux = join(bin, 'tmux');
    const pretend = `echo '#!/bin/sh' > ${tmux}; echo 'echo tmux 3.5' >> ${tmux}; /bin/chmod +x ${tmux}`;
    shim('apt-get', `case "$*" in *update) exit 100;; *install*) ${pretend};; esac`);
    const { status, stdout, stderr } = setup(['--tmux'], {});
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('Installing tmux (first time, about 15 s)…\n');
  });

  it('if apt fails, the error of setup contains the output of apt', needs(ROOT_ACCOUNT), () => {
    shim('apt-get', 'echo "E: Unable to locate package tmux"; exit 100');
    const { status, stderr } = setup(['--tmux'], {});
    expect(status).toBe(1);
    expect(stderr).toContain('E: Unable to locate package tmux');
    expect(stderr).toContain('apt-get update && apt-get install -y --no-install-recommends tmux');
  });

  it('if sudo would ask for a password, setup does not install tmux', needs(OTHER_THAN_ROOT), () => {
    shim('apt-get', 'exit 99');
    shim('sudo', 'exit 1');
    const { status, stderr } = setup(['--tmux']);
    expect(status).toBe(1);
    expect(stderr).toContain('sudo apt-get update && sudo apt-get install -y --no-install-recommends tmux');
  });

  it('setup refuses a tmux that is too old', () => {
    shim('tmux', 'echo "tmux 3.1c"');
    const { status, stderr } = setup(['--tmux']);
    expect(status).toBe(1);
    expect(stderr).toContain('too old');
    expect(stderr).toContain('3.2 or newer');
    expect(stderr).toContain('tmux 3.1c');
  });

  it.each(['tmux 3.2', 'tmux 3.3a', 'tmux next-3.6', 'tmux 10.0', 'tmux master'])(
    'setup accepts a tmux that reports the version "%s"',
    (version) => {
      shim('tmux', `echo "${version}"`);
      expect(setup(['--tmux'])).toEqual({ status: 0, stdout: '', stderr: '' });
    },
  );

  it('without the option --tmux, setup does not check tmux', () => {
    expect(setup([])).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('the setup of programs that only some tests need', () => {
  beforeEach(installForReal);

  it('if a program that only some tests need is missing, setup continues and says that those tests are skipped', () => {
    expect(setup(['--try-tmux'])).toEqual({
      status: 0,
      stdout: 'tmux cannot be installed from here, so the tests that need it are skipped.\n',
      stderr: '',
    });
  });

  it('setup refuses a nats-server that is older than version 2.9', () => {
    shim('nats-server', 'echo "nats-server: v2.8.4"');
    const { status, stderr } = setup(['--nats-server']);
    expect(status).toBe(1);
    expect(stderr).toContain('nats-server is too old: Baton needs 2.9 or newer');
    expect(stderr).toContain('brew upgrade nats-server');
  });

  it('setup accepts the nats-server of Debian 12', () => {
    shim('nats-server', 'echo "nats-server: v2.9.10"');
    expect(setup(['--nats-server'])).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

describe('the setup of the npm packages', () => {
  it('if node_modules is missing, a dry run of setup announces that it would install the npm packages', () => {
    shim('npm', 'exit 99');
    const { status, stdout } = setup([], { BATON_SETUP_DRY_RUN: '1', npm_execpath: '' });
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Would install packages \(node_modules is missing\): .*npm ci /);
    expect(existsSync(join(clone, 'node_modules'))).toBe(false);
  });

  it('if the lock file changed after the last install, a dry run of setup says that the npm packages are stale', () => {
    installForReal();
    writeFileSync(join(clone, 'package-lock.json'), '{}');
    expect(setup([]).stdout).toContain('node_modules is stale');
  });

  it('if the npm packages were built for another Node, a dry run of setup says that they are stale', () => {
    installForReal();
    const stamp = join(clone, 'node_modules/.baton-stamp');
    writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(/ node\d+ /, ' node18 '));
    expect(setup([]).stdout).toContain('node_modules is stale');
  });

  it('setup does not change npm packages that are up to date', () => {
    installForReal();
    shim('npm', 'exit 99');
    expect(setup([], { npm_execpath: '' })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('if `npm ci` refuses the lock file, setup runs `npm install`', () => {
    const refusal = 'echo "npm error code EUSAGE"; echo "npm error Missing: fsevents@ from lock file"; exit 1';
    shim('npm', `case "$1" in ci) ${refusal};; install) echo "$@" > npm-run; /bin/mkdir -p node_modules;; esac`);
    const { status, stdout } = setup([], { npm_execpath: '' });
    expect(status).toBe(0);
    expect(stdout).toContain('Missing: fsevents@ from lock file');
    expect(readFileSync(join(clone, 'npm-run'), 'utf8')).toContain('--no-save');
    expect(setup([]).stdout).toBe('');
  });

  it('if npm fails, the next setup still treats the npm packages as outdated', () => {
    shim('npm', 'echo "npm error code EAI_AGAIN"; /bin/mkdir -p node_modules; exit 1');
    const { status, stderr } = setup([], { npm_execpath: '' });
    expect(status).toBe(1);
    expect(stderr).toContain('npm error code EAI_AGAIN');
    expect(stderr).toContain('the npm registry cannot be reached');
    expect(setup([]).stdout).toContain('node_modules is stale');
  });

  it('setup installs the npm packages with the npm that called setup', needs('npm'), () => {
    // The installation needs no network, because the lock file contains no package.
    const { status, stderr } = setup([], { HOME: '' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(setup([]).stdout).toBe('');
  });
});

describe('concurrent setups', () => {
  const slowNpm = 'echo run >> npm-runs; /bin/mkdir -p node_modules; /bin/sleep 0.5';

  function start() {
    const child = spawn(process.execPath, [join(clone, 'scripts/setup.mjs')], {
      env: environment({ npm_execpath: '' }),
    });
    return new Promise<number | null>((resolve) => child.on('close', resolve));
  }

  it('if several setups run at once, only one installs the npm packages', async () => {
    shim('npm', slowNpm);
    expect(await Promise.all([start(), start(), start()])).toEqual([0, 0, 0]);
    expect(readFileSync(join(clone, 'npm-runs'), 'utf8')).toBe('run\n');
    expect(readdirSync(join(clone, '.cache'))).toEqual([]);
  });

  it('if several setups run at once, only one at a time holds the lock', async () => {
    const worker = join(clone, 'worker.mjs');
    writeFileSync(
      worker,
      `import { mkdirSync, rmdirSync } from 'node:fs';
       import { withLock } from './scripts/setup/lock.mjs';
       for (let round = 0; round < 100; round++)
         await withLock(async () => {
           mkdirSync('inside');
           rmdirSync('inside');
         }, 1);`,
    );
    const play = () =>
      new Promise<number | null>((resolve) =>
        spawn(process.execPath, [worker], { cwd: clone, stdio: 'ignore' }).on('close', resolve),
      );
    expect(await Promise.all([play(), play(), play(), play()])).toEqual([0, 0, 0, 0]);
  });

  it('if a setup was killed, the next setup takes over the lock', async () => {
    shim('npm', slowNpm);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    mkdirSync(join(clone, '.cache/setup.lock'), { recursive: true });
    writeFileSync(join(clone, `.cache/setup.lock/pid-${dead}`), hostname());
    expect(await Promise.all([start(), start(), start()])).toEqual([0, 0, 0]);
    expect(readFileSync(join(clone, 'npm-runs'), 'utf8')).toBe('run\n');
  });
});

describe('the version of Node', () => {
  it('setup refuses a Node that is too old and says so in one sentence', () => {
    const older = "Object.defineProperty(process.versions, 'node', { value: '20.18.3' });";
    const preload = `data:text/javascript,${encodeURIComponent(older)}`;
    const command = ['--import', preload, join(clone, 'scripts/setup.mjs')];
    const { status, stderr } = spawnSync(process.execPath, command, { env: environment({}), encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Baton needs Node 20\.19 or newer; this is 20\.18\.3 .*\n$/);
  });
});

it('setup refuses an unknown option', () => {
  const { status, stderr } = setup(['--tmx']);
  expect(status).toBe(1);
  expect(stderr).toContain('--tmx');
});
