import { displayWidth } from './display-width.ts';
import { ink, type Part, textOf } from './ink.ts';
import { plainLine } from './plain-text.ts';

/** Rows of parts, ready to print. Cells are one line each: a line break in a name would tear the table apart. */
export function table(headings: readonly string[], rows: readonly (readonly Part[])[]): Part[][] {
  const clean = rows.map((row) => row.map(oneLine));
  const head = headings.map((heading) => ink('dim', heading.toUpperCase()));
  return aligned(headings.length === 0 ? clean : [head, ...clean]);
}

function aligned(rows: readonly (readonly Part[])[]): Part[][] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => widthOf(row[at]))));
  return rows.map((row) => row.flatMap((cell, at) => [cell, gap(cell, at === row.length - 1 ? 0 : (widths[at] ?? 0) + 2)]));
}

const widthOf = (cell: Part | undefined): number => (cell === undefined ? 0 : displayWidth(textOf(cell)));

const gap = (cell: Part, upTo: number): string => ' '.repeat(Math.max(0, upTo - widthOf(cell)));

const oneLine = (cell: Part): Part =>
  typeof cell === 'string' ? plainLine(cell) : ink(cell.colour, plainLine(cell.text));
