import type { LintFinding } from './finding.ts';
import { found } from './finding-builder.ts';
import { type PackageView, textOf } from './view.ts';

/**
 * Returns the reason why this path is not allowed for an artifact (SPEC P10). Returns undefined if the path is allowed.
 */
export function pathProblem(path: string): string | undefined {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return 'is not relative to the project';
  const parts = path.split(/[/\\]/);
  if (parts.includes('..')) return 'contains ".."';
  if (path !== '' && parts.every((part) => part === '' || part === '.')) return 'names the whole project';
  if (parts.some((part) => part.toLowerCase() === '.git')) return "is in git's own folder .git";
  if (path.includes('\\')) return 'is not written with /';
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(path)) return 'is an address, not a path';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\u0000-\u001f\u007f]/.test(path) ? 'contains control characters' : undefined;
}

/** Checks HP202: the path of each artifact. */
export function artifactFindings({ artifacts }: PackageView): readonly LintFinding[] {
  return artifacts.flatMap(({ fields, path }) => {
    const problem = pathProblem(textOf(fields.path) ?? '');
    return problem === undefined ? [] : [found('HP202', [...path, 'path'], `The path of this artifact ${problem}.`)];
  });
}

/** Matches a path with a folder and an extension in any script, for example `docs/api.md` or `설계/개요.md`. */
const IN_PROSE =
  /(?<![\p{L}\p{N}_/.:@-])(?:[\p{L}\p{N}_.-]{1,80}\/){1,12}[\p{L}\p{N}_.-]{1,100}\.[a-z][a-z0-9]{0,7}(?![\p{L}\p{N}_/])/giu;

/**
 * Checks rule HP203: a file that the summary names must be one of the artifacts (specification 004). The other texts
 * are not checked, because they may name files that the receiver will create.
 *
 * @param reported the files and folders that the check of the disk already reports as not listed
 */
export function mentionFindings(
  { summary, artifacts }: PackageView,
  reported: readonly string[],
): readonly LintFinding[] {
  const listed = artifacts.flatMap(({ fields }) => textOf(fields.path) ?? []);
  const known = [...listed, ...reported].map(normal);
  const isKnown = (path: string): boolean =>
    known.some((name) => name === path || name.endsWith(`/${path}`) || (name.endsWith('/') && path.startsWith(name)));
  const named = [...(summary?.text ?? '').matchAll(IN_PROSE)].map(([match]) => normal(match));
  return summary === undefined || named.every(isKnown)
    ? []
    : [found('HP203', summary.path, 'The summary names a file that is not listed as an artifact.')];
}

const normal = (path: string): string => path.replace(/^\.\//, '');
