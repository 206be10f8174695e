export interface ComparedLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** The maximum number of line pairs to compare. With more pairs, the comparison would make the page unresponsive. */
const MAX_CELLS = 1_000_000;
/** The number of unchanged lines that are shown before and after a change. */
const AROUND = 2;

/** Returns the differences between two texts, line by line, with some unchanged lines around them. */
export function compareLines(before: string, after: string): readonly ComparedLine[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  const start = sharedStart(one, other);
  const end = sharedStart(one.slice(start).reverse(), other.slice(start).reverse());
  const middle = compareMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end));
  const same = (text: string): ComparedLine => ({ kind: 'same', text });
  return shortened([...one.slice(0, start).map(same), ...middle, ...one.slice(one.length - end).map(same)]);
}

function sharedStart(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((line, index) => line !== other[index]);
  return at < 0 ? Math.min(one.length, other.length) : at;
}

/** Compares the lines by their longest common subsequence. */
function compareMiddle(one: readonly string[], other: readonly string[]): readonly ComparedLine[] {
  const removed = one.map((text) => ({ kind: 'removed', text }) as const);
  const added = other.map((text) => ({ kind: 'added', text }) as const);
  if (one.length * other.length > MAX_CELLS) return [...removed, ...added];
  const longest = one.map(() => new Uint32Array(other.length + 1));
  longest.push(new Uint32Array(other.length + 1));
  const cell = (row: number, column: number): number => longest[row]?.[column] ?? 0;
  for (let row = one.length - 1; row >= 0; row--)
    for (let column = other.length - 1; column >= 0; column--) {
      const found =
        one[row] === other[column]
          ? cell(row + 1, column + 1) + 1
          : Math.max(cell(row + 1, column), cell(row, column + 1));
      (longest[row] as Uint32Array)[column] = found;
    }
  const lines: ComparedLine[] = [];
  let [row, column] = [0, 0];
  while (row < one.length && column < other.length) {
    if (one[row] === other[column]) {
      lines.push({ kind: 'same', text: one[row] ?? '' });
      row++;
      column++;
    } else if (cell(row + 1, column) >= cell(row, column + 1)) lines.push(removed[row++] as ComparedLine);
    else lines.push(added[column++] as ComparedLine);
  }
  return [...lines, ...removed.slice(row), ...added.slice(column)];
}

function shortened(lines: readonly ComparedLine[]): readonly ComparedLine[] {
  const near = new Set<number>();
  lines.forEach(({ kind }, at) => {
    if (kind === 'same') return;
    for (let each = at - AROUND; each <= at + AROUND; each++) near.add(each);
  });
  return lines.flatMap((line, at) => {
    if (near.has(at)) return [line];
    return at === 0 || near.has(at - 1) ? [{ kind: 'same', text: '⋯' } as const] : [];
  });
}
