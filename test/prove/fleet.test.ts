import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { findServer } from '../../src/adapters/fleet/hub-server.ts';
import { run } from '../support/baton-process.ts';
import { needs } from '../support/needs.ts';

const PROOF = fileURLToPath(new URL('../../scripts/prove/fleet.mjs', import.meta.url));
const NATS_SERVER = { what: 'nats-server (not installed)', isThere: findServer(process.env) !== undefined };

/**
 * The results of prove:fleet that must be zero. The message of a failed test names the result that is not zero, so it
 * shows which fault a planted bug caused.
 */
const ZERO = ['lost', 'doubled', 'executed_twice', 'executed_expired', 'forged_accepted'] as const;

/** Runs the same test as `npm run prove:fleet`, with fewer machines. */
it('[T26] [T27] despite kills and network cuts, a fleet keeps each event once and performs each valid command at most once', {
  timeout: 900_000,
  ...needs(NATS_SERVER),
}, async () => {
  const { code, stdout, stderr } = await run(process.execPath, [PROOF, '--short', '--json']);
  const line = stdout.trim().split('\n').at(-1) ?? '';
  expect(line, stderr).toMatch(/^\{/);
  console.log(`prove:fleet ${line}`);
  const result = JSON.parse(line) as Readonly<Record<string, unknown>>;
  for (const key of ZERO) expect(result[key], `${key} in ${line}`).toBe(0);
  expect(result, stderr).toMatchObject({
    real_machines: 3,
    view_equal: true,
    copy_refused: true,
    restored_noticed: true,
    restored_took_command: false,
  });
  for (const key of ['hub_kills', 'cuts', 'machine_kills', 'executed']) expect(result[key], key).toBeGreaterThan(0);
  expect(result.shapes).toBeGreaterThanOrEqual(100);
  expect(code, stderr).toBe(0);
});
