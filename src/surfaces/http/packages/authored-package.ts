import type { Authored } from '../../../app/packages/validate-authored.ts';
import { PackageInput } from '../../../contract/packages/package.ts';
import { schemaProblems } from '../../../contract/packages/package-problems.ts';
import { plainDataProblem, type UnreadableContent } from '../../../domain/packages/content/plain-data.ts';
import { pathOf } from '../../../domain/packages/lint/finding.ts';
import { unreadable } from '../../../domain/packages/lint/finding-builder.ts';
import type { Refusal } from '../../../domain/refusals.ts';
import type { HttpDeps } from '../server/route.ts';

type Placed = { readonly pointer: string };

interface Read {
  readonly authored: Authored;
  /**
   * Adds to each finding the number of the line that the finding is about. Adds nothing if the package was sent as
   * data, because data has no lines.
   */
  readonly withLines: <T extends { readonly findings?: readonly Placed[] }>(answer: T) => T;
}

/** Reads a package that was sent as data or as the text of its file. */
export function readPackage({ parseYaml }: HttpDeps, given: unknown): Read | Refusal {
  if (typeof given !== 'string') return { authored: authored(given), withLines: (answer) => answer };
  const parsed = parseYaml(given);
  if ('problem' in parsed) return refuseText(parsed.problem);
  const { value, lineOf } = parsed;
  // Remove the root key `handoff` from the pointer if the author omitted this key, because the pointer of a finding
  // always begins with it.
  const written = (pointer: string) => (hasRoot(value) ? pathOf(pointer) : pathOf(pointer).slice(1));
  const withLine = (finding: Placed) => lined(finding, lineOf(written(finding.pointer)));
  return {
    authored: authored(value),
    withLines: (answer) =>
      answer.findings === undefined ? answer : { ...answer, findings: answer.findings.map(withLine) },
  };
}

const lined = <T extends Placed>(finding: T, line: number | undefined): T =>
  line === undefined ? finding : { ...finding, line };

function refuseText({ line, ...problem }: UnreadableContent & { readonly line?: number }): Refusal {
  const { sentence } = problem;
  const finding = unreadable(problem);
  return {
    code: 'package_refused',
    sentence: `The package was not stored: HP001${line === undefined ? '' : ` line ${line}`}: ${sentence}`,
    hint: finding.fix,
    findings: [lined(finding, line)],
  };
}

const hasRoot = (value: unknown): value is { readonly handoff: unknown } => {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return keys.length === 1 && keys[0] === 'handoff';
};

/** Reads the data of a package. The package may be the value of the root key `handoff`, as in a file. */
export function authored(given: unknown): Authored {
  const value = hasRoot(given) ? given.handoff : given;
  // Do not check the data against the schema if the data is too deep, too large or has control characters. Baton then
  // reports only that problem.
  return { value, problems: plainDataProblem(value) === undefined ? schemaProblems(PackageInput, value) : [] };
}
