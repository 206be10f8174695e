/**
 * A comparison needs memory for each pair of an old line and a new line. If there are more pairs than this number, all
 * old lines are shown as removed and all new lines as added.
 */
const MAX_CELLS = 1_000_000;
const CONTEXT = 3;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * Compares two texts line by line. Returns the changed lines, marked with - and +, with three unchanged lines around
 * them. A line with … stands for the omitted lines. Returns an empty text if the texts are equal.
 */
export function textDiff(before: string, after: string): string {
  if (before === after) return '';
  const lines = compare(before.split('\n'), after.split('\n'));
  const isShown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  );
  return lines
    .flatMap(({ mark, text }, index) => {
      if (isShown[index]) return [`${mark} ${text}`];
      return index === 0 || isShown[index - 1] ? ['…'] : [];
    })
    .join('\n');
}

function compare(old: readonly string[], now: readonly string[]): readonly Line[] {
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const kept = (texts: readonly string[]): Line[] => texts.map((text) => ({ mark: ' ', text }));
  return [
    ...kept(old.slice(0, head)),
    ...changed(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...kept(old.slice(old.length - tail)),
  ];
}

/** Finds the longest common subsequence of the lines. */
function changed(old: readonly string[], now: readonly string[]): readonly Line[] {
  const removed = (text: string): Line => ({ mark: '-', text });
  const added = (text: string): Line => ({ mark: '+', text });
  if (old.length * now.length > MAX_CELLS) return [...old.map(removed), ...now.map(added)];
  const width = now.length + 1;
  const length = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => length[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--)
      length[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < now.length) {
    if (old[row] === now[column]) lines.push({ mark: ' ', text: old[row++] ?? '' });
    else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push(removed(old[row++] ?? ''));
      continue;
    } else {
      lines.push(added(now[column++] ?? ''));
      continue;
    }
    column++;
  }
  return [...lines, ...old.slice(row).map(removed), ...now.slice(column).map(added)];
}
