import { fileURLToPath } from 'node:url';
import { describe, it } from 'vitest';
import { PLANTS, RANDOM } from '../../prove/plants/plants.mjs';
import { run } from '../support/baton-process.ts';

const PROOF = fileURLToPath(new URL('../../scripts/prove/plants.mjs', import.meta.url));

/**
 * Runs `npm run prove:plants` as one test per planted bug. Leaves out the bugs that only random kills find, because
 * random kills depend on the machine. The other proofs kill at chosen points, but when exactly the processes notice it
 * also depends on the machine. So each bug has two tries to make its proof fail for the expected reason.
 */
describe.concurrent('planted bugs and their proofs', () => {
  it.for(PLANTS.filter(({ by }) => by !== RANDOM))(
    'with the planted bug $name, $by fails',
    { timeout: 1_800_000, retry: 1 },
    async ({ name }, { expect }) => {
      const { code, stdout, stderr } = await run(process.execPath, [PROOF, '--json', '--only', name]);
      expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}'), stderr).toEqual({ plants: 1, caught: 1 });
      expect(code).toBe(0);
    },
  );
});
