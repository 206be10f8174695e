import type { PackageChain } from '../../../contract/packages/package-resources.ts';

type Row = PackageChain['packages'][number];

export interface ChainNode {
  readonly row: Row;
  readonly depth: number;
  /**
   * Relations of the package that the tree itself does not show, in words, such as "replaces HO-2026-001". The tree
   * shows only which package follows which.
   */
  readonly ties: readonly { readonly word: string; readonly id: string }[];
}

/** The maximum indentation. Deeper levels are not indented further, because the difference would not be visible. */
const DEEPEST = 6;

/**
 * Builds a tree in which each package is below the package that it follows. Older packages come before newer ones. A
 * package that follows no package in the list is at the top level.
 */
export function layOutChain(rows: readonly Row[]): readonly ChainNode[] {
  const known = new Set(rows.map(({ id }) => id));
  const parentOf = ({ id, lineage: { parent } }: Row): string | null =>
    parent !== null && parent !== id && known.has(parent) ? parent : null;
  const placed = new Set<string>();
  const below = (parent: string | null, depth: number): ChainNode[] =>
    rows
      .filter((row) => parentOf(row) === parent && !placed.has(row.id))
      .flatMap((row) => {
        placed.add(row.id);
        return [{ row, depth: Math.min(depth, DEEPEST), ties: tiesOf(row) }, ...below(row.id, depth + 1)];
      });
  const tree = below(null, 0);
  // Packages that follow each other in a cycle are not in the tree. Append them here.
  const left = rows.filter(({ id }) => !placed.has(id)).map((row) => ({ row, depth: 0, ties: tiesOf(row) }));
  return [...tree, ...left];
}

const tiesOf = ({ lineage: { supersedes, returns_for } }: Row): ChainNode['ties'] => [
  ...(returns_for === null ? [] : [{ word: 'returns for', id: returns_for }]),
  ...(supersedes === null ? [] : [{ word: 'replaces', id: supersedes }]),
];
