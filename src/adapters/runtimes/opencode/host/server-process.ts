import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ADDRESS_FILE, type Api, createApi } from '../opencode-api.ts';

const LISTENS = /listening on http:\/\/127\.0\.0\.1:(\d+)/;
/**
 * How long a start of the server may take. Without a network, opencode may try for more than a minute to install npm
 * packages for its plugins.
 */
const START_MS = 180_000;
/**
 * After a start, the server sometimes does not answer the first request. After this many milliseconds, Baton sends
 * the request again, and the server answers the second request at once.
 */
const FIRST_REQUEST_MS = 2_000;
const END_MS = 3_000;
const MAX_OUTPUT = 4_000;

export interface ServerProcess {
  readonly api: Api;
  readonly url: string;
  readonly password: string;
  /** Resolves with the last output of the server process when the process has ended. */
  readonly ended: Promise<string>;
  end(): Promise<void>;
}

export const newPassword = (): string => randomBytes(24).toString('base64url');

/**
 * Starts `opencode serve` on loopback. The server is in the process group of this process, so closing the terminal ends
 * the server. The password is in the environment of the server and in a file that only the operator can read.
 */
export async function startServer(
  program: string,
  folder: string,
  password: string,
  port: number,
): Promise<ServerProcess> {
  const child = spawn(program, ['serve', '--hostname', '127.0.0.1', '--port', String(port)], {
    env: serverEnv(password),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(output));
  });
  const listening = new Promise<number>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        output = (output + chunk).slice(-MAX_OUTPUT);
        const [, found] = LISTENS.exec(output) ?? [];
        if (found !== undefined) resolve(Number(found));
      });
    }
  });
  const found = await Promise.race([listening, ended, sleep(START_MS, undefined, { ref: false })]);
  if (typeof found !== 'number') {
    child.kill('SIGKILL');
    throw new Error(`opencode's server did not start${found ? `: ${found.trim()}` : ''}`);
  }
  const url = `http://127.0.0.1:${found}`;
  const api = createApi({ url, password });
  leaveAddress(folder, { url, password });
  return { api, url, password, ended, end: () => endProcess(child, ended, folder) };
}

/**
 * The environment of the server and of the terminal client. The operator's OPENCODE_SERVER_USERNAME is removed, because
 * Baton logs in with opencode's default user name.
 */
export function serverEnv(password: string): NodeJS.ProcessEnv {
  const { OPENCODE_SERVER_USERNAME: _user, ...env } = process.env;
  return { ...env, OPENCODE_SERVER_PASSWORD: password };
}

/** Waits until the server has loaded the project, and repeats a request that hangs. */
export async function waitUntilAnswering(server: ServerProcess): Promise<void> {
  const until = Date.now() + START_MS;
  let isOver = false;
  void server.ended.then(() => {
    isOver = true;
  });
  for (;;) {
    try {
      await server.api.get('/session/status', FIRST_REQUEST_MS);
      return;
    } catch (error) {
      if (isOver || Date.now() > until)
        throw new Error(`opencode's server does not answer: ${(error as Error).message}`);
      await sleep(100);
    }
  }
}

function leaveAddress(folder: string, address: object): void {
  const path = join(folder, ADDRESS_FILE);
  rmSync(`${path}.next`, { force: true });
  writeFileSync(`${path}.next`, JSON.stringify(address), { mode: 0o600 });
  renameSync(`${path}.next`, path);
}

async function endProcess(child: ChildProcess, ended: Promise<string>, folder: string): Promise<void> {
  rmSync(join(folder, ADDRESS_FILE), { force: true });
  child.kill('SIGTERM');
  await Promise.race([ended, sleep(END_MS)]);
  child.kill('SIGKILL');
}
