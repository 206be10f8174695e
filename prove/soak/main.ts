import { parseArgs } from 'node:util';
import scratchFolder from '../../test/support/scratch-folder.ts';
import { holds, soak } from './soak.ts';

const USUAL_MINUTES = 10;

/**
 * Runs the soak and returns the exit code. With --json the result is the only line on stdout, and the rest goes to
 * stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      minutes: { type: 'string', default: String(USUAL_MINUTES) },
      json: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) {
    console.error('--minutes must be a number above 0');
    return 2;
  }
  const say = values.json ? console.error : console.log;
  const began = performance.now();
  const seconds = (): string => ((performance.now() - began) / 1000).toFixed(0).padStart(4);
  const removeScratch = scratchFolder();
  try {
    const soaked = await soak(minutes, (line) => say(`${seconds()} s  ${line}`));
    for (const { offence, what } of soaked.findings) say(`✗ ${offence}: ${what}`);
    if (soaked.breakdown !== undefined) say(`✗ the soak broke down: ${soaked.breakdown}`);
    say(`${seconds()} s in all`);
    const { result } = soaked;
    if (values.json) console.log(JSON.stringify(result));
    else for (const [name, value] of Object.entries(result)) console.log(`${name.padEnd(16)} ${value}`);
    return holds(soaked) ? 0 : 1;
  } finally {
    removeScratch();
  }
}
