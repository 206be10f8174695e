const CONTEXT = 3;
/**
 * The maximum product of two numbers: the changed lines of the first text and the changed lines of the second text.
 * Above this maximum, a comparison would take too much memory, so all changed lines are shown as removed and added.
 */
const MAX_CELLS = 4_000_000;

type Row = readonly [' ' | '-' | '+', string];

/**
 * Compares two texts line by line. Returns the lines of a unified diff without its header; an empty list if the texts
 * are equal.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const rows = rowsOf(linesOf(before), linesOf(after));
  const isNear = rows.map((_, at) =>
    rows.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(([sign]) => sign !== ' '),
  );
  const lines: string[] = [];
  const place = { old: 1, new: 1 };
  for (const [at, [sign, text]] of rows.entries()) {
    if (isNear[at] && !isNear[at - 1]) lines.push(hunkHead(place, rows.slice(at, endOfHunk(isNear, at))));
    if (isNear[at]) lines.push(`${sign}${text}`);
    if (sign !== '+') place.old += 1;
    if (sign !== '-') place.new += 1;
  }
  return lines;
}

/** Splits a text into lines. A newline at the end does not begin another line. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

const endOfHunk = (isNear: readonly boolean[], from: number): number => {
  const end = isNear.indexOf(false, from);
  return end === -1 ? isNear.length : end;
};

/**
 * Returns the header line of a hunk, in the format of diff -u. The header says for each of the two texts where the hunk
 * begins and how many lines it has.
 */
function hunkHead(place: { readonly old: number; readonly new: number }, hunk: readonly Row[]): string {
  const range = (first: number, other: '+' | '-'): string => {
    const count = hunk.filter(([sign]) => sign !== other).length;
    return `${count === 0 ? first - 1 : first},${count}`;
  };
  return `@@ -${range(place.old, '+')} +${range(place.new, '-')} @@`;
}

function rowsOf(before: readonly string[], after: readonly string[]): readonly Row[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): Row => [' ', text];
  return [
    ...before.slice(0, start).map(same),
    ...changedRows(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function changedRows(before: readonly string[], after: readonly string[]): readonly Row[] {
  const isLarge = before.length * after.length > MAX_CELLS;
  const common = isLarge ? () => 0 : commonLengths(before, after);
  const rows: Row[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]];
    if (!isLarge && old !== undefined && old === next) {
      rows.push([' ', old]);
      i += 1;
      j += 1;
    } else if (old !== undefined && (next === undefined || common(i + 1, j) >= common(i, j + 1))) {
      rows.push(['-', old]);
      i += 1;
    } else {
      rows.push(['+', next ?? '']);
      j += 1;
    }
  }
  return rows;
}

/**
 * Returns a function of `i` and `j`. The function compares the first text from line `i` on with the second text from
 * line `j` on, and returns the number of lines in their longest common subsequence.
 */
function commonLengths(before: readonly string[], after: readonly string[]): (i: number, j: number) => number {
  const width = after.length + 1;
  const cells = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => cells[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      cells[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
