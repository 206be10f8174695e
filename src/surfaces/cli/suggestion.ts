const SUGGESTION = /\n\(Did you mean (?:one of )?(?<names>[^?\n]+)\?\)/;

/**
 * Removes far-fetched suggestions, such as `start` for `search`, from an error message of Commander. Keeps a suggestion
 * that begins with the typed word. Also keeps a suggestion that differs from the typed word in one letter, or in at
 * most a third of its letters.
 */
export function keepGoodSuggestions(message: string): string {
  const wrong = /'([^']+)'/.exec(message)?.[1] ?? '';
  return message.replace(SUGGESTION, (_all, listed: string) => {
    const good = listed.split(', ').filter((name) => isClose(bare(wrong), bare(name)));
    if (good.length === 0) return '';
    return good.length === 1 ? `\n(Did you mean ${good[0]}?)` : `\n(Did you mean one of ${good.join(', ')}?)`;
  });
}

const bare = (word: string): string => word.replace(/^-+/, '');

const isClose = (word: string, name: string): boolean =>
  name.startsWith(word) || editDistance(word, name) <= Math.max(1, Math.floor(name.length / 3));

/**
 * Returns the smallest number of changes that turn the word `from` into the word `to`. A change inserts, deletes or
 * replaces a letter, or swaps two neighboring letters.
 */
function editDistance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) row.push(cheapest(rows, row, { from, to, i, j }));
    rows.push(row);
  }
  return rows[from.length]?.[to.length] ?? 0;
}

interface Cell {
  readonly from: string;
  readonly to: string;
  readonly i: number;
  readonly j: number;
}

function cheapest(rows: readonly number[][], row: readonly number[], { from, to, i, j }: Cell): number {
  const at = (line: readonly number[] | undefined, column: number): number => line?.[column] ?? Number.MAX_SAFE_INTEGER;
  const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
  return Math.min(
    at(rows[i - 1], j) + 1,
    at(row, j - 1) + 1,
    at(rows[i - 1], j - 1) + Number(from[i - 1] !== to[j - 1]),
    isSwap ? at(rows[i - 2], j - 2) + 1 : Number.MAX_SAFE_INTEGER,
  );
}
