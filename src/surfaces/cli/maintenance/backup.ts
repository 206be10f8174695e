import type { BackupReport, RestoreReport } from '../../../contract/maintenance.ts';
import { shellWord } from '../../../contract/words/shell-quote.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { when } from '../output/when.ts';

export async function makeBackup(cli: Cli, file: string | undefined, withSecrets: boolean): Promise<number> {
  const report = await (await cli.deps.keep()).backup({ withSecrets, ...(file === undefined ? {} : { file }) });
  if (cli.json) cli.out.json(report);
  else for (const line of backupLines(report)) cli.out.print(...line);
  return EXIT.done;
}

function backupLines({ file, bytes, files, with_secrets, left_out }: BackupReport): Part[][] {
  return [
    [TICK, ` ${file}`, ink('dim', `  ${files} files, ${bytes} bytes`)],
    ...(with_secrets
      ? [[ink('yellow', '  It contains tokens: anyone who has the file can act as Baton. Keep it private.')]]
      : []),
    ...(left_out.length === 0 ? [] : [[ink('dim', `  not included: ${left_out.join(', ')}`)]]),
    [ink('dim', `  Check it: baton restore ${shellWord(file)}`)],
  ];
}

interface RestoreRequest {
  readonly yes: boolean;
  readonly withSecrets: boolean;
}

export async function restoreBackup(cli: Cli, file: string, wanted: RestoreRequest): Promise<number> {
  const report = await (await cli.deps.keep()).restore({ file, ...wanted });
  if (cli.json) cli.out.json(report);
  else for (const line of restoreLines(report)) cli.out.print(...line);
  return EXIT.done;
}

function restoreLines(report: RestoreReport): Part[][] {
  const { file, home, done, created_at, baton_version, files, replaces, aside, left_out, not_taken } = report;
  const what = `${files} files from ${when(created_at)}, made by Baton ${baton_version}`;
  const old = replaces.length === 0 ? 'no files' : replaces.join(', ');
  return [
    done ? [TICK, ` Restored ${home} from ${file}: ${what}.`] : [`${file} is complete: ${what}. Nothing was changed.`],
    done
      ? [aside === null ? '  There was no data before.' : `  The replaced files are in ${aside}`]
      : [`  It would replace ${old} in ${home} and keep the old files aside.`],
    ...(left_out.length === 0 ? [] : [[ink('dim', `  not included: ${left_out.join(', ')}`)]]),
    ...(not_taken.length === 0
      ? []
      : [
          [
            ink(
              'yellow',
              `  in the backup but not restored: ${not_taken.join(', ')}. If you made this backup yourself, restore them with --with-secrets.`,
            ),
          ],
        ]),
    [ink('dim', done ? '  Start Baton: baton start' : `  Restore it: baton restore ${shellWord(file)} --yes`)],
  ];
}
