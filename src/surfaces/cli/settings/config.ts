import type { ConfigReport } from '../../../contract/maintenance.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { CROSS, ink, type Part, TICK } from '../output/ink.ts';
import { table } from '../output/table.ts';

export async function showConfig(cli: Cli, explain: boolean): Promise<number> {
  const report = (await cli.deps.keep()).explainConfig();
  if (cli.json) cli.out.json(report);
  else
    for (const line of [
      ...(explain ? explanation(report) : report.problem === null ? values(report) : []),
      ...footing(report),
    ])
      cli.out.print(...line);
  return report.problem === null ? EXIT.done : EXIT.failed;
}

export async function checkConfig({ deps, json, out }: Cli): Promise<number> {
  const { path, exists, problem, home_from } = (await deps.keep()).explainConfig();
  if (json) out.json({ path, exists, home_from, ok: problem === null, problem });
  else if (problem !== null) out.print(CROSS, ` ${problem}`);
  else out.print(TICK, exists ? ` ${path} is valid.` : ` ${path} does not exist, so all defaults apply.`);
  return problem === null ? EXIT.done : EXIT.failed;
}

const shown = (value: unknown): string =>
  value === null ? 'none' : typeof value === 'object' ? JSON.stringify(value) : String(value);

function values({ keys }: ConfigReport): Part[][] {
  const own = keys.filter(({ source }) => source === 'config.json');
  if (own.length === 0) return [['All defaults apply. Show them: baton config --explain']];
  return table(
    ['key', 'value'],
    own.map(({ key, value }) => [key, shown(value)]),
  );
}

function explanation({ keys }: ConfigReport): Part[][] {
  return keys.flatMap(({ key, meaning, value, source, default: otherwise }) => [
    [ink('bold', key), ` = ${shown(value)}`, ink('dim', source === 'default' ? '  (default)' : '  (config.json)')],
    [`  ${meaning}`, ...(source === 'default' ? [] : [ink('dim', ` Default: ${shown(otherwise)}.`)])],
  ]);
}

function footing({ path, exists, home_from, problem }: ConfigReport): Part[][] {
  const where = `${path}${exists ? '' : ' (does not exist)'}, home from ${home_from === 'BATON_HOME' ? 'BATON_HOME' : 'default'}`;
  return [[ink('dim', where)], ...(problem === null ? [] : [[ink('red', problem)]])];
}
