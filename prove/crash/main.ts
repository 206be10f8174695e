import { parseArgs } from 'node:util';
import scratchFolder from '../../test/support/scratch-folder.ts';
import { fullPlan, type Round, shortPlan } from './plan.ts';
import { describeRun, holds, prove, resultOf } from './prove.ts';
import { holdsAtRandom, proveAtRandom } from './random/prove.ts';

const FULL_RUNS = 2_000;
/** The number of homes that are tested at the same time. Each home has its own server. */
const LANES = 2;

const HELP = `npm run prove:crash -- [options]: the real server, killed with -9 again and again

  --short        each named point once (some minutes); otherwise each with every kind of handoff, and packages between
  --runs N       so many handoffs, ${FULL_RUNS} by default
  --only WORDS   the rounds of a scenario, or with a point, that has these words in it
  --lanes N      homes with a server of their own at the same time, ${LANES} by default
  --random N     N kills at random moments instead, while handoffs, messages, packages, adoptions and worktrees are
                 under way in one home. Printed: kills, runs (handoffs), completed,
                   lost     acknowledged to the caller, and nowhere
                   doubled  in the agent's model twice, or two of what was asked for once
                   silent   ended otherwise than completed, and no inbox item, warning or halt with actions says so
                   stuck    not at rest after its deadline, and nobody was told
                 judged by the agents' own logs, the files, git and the archive of packages
  --until-red    with --random: ends once something was found
  --seed S       decides the points, or the moments; printed at the end. Random by default with --random, else 1
  --json         the result as the last line of stdout, everything else to stderr
  --help         this

Exit code 0 if it holds, 1 if not, 2 for wrong options. docs/reliability/how-we-prove.md says more.`;

/** Yields a round only if the name of its scenario or of one of its crash points contains this text. */
function* only(plan: Iterator<Round>, words = ''): Generator<Round> {
  for (let next = plan.next(); !next.done; next = plan.next())
    if ([next.value.scenario, ...next.value.points].some((each) => each.includes(words))) yield next.value;
}

/**
 * Runs `npm run prove:crash` and returns the exit code. With --json the result is the only line on stdout, and the rest
 * goes to stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      runs: { type: 'string', default: String(FULL_RUNS) },
      seed: { type: 'string' },
      random: { type: 'string' },
      'until-red': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      only: { type: 'string' },
      lanes: { type: 'string', default: String(LANES) },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const anySeed = values.random === undefined ? 1 : 1 + Math.floor(Math.random() * 1_000_000);
  const [wanted, seed, lanes] = [Number(values.runs), Number(values.seed ?? anySeed), Number(values.lanes)];
  const kills = Number(values.random ?? 1);
  if (![wanted, seed, lanes, kills].every((number) => Number.isInteger(number) && number > 0)) {
    console.error('--runs, --seed, --lanes and --random must be whole numbers of at least 1');
    return 2;
  }
  const say = values.json ? console.error : console.log;
  if (values.random !== undefined) return killAtRandom({ kills, seed, untilRed: values['until-red'] }, say);
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
    for (const judged of proof.judged) if (judged.verdict.outcome !== 'completed') say(`✗ ${describeRun(judged)}`);
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

/** Prints progress to stderr, and the result as JSON to stdout. */
async function killAtRandom(
  { kills, seed, untilRed }: { kills: number; seed: number; untilRed: boolean },
  say: (line: string) => void,
): Promise<number> {
  const removeScratch = scratchFolder();
  try {
    console.error(`${kills} kills at random moments, seed ${seed}`);
    const proof = await proveAtRandom({ kills, seed, untilRed, tell: console.error });
    for (const { offence, what } of proof.findings) say(`✗ ${offence}: ${what}`);
    for (const breakdown of proof.breakdowns) say(`✗ the proof broke down: ${breakdown}`);
    console.log(JSON.stringify(proof.result));
    return holdsAtRandom(proof) ? 0 : 1;
  } finally {
    removeScratch();
  }
}
