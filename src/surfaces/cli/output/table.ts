import { displayWidth } from '../../../contract/words/display-width.ts';
import { ink, type Part, textOf } from './ink.ts';
import { plainLine } from './plain-text.ts';

type Row = readonly Part[];

/**
 * Aligns the cells of rows in columns. A heading that begins with `>` right-aligns its column. Each cell is put on one
 * line, because a line break in a name would break the table.
 */
export function table(headings: readonly string[], rows: readonly Row[]): Part[][] {
  const clean = rows.map((row) => row.map(oneLine));
  const head = headings.map((heading) => ink('dim', heading.replace(/^>/, '').toUpperCase()));
  const toTheRight = headings.map((heading) => heading.startsWith('>'));
  return aligned(headings.length === 0 ? clean : [head, ...clean], toTheRight);
}

function aligned(rows: readonly Row[], toTheRight: readonly boolean[]): Part[][] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => widthOf(row[at]))));
  const place = (cell: Part, at: number): Part[] => {
    const gap = ' '.repeat((widths[at] ?? 0) - widthOf(cell));
    const between = at === columns - 1 ? '' : '  ';
    if (toTheRight[at]) return [gap, cell, between];
    return at === columns - 1 ? [cell] : [cell, gap + between];
  };
  return rows.map((row) => row.flatMap(place));
}

const widthOf = (cell: Part | undefined): number => (cell === undefined ? 0 : displayWidth(textOf(cell)));

const oneLine = (cell: Part): Part =>
  typeof cell === 'string' ? plainLine(cell) : ink(cell.colour, plainLine(cell.text));
