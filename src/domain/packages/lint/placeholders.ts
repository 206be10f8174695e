import { type LintFinding, pointerOf, type SchemaProblem } from './finding.ts';
import { found } from './finding-builder.ts';
import { holdsPlaceholder, isPlaceholder } from './placeholder.ts';
import { type Path, textsIn } from './view.ts';

/**
 * YAML reads the unquoted placeholder `[N]` as a list. So if no list is allowed at a place, a list of one word also
 * counts as a placeholder there (SPEC P7, lint rule HP005). The schema problems at this place are dropped.
 */
export function placeholderFindings(
  value: unknown,
  root: Path,
  problems: readonly SchemaProblem[],
): { readonly findings: readonly LintFinding[]; readonly rest: readonly SchemaProblem[] } {
  const texts = textsIn(value, root).filter(({ path }) => !path.includes('extensions'));
  const places = new Map<string, Path>();
  for (const { text, path } of texts) if (isPlaceholder(text)) places.set(pointerOf(path), path);
  for (const { path } of problems) {
    const inner = path.reduce<unknown>((found, key) => (found as Record<string, unknown> | undefined)?.[key], value);
    const bracketed = Array.isArray(inner) && inner.length === 1 && typeof inner[0] === 'string' ? inner[0] : undefined;
    if (bracketed !== undefined && /^[\p{L}\p{N} _.|-]{1,60}$/u.test(bracketed))
      places.set(pointerOf([...root, ...path]), [...root, ...path]);
  }
  const isTold = (path: Path): boolean => {
    const pointer = pointerOf([...root, ...path]);
    return [...places.keys()].some((place) => pointer === place || place.startsWith(`${pointer}/`));
  };
  return {
    findings: [
      ...[...places.values()].map((path) => found('HP005', path, 'This value is a placeholder.')),
      ...texts
        .filter(({ text, path }) => !places.has(pointerOf(path)) && holdsPlaceholder(text))
        .map(({ path }) => found('HP005', path, 'This sentence may contain a placeholder.', 'warning')),
    ],
    rest: problems.filter((problem) => problem.kind === 'unknown_key' || !isTold(problem.path)),
  };
}
