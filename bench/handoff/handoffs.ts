import type { Run } from '../../src/contract/resources.ts';
import type { BenchOptions, Part, PartResult } from '../frame/part.ts';
import { compare, takeTurns } from '../frame/rounds.ts';
import { median, short } from '../frame/statistics.ts';
import type { Evidence } from './evidence.ts';
import type { FloorProcess } from './floor-process.ts';
import type { Product } from './product.ts';
import { withBoth } from './sides.ts';
import { SETTLE_MS } from './typing.ts';

/** The number of texts that Baton types in a handoff: the instruction, /exit, the skill and the handoff prompt. */
const TYPED = { fromTrigger: 4, fromDocument: 3 };

interface Handoff {
  /** Milliseconds from the beginning of the handoff until the successor accepted the handoff prompt. */
  readonly whole: number;
  /** Milliseconds from the moment when the document was written until the successor got the handoff prompt. */
  readonly fromDocument: number;
  readonly run?: Run;
}

const last = (all: readonly Evidence[], kind: Evidence['kind'], agent: number, ref = ''): Evidence | undefined =>
  all.findLast((each) => each.kind === kind && each.agent === agent && each.ref.includes(ref));

function writtenToPrompt(all: readonly Evidence[], agent: number, successor: number): number {
  const document = last(all, 'document', agent);
  const prompt = last(all, 'prompt', successor, '-injection');
  if (document === undefined || prompt === undefined) throw new Error(`the handoff of agent ${agent} left no evidence`);
  return prompt.at - document.at;
}

async function handOffByFloor(floor: FloorProcess): Promise<Handoff> {
  const [done] = await floor.handOff(1);
  if (done === undefined) throw new Error('the floor handed no agent off');
  const whole = Number(BigInt(done.accepted) - BigInt(done.triggered)) / 1e6;
  return { whole, fromDocument: writtenToPrompt(floor.evidence.look(), done.agent, done.successor) };
}

/**
 * Hands the agent off with Baton. The measured time ends when the successor has accepted the handoff prompt and Baton
 * has recorded the next step of the run.
 */
async function handOffByProduct(product: Product, agent: number): Promise<Handoff & { readonly run: Run }> {
  const beganAt = performance.timeOrigin + performance.now();
  const runId = await product.trigger(agent);
  const known = product.evidence.look().length;
  await product.evidence.until('the injection prompt', (all) =>
    all.slice(known).find((each) => each.kind === 'prompt' && each.ref.includes('-injection')),
  );
  const run = await product.over(runId);
  if (run.step !== 'completed') throw new Error(`run ${runId} ended as ${run.step}: ${run.failure?.sentence}`);
  const delivered = run.steps.findIndex(({ step }) => step === 'delivering_prompt');
  const accepted = run.steps[delivered + 1];
  if (accepted === undefined) throw new Error(`run ${runId} never delivered its prompt`);
  return {
    run,
    whole: Date.parse(accepted.entered_at) - beganAt,
    fromDocument: writtenToPrompt(product.evidence.look(), agent, run.successor_agent_id ?? 0),
  };
}

interface Measured {
  readonly whole: PartResult;
  readonly fromDocument: PartResult;
}

let measured: Promise<Measured> | undefined;

/**
 * Returns the result of the measured handoffs. Parts P3 and P4 both use this result, so the handoffs are performed only
 * once.
 */
function serial(options: BenchOptions): Promise<Measured> {
  measured ??= withBoth(options, (floor, product) => measureSerial(floor, product, options));
  return measured;
}

async function measureSerial(
  floor: FloorProcess,
  product: Product,
  { rounds, short: isShort, say }: BenchOptions,
): Promise<Measured> {
  const [floorTimes, productTimes] = isShort ? [3, 2] : [15, 8];
  await floor.start(1);
  let [agent = 0] = await product.startPersonas(1);
  const once = async (): Promise<Handoff & { readonly run: Run }> => {
    await product.closesAtExit(agent);
    const done = await handOffByProduct(product, agent);
    agent = done.run.successor_agent_id ?? 0;
    return done;
  };
  await handOffByFloor(floor);
  await once();
  const floors: Handoff[] = [];
  const products: Handoff[] = [];
  const steps = new Map<string, number[]>();
  await takeTurns(
    rounds,
    async () => void floors.push(await middle(floorTimes, () => handOffByFloor(floor))),
    async () => {
      const add = ({ run }: { readonly run: Run }) => {
        for (const { step, ms } of run.steps) steps.set(step, [...(steps.get(step) ?? []), ms ?? 0]);
      };
      products.push(
        await middle(productTimes, async () => {
          const done = await once();
          add(done);
          return done;
        }),
      );
    },
  );
  say(`P3: steps in ms ${JSON.stringify(Object.fromEntries([...steps].map(([step, all]) => [step, median(all)])))}`);
  const result = (part: 'whole' | 'fromDocument', settleMs: number): PartResult => {
    const both = compare(
      floors.map((each) => each[part]),
      products.map((each) => each[part] - settleMs),
    );
    return { floor_ms: both.floor, product_ms: both.product, ratio: both.ratio, settle_ms: settleMs };
  };
  const missing: number[] = [];
  product.evidence.instruct({ noStop: true, status: true });
  await once();
  for (let n = 0; n < (isShort ? 1 : 5); n++) missing.push((await once()).fromDocument);
  const stopMissing = { stop_missing_ms: short(median(missing)) };
  return {
    whole: result('whole', TYPED.fromTrigger * SETTLE_MS),
    fromDocument: { ...result('fromDocument', TYPED.fromDocument * SETTLE_MS), ...stopMissing },
  };
}

async function middle(times: number, handOff: () => Promise<Handoff>): Promise<Handoff> {
  const all: Handoff[] = [];
  for (let n = 0; n < times; n++) all.push(await handOff());
  return { whole: median(all.map((each) => each.whole)), fromDocument: median(all.map((each) => each.fromDocument)) };
}

export const parts: readonly Part[] = [
  {
    id: 'P3',
    title: 'a handoff of an agent that does not think, from the trigger until its successor accepted the last prompt',
    goal: 'ratio at most 4',
    run: async (options) => (await serial(options)).whole,
  },
  {
    id: 'P4',
    title: 'the same from the written document until the successor has the last prompt; also without the Stop hook',
    goal: 'ratio at most 4, stop_missing_ms at most 1,000',
    run: async (options) => (await serial(options)).fromDocument,
  },
];
