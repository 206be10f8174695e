import { parseArgs } from 'node:util';
import scratchFolder from '../../test/support/scratch-folder.ts';
import { fullPlan, type Round, shortPlan } from './plan.ts';
import { describeRun, holds, prove, resultOf } from './prove.ts';

const FULL_RUNS = 2_000;
/** Homes with a server of their own at the same time. */
const LANES = 2;

/** The rounds of a scenario, or with a point, that has these words in it. */
function* only(plan: Iterator<Round>, words = ''): Generator<Round> {
  for (let next = plan.next(); !next.done; next = plan.next())
    if ([next.value.scenario, ...next.value.points].some((each) => each.includes(words))) yield next.value;
}

/** Returns the exit code. The result is the last line with --json, and everything else goes to stderr then. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: String(FULL_RUNS) },
      seed: { type: 'string', default: '1' },
      only: { type: 'string' },
      lanes: { type: 'string', default: String(LANES) },
    },
  });
  const [wanted, seed, lanes] = [Number(values.runs), Number(values.seed), Number(values.lanes)];
  if (![wanted, seed, lanes].every((number) => Number.isInteger(number) && number > 0)) {
    console.error('--runs, --seed and --lanes must be whole numbers of at least 1');
    return 2;
  }
  const say = values.json ? console.error : console.log;
  const removeScratch = scratchFolder();
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  let done = 0;
  try {
    const proof = await prove({
      plan: only(values.short ? shortPlan()[Symbol.iterator]() : fullPlan(seed), values.only),
      wanted: values.short ? Number.POSITIVE_INFINITY : wanted,
      lanes,
      onJudged: (judged) => {
        if (judged.verdict.outcome !== 'completed') say(`  ${describeRun(judged)}`);
        if (++done % 100 === 0) say(`  ${done} runs, ${(seconds() / done).toFixed(2)} s each`);
      },
    });
    const result = resultOf(proof);
    for (const { verdict, ...judged } of proof.judged)
      if (verdict.outcome !== 'completed') say(`✗ ${describeRun({ verdict, ...judged })}`);
    for (const breakdown of proof.breakdowns) say(`✗ the proof broke down: ${breakdown}`);
    if (proof.notReached.length > 0) say(`Not reached: ${proof.notReached.join('; ')}`);
    say(
      `${result.runs} runs in ${seconds().toFixed(0)} s, ${(seconds() / result.runs).toFixed(2)} s each (seed ${seed})`,
    );
    console.log(
      values.json
        ? JSON.stringify(result)
        : Object.entries(result)
            .map(([name, value]) => `${name.padEnd(16)} ${value}`)
            .join('\n'),
    );
    return holds(proof) && !(values.short && proof.notReached.length > 0) ? 0 : 1;
  } finally {
    removeScratch();
  }
}
