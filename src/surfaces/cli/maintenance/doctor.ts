import type { Finding } from '../../../contract/maintenance.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { CROSS, ink, type Part, TICK, WARN } from '../output/ink.ts';

const MARKS: Readonly<Record<Finding['level'], Part>> = {
  ok: TICK,
  note: ink('dim', '-'),
  warning: WARN,
  error: CROSS,
};

export async function showDoctor(cli: Cli): Promise<number> {
  const report = await (await cli.deps.keep()).doctor();
  if (cli.json) cli.out.json(report);
  else for (const line of [...report.findings.flatMap(lines), verdict(report.findings)]) cli.out.print(...line);
  return report.ok ? EXIT.done : EXIT.failed;
}

function lines({ check, level, sentence, remedy }: Finding): Part[][] {
  return [
    [MARKS[level], ink('bold', ` ${check}`), `  ${sentence}`],
    ...(remedy === null ? [] : [[ink('dim', `    ${remedy}`)]]),
  ];
}

function verdict(findings: readonly Finding[]): Part[] {
  const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors + warnings === 0) return ['No problems found.'];
  return [`${errors} error${errors === 1 ? '' : 's'}, ${warnings} warning${warnings === 1 ? '' : 's'}.`];
}
