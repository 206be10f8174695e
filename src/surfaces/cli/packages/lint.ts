import type { LintResult } from '../../../contract/packages/lint.ts';
import { packageJsonSchema } from '../../../contract/packages/package-schema.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import { ink, type Part, TICK } from '../output/ink.ts';

export async function printSchema({ out }: Cli): Promise<number> {
  out.json(packageJsonSchema());
  return EXIT.done;
}

export async function lint({ deps, out, json }: Cli, names: readonly string[]): Promise<number> {
  if (names.length === 0)
    throw new CliFault('Name the files to validate: baton lint FILE…', { code: 'usage', exitCode: EXIT.usage });
  const told = await deps.lint(names);
  const results = 'files' in told ? told.files : [told];
  if (json) out.json(told);
  else
    for (const line of results.flatMap((result) => [...result.findings.flatMap(findingLines), verdict(result)]))
      out.print(...line);
  return results.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
}

const COLOURS = { error: 'red', warning: 'yellow', info: 'dim' } as const;

function findingLines({ rule, severity, pointer, line, message, fix }: LintResult['findings'][number]): Part[][] {
  const place = line === null ? pointer : `line ${line} ${pointer}`;
  return [
    [ink(COLOURS[severity], severity), ` ${rule} ${place}`],
    [`  ${message} `, ink('dim', fix)],
  ];
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;

function verdict({ file, ok, kind, type, errors, warnings, hints, skipped }: LintResult): Part[] {
  const what = kind === 'handoff' ? (type ?? 'package of unknown type') : kind;
  const counts = [count(errors, 'error'), count(warnings, 'warning'), count(hints, 'hint')].join(', ');
  const unseen = skipped.length > 0 ? `; ${skipped.length} rules skipped (need the project)` : '';
  const words = ` ${file} (${what}): ${counts}${unseen}`;
  const refusal = kind === 'acknowledgment' ? 'not valid' : 'cannot be sealed';
  return ok ? [TICK, words] : [ink('red', refusal), words];
}
