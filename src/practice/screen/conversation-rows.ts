import { wrapWords } from './cells.ts';
import { cleanLines } from './clean-text.ts';
import { type Row, row, STYLE } from './frame.ts';
import type { ConversationEntry } from './view.ts';

const MAX_PROMPT_ROWS = 3;

const LOOKS = {
  user: { first: '> ', next: '  ', sgr: STYLE.dim },
  assistant: { first: '● ', next: '  ', sgr: STYLE.plain },
  note: { first: '  ⎿  ', next: '     ', sgr: STYLE.dim },
} as const;

/**
 * Remembers how entries were wrapped. Entries never change, and wrapping a prompt of 64 KB again for every frame would
 * be slow.
 */
const wrapped = new WeakMap<ConversationEntry, { readonly columns: number; readonly rows: readonly Row[] }>();

export function conversationRows(entries: readonly ConversationEntry[], columns: number): Row[] {
  return entries.flatMap((entry) => {
    const known = wrapped.get(entry);
    if (known?.columns === columns) return known.rows;
    const rows = rowsOf(entry, columns);
    wrapped.set(entry, { columns, rows });
    return rows;
  });
}

function rowsOf(entry: ConversationEntry, columns: number): readonly Row[] {
  const look = LOOKS[entry.kind];
  const width = Math.max(1, columns - look.first.length - 1);
  const lines = cleanLines(entry.text).flatMap((line) => wrapWords(line, width));
  const kept = entry.kind === 'user' ? cut(lines) : lines;
  const rows = kept.map((line, index) => row(`${index === 0 ? look.first : look.next}${line}`, look.sgr));
  return entry.kind === 'user' ? [row(''), ...rows] : rows;
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MAX_PROMPT_ROWS) return lines;
  return [...lines.slice(0, MAX_PROMPT_ROWS), `… +${lines.length - MAX_PROMPT_ROWS} lines`];
}
