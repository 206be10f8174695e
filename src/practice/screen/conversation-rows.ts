import { wrapWords } from './cells.ts';
import { cleanLines } from './clean-text.ts';
import { type Row, row, STYLE } from './frame.ts';
import type { ConversationEntry } from './view.ts';

const MOST_PROMPT_ROWS = 3;

const LOOKS = {
  user: { first: '> ', next: '  ', sgr: STYLE.dim },
  assistant: { first: '● ', next: '  ', sgr: STYLE.plain },
  note: { first: '  ⎿  ', next: '     ', sgr: STYLE.dim },
} as const;

export function conversationRows(entries: readonly ConversationEntry[], columns: number): Row[] {
  return entries.flatMap((entry) => {
    const look = LOOKS[entry.kind];
    const width = Math.max(1, columns - look.first.length - 1);
    const lines = cleanLines(entry.text).flatMap((line) => wrapWords(line, width));
    const kept = entry.kind === 'user' ? cut(lines) : lines;
    const rows = kept.map((line, index) => row(`${index === 0 ? look.first : look.next}${line}`, look.sgr));
    return entry.kind === 'user' ? [row(''), ...rows] : rows;
  });
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_PROMPT_ROWS) return lines;
  return [...lines.slice(0, MOST_PROMPT_ROWS), `… +${lines.length - MOST_PROMPT_ROWS} lines`];
}
