import { type LintFinding, pointerOf, type SchemaProblem } from './finding.ts';
import { found } from './found.ts';
import { type Path, textsIn } from './view.ts';

const WHOLE =
  /^\s*(?:\[[^[\]\n]{1,300}\]|<(?!redacted)[^<>\n]{1,300}>|\{\{[^{}\n]{1,300}\}\}|\.{3}|…|\?{2,}|x{3,}|-{2,})\s*$/i;
const UNDONE = /^\s*(?:TODO|TBD|FIXME|XXX|N\/A|tbc|to be (?:filled|completed|added|written))\b/i;
const AT_END = /(?:^|[\s:(])(?:TODO|TBD|FIXME|XXX)[\s.)]*$/;
/** A mark inside a sentence: "owned by <team name>", "deploy to {{env}}", "by [name]". */
const INSIDE =
  /\{\{[^{}\n]{1,100}\}\}|<(?:your|insert|name|team|agent|path|date|file|id|n|placeholder)[^<>\n]{0,60}>|\[(?:your|insert|name|team|agent|path|date|file|n|placeholder|criterion|constraint|reason)(?:[ -][^[\]\n]{0,60})?\](?!\()/i;

export const isPlaceholder = (text: string): boolean =>
  WHOLE.test(text) || UNDONE.test(text) || AT_END.test(text) || INSIDE.test(text);

/**
 * P7, HP005. `[N]` without quotes is a list to YAML: a list of one word where no list belongs is a placeholder, too.
 * What the schema has to say about a placeholder is left out: the author is told once what is wrong there.
 */
export function placeholderFindings(
  value: unknown,
  root: Path,
  problems: readonly SchemaProblem[],
): { readonly findings: readonly LintFinding[]; readonly rest: readonly SchemaProblem[] } {
  const places = new Map<string, Path>();
  for (const { text, path } of textsIn(value, root)) {
    if (!path.includes('extensions') && isPlaceholder(text)) places.set(pointerOf(path), path);
  }
  for (const { path } of problems) {
    const inner = path.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
    const bracketed = Array.isArray(inner) && inner.length === 1 && typeof inner[0] === 'string' ? inner[0] : undefined;
    if (bracketed !== undefined && /^[\w .|-]{1,60}$/.test(bracketed)) places.set(pointerOf([...root, ...path]), path);
  }
  const isTold = (path: Path): boolean => {
    const pointer = pointerOf([...root, ...path]);
    return [...places.keys()].some((place) => pointer === place || place.startsWith(`${pointer}/`));
  };
  return {
    findings: [...places.keys()].map((pointer) => ({
      ...found('HP005', [], 'A placeholder was left here.'),
      pointer,
    })),
    rest: problems.filter((problem) => problem.kind === 'unknown_key' || !isTold(problem.path)),
  };
}
