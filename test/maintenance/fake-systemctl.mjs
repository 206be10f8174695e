#!/usr/bin/env node
// A replacement for `systemctl --user` that tests put on the PATH, because containers have no systemd user manager. It
// stores its state in the folder FAKE_SYSTEMCTL, logs every call, and really starts and stops the program of the unit.

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const folder = process.env.FAKE_SYSTEMCTL ?? '';
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unitFile = join(process.env.HOME ?? '', '.config/systemd/user/baton.service');
const pidFile = join(folder, 'pid');
appendFileSync(join(folder, 'calls'), `${process.argv.slice(2).join(' ')}\n`);

const pid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0);
const isAlive = () => {
  try {
    return pid() > 0 && process.kill(pid(), 0);
  } catch {
    return false;
  }
};
/** Parses a list of quoted words such as `"a" "b"`, including C escapes, `%%` and `$$`. */
const unquoted = (text) =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word]) =>
    word.replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'),
  );

async function stop() {
  if (isAlive()) process.kill(pid(), 'SIGTERM');
  while (isAlive()) await pause(20);
  rmSync(pidFile, { force: true });
}

async function start() {
  const lines = readFileSync(unitFile, 'utf8').split('\n');
  const valuesOf = (key) => lines.filter((line) => line.startsWith(`${key}=`)).map((line) => unquoted(line));
  const env = Object.fromEntries(
    valuesOf('Environment').map(([pair]) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  const [[program, ...args]] = valuesOf('ExecStart');
  const log = openSync(join(folder, 'output'), 'a');
  const child = spawn(program, args, {
    env: { HOME: process.env.HOME, SHELL: '/bin/sh', ...env },
    stdio: ['ignore', log, log],
    detached: true,
  });
  writeFileSync(pidFile, String(child.pid));
  child.unref();
}

switch (words[0]) {
  case 'restart':
    if (process.env.FAKE_SYSTEMCTL_FAILS) {
      process.stderr.write('Job for baton.service failed.\n');
      process.exitCode = 1;
    } else {
      await stop();
      await start();
    }
    break;
  case 'disable':
    await stop();
    break;
  case 'is-active':
    process.stdout.write(isAlive() ? 'active\n' : 'inactive\n');
    process.exitCode = isAlive() ? 0 : 3;
}
