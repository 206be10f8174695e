import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PackageProcess } from '../../../test/e2e/packages/package-process.ts';
import type { BatonProcess } from '../../../test/support/baton-process.ts';

const RACER = fileURLToPath(new URL('racer.mjs', import.meta.url));
const RACERS = 32;

interface Asked {
  readonly path: string;
  readonly token: string;
  readonly body: object;
}

/**
 * Sends the same request from 32 processes at once. Exactly one of the 32 requests must succeed. Tries this with
 * logins, approvals and handoff requests. Returns a sentence for each violation.
 */
export async function race(
  scene: PackageProcess,
  gate: { readonly id: string; readonly seen: string },
): Promise<string[]> {
  const { baton } = scene;
  const { url } = (await baton.call<{ url: string }>('POST', '/api/login-codes', {})).body;
  const found = [
    ...(await oneWins('login', baton, { path: '/api/login', token: '', body: { code: url.split('#code=')[1] } })),
    ...(await oneWins('approve', baton, {
      path: `/api/packages/${gate.id}/decide`,
      token: baton.token,
      body: { option: 'approve', seen: gate.seen },
    })),
    ...(await oneWins('trigger', baton, {
      path: `/api/agents/${scene.con.id}/handoff`,
      token: baton.token,
      body: {},
    })),
  ];
  const { runs } = await baton.get<{ runs: { agent_id: number }[] }>('/api/runs');
  const begun = runs.filter(({ agent_id }) => agent_id === scene.con.id).length;
  return begun === 1 ? found : [...found, `trigger: ${begun} runs have begun`];
}

async function oneWins(name: string, baton: BatonProcess, asked: Asked): Promise<string[]> {
  const statuses = await askAtOnce(baton.port, asked);
  const won = statuses.filter((status) => status < 300).length;
  const faltered = statuses.filter((status) => status === 0 || status >= 500).length;
  return won === 1 && faltered === 0 ? [] : [`${name}: ${won} of ${RACERS} won, ${faltered} got no answer`];
}

async function askAtOnce(port: number, { path, token, body }: Asked): Promise<number[]> {
  const racers = Array.from({ length: RACERS }, () =>
    listen(
      spawn(process.execPath, [RACER, String(port), path, token, JSON.stringify(body)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      }),
    ),
  );
  await Promise.all(racers.map(({ ready }) => ready));
  for (const { child } of racers) child.stdin?.write('go\n');
  return Promise.all(racers.map(({ status }) => status));
}

/**
 * Collects the output of a child process from the start. The child may print or exit before this process waits for its
 * output.
 */
function listen(child: ChildProcess) {
  let said = '';
  const ended = once(child, 'close');
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      resolve();
    });
    void ended.then(() => resolve());
  });
  return { child, ready, status: ended.then(() => Number(said.replace('ready\n', ''))) };
}
