import type { PurgeReport } from '../../../contract/maintenance.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import type { PurgeRequest } from '../maintenance-deps.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { confirm, hasTerminal } from './confirm.ts';

const MAX_SHOWN_COUNT = 20;

export async function purge(cli: Cli, wish: PurgeRequest): Promise<number> {
  const { purge: carryOut } = await cli.deps.keep();
  const report = await carryOut(wish);
  if (cli.json) cli.out.json(report);
  else for (const line of lines(report, wish)) cli.out.print(...line);
  if (report.done || cli.json || report.agents.length === 0 || !hasTerminal(cli)) return EXIT.done;
  await confirm(cli, { yes: false, question: 'Delete them now?', otherwise: 'Nothing was deleted.' });
  for (const line of lines(await carryOut({ ...wish, yes: true }), wish)) cli.out.print(...line);
  return EXIT.done;
}

function lines({ done, agents, runs, packages, events, documents, kept }: PurgeReport, wish: PurgeRequest): Part[][] {
  const what = `${count(agents.length, 'agent')} with ${count(runs, 'handoff')}, ${count(packages.length, 'package')}, the content of ${count(events, 'event')}`;
  const files = wish.documents
    ? `, ${count(documents.length, 'document')}`
    : '; documents are kept (delete them: --documents)';
  return [
    done ? [TICK, ` Deleted ${what}${files}.`] : [`Would delete ${what}${files}. Nothing was changed.`],
    ...(agents.length === 0 ? [] : [[ink('dim', `  agents ${shown(agents)}`)]]),
    ...(packages.length === 0 ? [] : [['  Copies that packages have in projects (.project/07-audit/sessions) stay.']]),
    ...kept.slice(0, MAX_SHOWN_COUNT).map(({ what: name, why }) => [`  ${name} is kept: ${why}`]),
    ...(kept.length > MAX_SHOWN_COUNT ? [[`  and ${kept.length - MAX_SHOWN_COUNT} more are kept`]] : []),
    ...(done
      ? []
      : [[ink('dim', '  Delete them with --yes. This cannot be undone, so make a backup first: baton backup')]]),
  ];
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
const shown = (ids: readonly number[]): string =>
  ids.length > MAX_SHOWN_COUNT ? `${ids.slice(0, MAX_SHOWN_COUNT).join(', ')} …` : ids.join(', ');
