import type { PackageChain } from '../../../contract/packages/package-resources.ts';

type Row = PackageChain['packages'][number];

export interface ChainNode {
  readonly row: Row;
  readonly depth: number;
  /** What it is to others, in words: the tree shows only who followed whom. */
  readonly ties: readonly { readonly word: string; readonly id: string }[];
}

/** Deeper than this nobody sees the difference any more. */
const DEEPEST = 6;

/** Each below the one that it follows, oldest first. One whose parent is not shown begins at the side. */
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
  // A ring of parents has no beginning; it is shown all the same.
  const left = rows.filter(({ id }) => !placed.has(id)).map((row) => ({ row, depth: 0, ties: tiesOf(row) }));
  return [...tree, ...left];
}

const tiesOf = ({ lineage: { supersedes, returns_for } }: Row): ChainNode['ties'] => [
  ...(returns_for === null ? [] : [{ word: 'returns for', id: returns_for }]),
  ...(supersedes === null ? [] : [{ word: 'replaces', id: supersedes }]),
];
