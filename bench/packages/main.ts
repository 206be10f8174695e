import { parseArgs } from 'node:util';
import { type Growth, measureGrowth } from './measure-growth.ts';
import { playDelegation } from './play-delegation.ts';

const SIZES = [0, 1_000, 10_000];
/**
 * The bench fails if 10,000 waiting packages make the creation of a package or a reconcile pass slower by more than
 * this factor.
 */
const MAX_RATIO = 1.3;

/**
 * Runs the package bench and returns the exit code. With --json the last line on stdout is the result. All other output
 * goes to stderr.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { json: { type: 'boolean', default: false } } });
  const say = values.json ? console.error : console.log;
  const played = await playDelegation();
  const measured = await measureGrowth(SIZES, say);
  for (const { waiting, createMs, reconcileCpuMs } of measured)
    say(`${waiting} waiting: create ${createMs.toFixed(2)} ms (p50), reconcile ${reconcileCpuMs.toFixed(2)} ms CPU`);
  const result = {
    create_ratio_10000: ratio(measured, 'createMs'),
    reconcile_ratio_10000: ratio(measured, 'reconcileCpuMs'),
    delegation_calls: played.calls,
    delegation_tokens: played.tokens,
    tool_list_tokens: played.toolListTokens,
  };
  say(
    `a delegation with return: ${played.calls} calls, ${played.tokens} tokens; the list of tools: ${played.toolListTokens}`,
  );
  if (values.json) console.log(JSON.stringify(result));
  return result.create_ratio_10000 <= MAX_RATIO && result.reconcile_ratio_10000 <= MAX_RATIO ? 0 : 1;
}

function ratio(measured: readonly Growth[], what: 'createMs' | 'reconcileCpuMs'): number {
  const at = (waiting: number): number => measured.find((each) => each.waiting === waiting)?.[what] ?? Number.NaN;
  return Math.round((at(10_000) / at(0)) * 100) / 100;
}
