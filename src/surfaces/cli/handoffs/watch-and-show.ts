import type { Run } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { getRun } from '../client/look-up.ts';
import { operatorClient, WATCH_PATIENCE_MS } from '../client/operator-client.ts';
import { runLines } from './runs.ts';
import { RunPrinter } from './watch/run-printer.ts';
import { watchRun } from './watch/watch-run.ts';

/** Throws CliFault if the command is for another machine. A handoff can be watched live only on its own machine. */
export function refuseWatchFromAfar({ deps: { machine } }: Cli, next: string): void {
  if (machine === undefined) return;
  throw new CliFault(`A handoff on ${machine} can be watched live only on ${machine} itself.`, {
    code: 'not_from_afar',
    hint: next,
  });
}

/** Follows a run until it ends. With --json the steps are printed to stderr and the ended run to stdout. */
export async function watchAndShow(cli: Cli, id: number): Promise<number> {
  const { deps, json, out } = cli;
  refuseWatchFromAfar(cli, `Ask for its state instead: baton handoff show ${id}`);
  const api = operatorClient(deps, { patienceMs: WATCH_PATIENCE_MS });
  if (!json) out.print(`Handoff ${id}`);
  const printer = new RunPrinter(out, json ? 'stderr' : 'stdout');
  const run = await watchRun(api, id, (seen) => printer.show(seen));
  if (json) out.json((await getRun(api, id)).body);
  else for (const line of outcome(run)) out.print(...line);
  return run.step === 'completed' ? EXIT.done : EXIT.failed;
}

const outcome = (run: Run) => runLines(run).filter(([label]) => label === 'document' || label === 'acknowledged');
