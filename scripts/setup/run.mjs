import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Runs a command and collects its output, so that the setup can show the output if the command fails. Never rejects:
 * the code is 127 for a command that cannot be started. Does not block the event loop, which must renew the setup lock
 * and forward Ctrl-C.
 *
 * @param {string[]} command
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, onStart?: (pid: number) => void, show?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run([file = '', ...args], { cwd, env = process.env, onStart, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output += chunk;
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    if (child.pid !== undefined) onStart?.(child.pid);
    const passOn = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
    const done = (/** @type {number} */ code, /** @type {string} */ text) => {
      process.off('SIGINT', passOn).off('SIGTERM', passOn);
      resolve({ code, output: text });
    };
    process.on('SIGINT', passOn).on('SIGTERM', passOn);
    child.on('error', (error) => done(127, error.message));
    child.on('close', (code) => done(code ?? 1, output));
  });
}

/**
 * Returns the path of the first of these programs that exists. A name is searched for on the PATH, and an absolute path
 * on the disk. Returns undefined if none of the programs exists.
 * @param {readonly string[]} names
 */
export function findProgram(names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = names.flatMap((name) => (name.startsWith('/') ? [name] : folders.map((dir) => join(dir, name))));
  return candidates.find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
