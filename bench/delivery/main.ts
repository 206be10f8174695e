import { parseArgs } from 'node:util';
import { PLANTS, type Plant } from './plant.ts';
import { describeOffence, holds, isOffence, percentile } from './referee.ts';
import { type Report, runBench } from './run.ts';

/**
 * Runs the delivery bench and returns the exit code. With --json the last line on stdout is the result. All other
 * output goes to stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      short: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      plant: { type: 'string', default: 'none' },
      only: { type: 'string', multiple: true },
    },
  });
  const plant = PLANTS.find((known) => known === values.plant);
  if (plant === undefined) {
    console.error(`--plant must be one of ${PLANTS.join(', ')}`);
    return 2;
  }
  const began = performance.now();
  const report = await runBench({
    scale: values.short ? 'short' : 'full',
    plant,
    ...(values.only === undefined ? {} : { only: values.only }),
  });
  const say = values.json ? console.error : console.log;
  print(report, plant, (performance.now() - began) / 1000, say);
  if (values.json) console.log(JSON.stringify(report.result));
  return holds(report.result) && report.breakdowns.length === 0 ? 0 : 1;
}

function print(
  { result, rulings, breakdowns }: Report,
  plant: Plant,
  seconds: number,
  say: (line: string) => void,
): void {
  say(
    `Delivery bench, ${result.deliveries} deliveries in ${seconds.toFixed(0)} s${plant === 'none' ? '' : `, planted: ${plant}`}\n`,
  );
  say('profile   deliveries  accepted  refused  unconfirmed  p50 ms  p95 ms');
  for (const profile of new Set(rulings.map(({ trial }) => trial.profile))) {
    const trials = rulings.map(({ trial }) => trial).filter((trial) => trial.profile === profile);
    const of = (kind: string) => trials.filter(({ verdict }) => verdict.kind === kind).length;
    const times = trials.map(({ ms }) => ms);
    const row = [
      trials.length,
      of('accepted'),
      of('refused'),
      of('unconfirmed'),
      percentile(times, 0.5),
      percentile(times, 0.95),
    ];
    const widths = [10, 8, 7, 11, 6, 6];
    say(
      `${profile.padEnd(8)}  ${row.map((value, index) => String(value).padStart(widths[index] as number)).join('  ')}`,
    );
  }
  const offences = rulings.filter(isOffence).map(describeOffence);
  for (const problem of [...breakdowns.map((text) => `the bench broke down in ${text}`), ...offences])
    say(`✗ ${problem}`);
  say('');
  if (!process.argv.includes('--json'))
    for (const [name, value] of Object.entries(result)) say(`${name.padEnd(16)} ${value}`);
}
