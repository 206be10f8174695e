import { spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { run } from '../support/baton-process.ts';

const NOBODY = 65534;
/**
 * The ids of the user `nobody`. Only root can run a program as another user. Without root, the other account is only
 * another home folder.
 */
const SOMEBODY = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * A second account on this machine. Its home is empty, and its environment has no variable of this process except PATH.
 */
export class OtherAccount {
  /**
   * Other users cannot open the folder of the test run, so the folder of the account is in /tmp. Its path is short,
   * because sockets need short paths.
   */
  readonly folder = realpathSync(mkdtempSync('/tmp/bo'));
  readonly home = join(this.folder, 'u');
  readonly prefix = join(this.folder, 'p');
  readonly env: NodeJS.ProcessEnv;

  constructor() {
    chmodSync(this.folder, 0o755);
    for (const path of [this.home, this.prefix, join(this.home, 'tmp')]) mkdirSync(path);
    this.give(this.home);
    this.give(join(this.home, 'tmp'));
    const path = `${join(this.prefix, 'bin')}:${process.env.PATH}`;
    this.env = { HOME: this.home, PATH: path, TMPDIR: join(this.home, 'tmp'), SHELL: '/bin/sh', LANG: 'C.UTF-8' };
  }

  give(path: string): void {
    if (SOMEBODY.uid !== undefined) chownSync(path, SOMEBODY.uid, SOMEBODY.gid);
  }

  run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): ReturnType<typeof run> {
    return new Promise((resolve) => {
      const options = { env: { ...this.env, ...env }, cwd: this.home, ...SOMEBODY };
      const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      let [stdout, stderr] = ['', ''];
      child.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk.toString();
      });
      child.stderr.on('data', (chunk: Buffer) => {
        stderr += chunk.toString();
      });
      child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
      child.on('error', (error) => resolve({ code: 127, stdout, stderr: error.message }));
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
