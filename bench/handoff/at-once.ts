import type { Run } from '../../src/contract/resources.ts';
import type { BenchOptions, Part, PartResult } from '../frame/part.ts';
import { compare, takeTurns } from '../frame/rounds.ts';
import type { Evidence } from './evidence.ts';
import type { FloorProcess } from './floor-process.ts';
import type { Product } from './product.ts';
import { withBoth } from './sides.ts';

/**
 * Handoffs per second when all agents are handed off at once, and the numbers of incomplete handoffs and of repetitions
 * according to the agents' own logs.
 */
interface Rush {
  readonly rate: number;
  readonly lost: number;
  readonly doubled: number;
}

async function rushByFloor(floor: FloorProcess, count: number): Promise<Rush> {
  const before = floor.evidence.look().length;
  const done = await floor.handOff(count);
  const began = Math.min(...done.map(({ triggered }) => Number(BigInt(triggered)) / 1e6));
  const ended = Math.max(...done.map(({ accepted }) => Number(BigInt(accepted)) / 1e6));
  const arrived = floor.evidence.look().slice(before);
  const lost = done.filter(({ agent, successor }) => !isComplete(arrived, agent, successor)).length;
  return { rate: (1000 * count) / (ended - began), lost, doubled: twice(arrived) };
}

async function rushByProduct(
  product: Product,
  agents: readonly number[],
): Promise<Rush & { readonly runs: readonly Run[] }> {
  const before = product.evidence.look().length;
  const began = performance.timeOrigin + performance.now();
  const ids = await Promise.all(agents.map((agent) => product.trigger(agent)));
  await product.evidence
    .until('the injection prompts', (all) => {
      const got = all.slice(before).filter((each) => each.kind === 'prompt' && each.ref.includes('-injection'));
      return got.length >= agents.length ? true : undefined;
    })
    // If a handoff prompt does not arrive in time, continue, because `isComplete` finds each missing prompt afterwards.
    .catch(() => false);
  const runs: Run[] = [];
  for (const id of ids) runs.push(await product.over(id));
  const ends = runs.map(({ steps }) => {
    const delivered = steps.findIndex(({ step }) => step === 'delivering_prompt');
    return Date.parse(steps[delivered + 1]?.entered_at ?? '');
  });
  const arrived = product.evidence.look().slice(before);
  const lost = runs.filter(
    ({ agent_id: agent, successor_agent_id: successor }) => !isComplete(arrived, agent, successor ?? 0),
  ).length;
  return { runs, rate: (1000 * agents.length) / (Math.max(...ends) - began), lost, doubled: twice(arrived) };
}

/** True if the outgoing agent wrote its document and exited, and the successor got the handoff prompt. */
function isComplete(all: readonly Evidence[], agent: number, successor: number): boolean {
  const has = (kind: Evidence['kind'], whose: number, ref = '') =>
    all.some((each) => each.kind === kind && each.agent === whose && each.ref.includes(ref));
  return has('document', agent) && has('exit', agent) && has('prompt', successor, '-injection');
}

/**
 * Counts the repetitions: each further time that a prompt reached an agent, and each further time that an agent wrote
 * its document.
 */
function twice(all: readonly Evidence[]): number {
  const seen = new Set<string>();
  let count = 0;
  for (const { kind, ref, agent } of all) {
    if (kind !== 'prompt' && kind !== 'document') continue;
    const what = kind === 'prompt' ? ref : `document ${agent}`;
    if (seen.has(what)) count += 1;
    seen.add(what);
  }
  return count;
}

async function atOnce(floor: FloorProcess, product: Product, options: BenchOptions): Promise<PartResult> {
  const { rounds, short: isShort, say } = options;
  const count = isShort ? 4 : 100;
  await floor.start(count);
  let agents = await product.startPersonas(count);
  say(`P5: ${count} agents run on both sides`);
  const floors: Rush[] = [];
  const products: Rush[] = [];
  await takeTurns(
    rounds,
    async () => void floors.push(await rushByFloor(floor, count)),
    async () => {
      for (const agent of agents) await product.closesAtExit(agent);
      const { runs, ...rush } = await rushByProduct(product, agents);
      const failed = runs.filter(({ step }) => step !== 'completed');
      for (const run of failed) say(`P5: run ${run.id} ended as ${run.step}: ${run.failure?.sentence}`);
      products.push(rush);
      agents = runs.flatMap(({ successor_agent_id: id }) => id ?? []);
    },
  );
  const {
    floor: floorRate,
    product: rate,
    ratio,
  } = compare(
    floors.map((each) => each.rate),
    products.map((each) => each.rate),
  );
  const sum = (what: 'lost' | 'doubled') => products.reduce((total, each) => total + each[what], 0);
  return {
    floor_per_s: floorRate,
    product_per_s: rate,
    ratio,
    lost: sum('lost'),
    doubled: sum('doubled'),
    at_once: count,
  };
}

export const parts: readonly Part[] = [
  {
    id: 'P5',
    title: '100 handoffs at once: handoffs per second, and lost or doubled prompts by the word of the agents',
    goal: 'ratio at least 0.2, nothing lost or doubled',
    run: (options) => withBoth(options, (floor, product) => atOnce(floor, product, options)),
  },
];
