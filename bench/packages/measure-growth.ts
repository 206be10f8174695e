import { delegation } from '../../test/surfaces/http/packages/package-scene.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';

export interface Growth {
  readonly waiting: number;
  readonly createMs: number;
  readonly reconcileCpuMs: number;
}

const ROUNDS = 12;
const CREATES_A_ROUND = 6;
const PASSES_A_ROUND = 10;

/**
 * Each round measures every number of waiting packages once, so that a slow phase of the machine affects all results
 * alike.
 */
export async function measureGrowth(sizes: readonly number[], say: (line: string) => void): Promise<readonly Growth[]> {
  const crowds: Crowd[] = [];
  for (const size of sizes) {
    crowds.push(await gatherCrowd(size));
    say(`${size} packages wait`);
  }
  const creates = crowds.map((): number[] => []);
  const reconciles = crowds.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, crowd] of crowds.entries()) {
      creates[index]?.push(...(await timeCreates(crowd)));
      reconciles[index]?.push(await timePasses(crowd));
    }
  for (const crowd of crowds) await crowd.end();
  return crowds.map(({ waiting }, index) => ({
    waiting,
    createMs: median(creates[index] ?? []),
    reconcileCpuMs: median(reconciles[index] ?? []),
  }));
}

/**
 * Measures how long it takes to create a package. Each created package is cancelled, so that the number of waiting
 * packages stays the same.
 */
async function timeCreates({ scene }: Crowd): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < CREATES_A_ROUND; count++) {
    const begin = performance.now();
    const { status, body } = await scene.create(scene.con, delegation());
    times.push(performance.now() - begin);
    if (status !== 201) throw new Error(`a package was refused: ${body.error}`);
    await scene.post(scene.con, `/${body.id}/cancel`);
  }
  return times;
}

async function timePasses(crowd: Crowd): Promise<number> {
  // Do not measure the first reconcile pass, because this pass still handles the packages that the bench has just
  // created.
  await crowd.pass();
  await crowd.settle();
  const before = process.cpuUsage();
  for (let count = 0; count < PASSES_A_ROUND; count++) await crowd.pass();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / PASSES_A_ROUND;
}

const median = (all: readonly number[]): number =>
  [...all].sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
