import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { ink, TICK } from '../output/ink.ts';

export async function exportHome({ deps, json, out }: Cli, folder: string): Promise<number> {
  const report = await (await deps.keep()).exportTo(folder);
  if (json) out.json(report);
  else {
    const { folder: made, personas, handoffs, documents, packages, events } = report;
    out.print(TICK, ` ${made}`);
    out.print(
      ink(
        'dim',
        `  ${personas} personas, ${handoffs} handoffs with ${documents} documents, ${packages} packages, ${events} events`,
      ),
    );
  }
  return EXIT.done;
}
