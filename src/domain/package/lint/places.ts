import type { LintFinding } from './finding.ts';
import { found } from './found.ts';
import { type PackageView, textOf } from './view.ts';

/** P10. Why a path cannot be an artifact's; undefined: it can. */
export function pathProblem(path: string): string | undefined {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(path)) return 'is not relative to the project';
  if (path.split(/[/\\]/).includes('..')) return 'leaves the project';
  if (path.includes('\\')) return 'is not written with /';
  if (/^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(path)) return 'is an address and not a path';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\u0000-\u001f\u007f]/.test(path) ? 'has control characters in it' : undefined;
}

/** HP202 and HP209 */
export function artifactFindings({ artifacts }: PackageView): readonly LintFinding[] {
  return artifacts.flatMap(({ fields, path }) => {
    const name = textOf(fields.path);
    if (name === undefined) return [];
    const problem = pathProblem(name);
    if (problem !== undefined) return [found('HP202', [...path, 'path'], `The path of this artifact ${problem}.`)];
    if (fields.type !== undefined && fields.description !== undefined) return [];
    return [found('HP209', path, 'This artifact does not say what it is.')];
  });
}

const IN_PROSE = /(?<![\w/.:@-])(?:\.?[\w-]{1,80}\/){1,12}[\w.-]{1,100}\.[a-z][a-z0-9]{0,7}(?![\w/])/gi;
const GONE = /\b(?:delet|remov|renam|drop|will |should |must |create|creat|write|add)/i;

/** HP207 */
export function mentionFindings({ prose, artifacts }: PackageView): readonly LintFinding[] {
  const known = artifacts.flatMap(({ fields }) => textOf(fields.path) ?? []).map(normal);
  const isKnown = (path: string): boolean =>
    known.some((name) => name === path || (name.endsWith('/') && path.startsWith(name)));
  const seen = new Set<string>();
  // What is expected may not exist yet; what was done does.
  return prose
    .filter(({ path }) => path.includes('summary') || path.includes('decisions'))
    .flatMap(({ text, path }) =>
      (GONE.test(text) ? [] : [...text.matchAll(IN_PROSE)]).flatMap(([match]) => {
        const name = normal(match);
        if (isKnown(name) || seen.has(name)) return [];
        seen.add(name);
        return [found('HP207', path, 'This names a file that is not among the artifacts.')];
      }),
    );
}

const normal = (path: string): string => path.replace(/^\.\//, '');
