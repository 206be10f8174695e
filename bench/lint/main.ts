import { parseArgs } from 'node:util';
import { corpus } from './corpus.ts';
import { measure } from './measure.ts';

const LEAST_RATE = 0.9;

/** Returns the exit code. With --json the result is the last line, and everything else goes to stderr. */
export function main(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const { result, missed, alarms } = measure(corpus());
  const say = values.json ? console.error : console.log;
  for (const each of missed) say(`missed  ${each}`);
  for (const each of alarms) say(`alarm   ${each}`);
  say(
    `${result.packages} packages, ${result.clean} of them clean: ${result.caught} of ${result.defects} defects caught, ${result.false_alarms} false alarms, ${result.clean_blocked} clean ones blocked`,
  );
  if (values.json) console.log(JSON.stringify(result));
  return result.catch_rate >= LEAST_RATE && result.clean_blocked === 0 ? 0 : 1;
}
