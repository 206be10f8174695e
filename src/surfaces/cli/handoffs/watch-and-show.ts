import type { Run } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { getRun } from '../client/look-up.ts';
import { operatorClient, WATCH_PATIENCE_MS } from '../client/operator-client.ts';
import { runLines } from './runs.ts';
import { RunPrinter } from './watch/run-printer.ts';
import { watchRun } from './watch/watch-run.ts';

/** Follows a run until it ends. With --json the steps are printed to stderr and the ended run to stdout. */
export async function watchAndShow(cli: Cli, id: number): Promise<number> {
  const { deps, json, out } = cli;
  const api = operatorClient(deps, { patienceMs: WATCH_PATIENCE_MS });
  if (!json) out.print(`Handoff ${id}`);
  const printer = new RunPrinter(out, json ? 'stderr' : 'stdout');
  const run = await watchRun(api, id, (seen) => printer.show(seen));
  if (json) out.json((await getRun(api, id)).body);
  else for (const line of outcome(run)) out.print(...line);
  return run.step === 'completed' ? EXIT.done : EXIT.failed;
}

const outcome = (run: Run) => runLines(run).filter(([label]) => label === 'document' || label === 'acknowledged');
