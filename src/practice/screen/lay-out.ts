import { wrapCells } from './cells.ts';
import { cleanText } from './clean-text.ts';
import { composerBlock } from './composer-block.ts';
import { conversationRows } from './conversation-rows.ts';
import { dialogBlock } from './dialog-block.ts';
import { type Frame, type Row, row, STYLE } from './frame.ts';
import type { View } from './view.ts';

const MAX_QUEUED_SHOWN = 2;
const SPINNER = '·✢✳✶✻✽';

/**
 * Puts the header at the top and the conversation in the middle. The composer, or the dialog that replaces it, is at
 * the bottom.
 */
export function layOut(view: View, columns: number, height: number): Frame {
  if (view.starting && view.dialog === undefined) {
    return { rows: [row('Starting…', STYLE.dim)], cursor: { x: 0, y: 1, visible: false } };
  }
  const bottom = view.dialog ? dialogBlock(view.dialog, columns) : composerBlock(view, columns, height);
  const above = view.dialog ? [] : busyRows(view, columns);
  const room = Math.max(0, height - 1 - above.length - bottom.rows.length);
  const conversation = conversationRows(view.entries, columns).slice(-room || Number.MAX_SAFE_INTEGER);
  const padding = Array.from({ length: room - conversation.length }, () => row(''));
  const header = row(cutToFit(`✻ ${view.title}`, columns), STYLE.bold);
  const all = [header, ...conversation, ...padding, ...above, ...bottom.rows];
  const rows = view.dialog ? all.slice(-height) : all.slice(0, height);
  const y = Math.max(0, Math.min(height - 1, rows.length - bottom.rows.length + bottom.cursor.y));
  return { rows, cursor: { ...bottom.cursor, y } };
}

function busyRows(view: View, columns: number): Row[] {
  if (!view.busy) return [];
  if (view.oddWork !== '') return [row(view.oddWork), row('')];
  const queued = view.queued
    .slice(0, MAX_QUEUED_SHOWN)
    .map((text) => row(cutToFit(`  queued: ${text}`, columns), STYLE.dim));
  const glyph = SPINNER[view.beat % SPINNER.length];
  return [row(`${glyph} Working… (esc to interrupt)`, STYLE.yellow), ...queued];
}

function cutToFit(text: string, columns: number): string {
  return wrapCells(cleanText(text), columns)[0] ?? '';
}
