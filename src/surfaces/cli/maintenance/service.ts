import type { ServiceReport } from '../../../contract/maintenance.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { CROSS, ink, type Part, TICK } from '../output/ink.ts';

export async function showService(cli: Cli): Promise<number> {
  const report = await (await cli.deps.keep()).service({ wish: 'status', dryRun: false });
  const runs = report.installed && report.state === 'active';
  if (cli.json) cli.out.json(report);
  else for (const line of statusLines(report, runs)) cli.out.print(...line);
  return runs ? EXIT.done : EXIT.failed;
}

export async function changeService(cli: Cli, wish: 'install' | 'uninstall', dryRun: boolean): Promise<number> {
  const report = await (await cli.deps.keep()).service({ wish, dryRun });
  if (cli.json) cli.out.json(report);
  else for (const line of changeLines(report, wish)) cli.out.print(...line);
  return EXIT.done;
}

function statusLines({ installed, current, state, file, manager, advice }: ServiceReport, runs: boolean): Part[][] {
  const what = !installed
    ? 'The service is not installed. Install it: baton service install'
    : `The service is installed (${manager}) and ${runs ? 'running' : `not running: it is ${state}`}.`;
  const old =
    installed && !current
      ? [[ink('yellow', '  Another Baton wrote the service file. Update it: baton service install')]]
      : [];
  return [[runs ? TICK : CROSS, ` ${what}`], [ink('dim', `  ${file}`)], ...old, ...advice.map((line) => [`  ${line}`])];
}

function changeLines(
  { dry_run, changed, file, content, commands, advice, installed }: ServiceReport,
  wish: string,
): Part[][] {
  const notes = advice.map((line) => [`  ${line}`]);
  if (dry_run) {
    const written =
      content === null ? [] : [[`${file} would be written:`], ...content.split('\n').map((line) => [`  ${line}`])];
    const removed = wish === 'uninstall' && installed ? [[`${file} would be removed.`]] : [];
    const run = commands.map((line) => [`would run: ${line}`]);
    const all = [...written, ...removed, ...run];
    return [...(all.length === 0 ? [['Nothing to change.']] : all), ...notes];
  }
  if (!changed)
    return [
      [
        TICK,
        wish === 'install'
          ? ' The service is installed and running; nothing was changed.'
          : ' No service is installed; nothing was changed.',
      ],
      ...notes,
    ];
  return [
    [TICK, wish === 'install' ? ` The service is installed: ${file}` : ` The service is removed: ${file}`],
    ...notes,
  ];
}
