import { createPracticeRuntime } from '../../src/adapters/runtimes/practice/practice-runtime.ts';
import type { BenchOptions, Part, PartResult } from '../frame/part.ts';
import { compare, interleave, takeTurns } from '../frame/rounds.ts';
import { median } from '../frame/statistics.ts';
import { type Evidence, type EvidenceFile, fnv, nowMs } from './evidence.ts';
import type { FloorProcess } from './floor-process.ts';
import { Product } from './product.ts';
import { withAgent, withBoth } from './sides.ts';

/**
 * How long the screen of the practice runtime must stay unchanged before Baton presses Enter. Baton waits on purpose,
 * so the bench subtracts this time from the measured time.
 */
export const SETTLE_MS = createPracticeRuntime('').settleMs;

/** A prompt of 3,072 bytes in several lines, with characters of two and three bytes. */
const PROMPT = ((): string => {
  const line = 'Größe und Maß: naïve façade, 漢字, «quotes» and "plain" words; $HOME `x` \\n #{pane_id} ~\n';
  let text = line.repeat(40);
  while (Buffer.byteLength(text) > 3072) text = text.slice(0, -1);
  return text.trimEnd() + '.'.repeat(3072 - Buffer.byteLength(text.trimEnd()));
})();

interface Delivered {
  /** Milliseconds from the request until the agent had read the whole text and the carriage return. */
  readonly confirmed: number;
  /** Milliseconds from the request until Baton answered that the agent's model has the message. */
  readonly returned: number;
}

async function typeByProduct(
  product: Product,
  agents: readonly number[],
  times: number,
): Promise<readonly Delivered[]> {
  const done: Delivered[] = [];
  for (let n = 0; n < times; n++) {
    const agent = agents[n % agents.length] ?? 0;
    const before = product.evidence.look().length;
    const began = nowMs();
    await product.send(agent, PROMPT);
    const returned = nowMs() - began;
    const { at } = arrival(product.evidence, before, agent);
    done.push({ confirmed: at - began - SETTLE_MS, returned: returned - SETTLE_MS });
  }
  return done;
}

async function typeByFloor(floor: FloorProcess, times: number): Promise<readonly number[]> {
  const before = floor.evidence.look().length;
  const sent = await floor.type(PROMPT, times);
  return sent.map(({ agent, at }) => arrival(floor.evidence, before, agent, at).at - at);
}

/** Returns the prompt that reached this agent. Throws if the prompt did not arrive exactly as it was sent. */
function arrival(evidence: EvidenceFile, before: number, agent: number, after = 0): Evidence {
  const found = evidence
    .look()
    .slice(before)
    .find((each) => each.kind === 'prompt' && each.agent === agent && each.at >= after);
  if (found === undefined) throw new Error(`the prompt did not reach agent ${agent}`);
  if (found.bytes !== Buffer.byteLength(PROMPT) || found.hash !== fnv(PROMPT))
    throw new Error(`the prompt reached agent ${agent} changed: ${found.bytes} bytes`);
  return found;
}

const typing = (options: BenchOptions): Promise<PartResult> =>
  withBoth(options, (floor, product) => measureTyping(floor, product, options));

async function measureTyping(
  floor: FloorProcess,
  product: Product,
  { rounds, short: isShort, say }: BenchOptions,
): Promise<PartResult> {
  const [panes, floorTimes, productTimes] = isShort ? [3, 6, 3] : [100, 100, 25];
  await floor.start(panes);
  const agents = await product.startAgents(panes);
  say(`P1: ${panes} agents run on both sides`);
  await typeByFloor(floor, 3);
  await typeByProduct(product, agents, 3);
  const floors: number[] = [];
  const confirmed: number[] = [];
  const returned: number[] = [];
  await takeTurns(
    rounds,
    async () => void floors.push(median(await typeByFloor(floor, floorTimes))),
    async () => {
      const done = await typeByProduct(product, agents, productTimes);
      confirmed.push(median(done.map((each) => each.confirmed)));
      returned.push(median(done.map((each) => each.returned)));
    },
  );
  const prompt = compare(floors, confirmed);
  const answer = compare(floors, returned);
  return {
    floor_ms: prompt.floor,
    product_ms: prompt.product,
    ratio: prompt.ratio,
    return_ms: answer.product,
    return_ratio: answer.ratio,
    settle_ms: SETTLE_MS,
    panes,
  };
}

const manyPanes = (options: BenchOptions): Promise<PartResult> =>
  withAgent(async (program) => {
    const few = new Product(program);
    const many = new Product(program);
    try {
      return await measureManyPanes(few, many, options);
    } finally {
      await few.close();
      await many.close();
    }
  });

async function measureManyPanes(few: Product, many: Product, options: BenchOptions): Promise<PartResult> {
  const { rounds, short: isShort, say } = options;
  const [panes, times] = isShort ? [5, 3] : [500, 25];
  await few.start();
  await many.start(options.profile);
  const [one, all] = [await few.startAgents(1), await many.startAgents(panes)];
  say(`P2: ${panes} agents run`);
  const measure = async (product: Product, agents: readonly number[]) =>
    median((await typeByProduct(product, agents, times)).map((each) => each.confirmed));
  const { floor, product, ratio } = await interleave(
    rounds,
    () => measure(few, one),
    () => measure(many, all),
  );
  return { one_pane_ms: floor, many_panes_ms: product, ratio, settle_ms: SETTLE_MS, panes };
}

export const parts: readonly Part[] = [
  {
    id: 'P1',
    title: 'a prompt of 3 KB typed to one of 100 agents, until the agent has it and until Baton answers',
    goal: 'ratio at most 8, return_ratio at most 12',
    run: typing,
  },
  {
    id: 'P2',
    title: 'the same with 500 agents, divided by the same with one agent',
    goal: 'ratio at most 2.5',
    run: manyPanes,
  },
];
