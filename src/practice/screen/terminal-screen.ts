import { cellWidth } from './cells.ts';
import { cleanText } from './clean-text.ts';
import type { Frame, Row } from './frame.ts';
import { layOut } from './lay-out.ts';
import type { View } from './view.ts';

// Turn autowrap off, so that a character whose width was measured wrongly does not shift the rows below it.
const ENTER_SCREEN = '\x1b[?1049h\x1b[?7l\x1b[2J';
const LEAVE_SCREEN = '\x1b[?2004l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l';
const PASTE_ON = '\x1b[?2004h';
const COALESCE_MS = 15;
const BEAT_MS = 120;

/** Draws the screen. Only this class writes to the terminal. */
export class TerminalScreen {
  private readonly view: View;
  private drawn: string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private heart: NodeJS.Timeout | undefined;
  private open = false;

  constructor(view: View) {
    this.view = view;
  }

  enter(): void {
    process.stdout.on('error', () => undefined);
    process.stdin.setRawMode(true);
    process.stdout.write(ENTER_SCREEN);
    this.open = true;
    process.stdout.on('resize', () => {
      this.drawn = [];
      process.stdout.write('\x1b[2J');
      this.draw();
    });
    this.draw();
  }

  /**
   * Turns on bracketed paste. Called when the composer is ready. Text that is pasted earlier arrives as single keys, as
   * with the real client.
   */
  acceptPastes(): void {
    this.draw();
    process.stdout.write(PASTE_ON);
  }

  redrawSoon(): void {
    this.timer ??= setTimeout(() => this.draw(), COALESCE_MS);
  }

  restore(): void {
    if (!this.open) return;
    this.open = false;
    clearTimeout(this.timer);
    clearTimeout(this.heart);
    process.stdout.write(LEAVE_SCREEN);
    try {
      process.stdin.setRawMode(false);
    } catch {
      // The terminal was closed, so there is nothing left to restore.
    }
  }

  private draw(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.open) return;
    const height = Math.max(1, process.stdout.rows ?? 24);
    const columns = Math.max(10, process.stdout.columns ?? 80);
    process.stdout.write(this.difference(layOut(this.view, columns, height), columns, height));
    this.beatWhileBusy();
  }

  /** Redraws the screen while a turn runs, so that the spinner keeps moving as in the real client. */
  private beatWhileBusy(): void {
    if (!this.view.busy || this.heart !== undefined) return;
    this.heart = setTimeout(() => {
      this.heart = undefined;
      this.view.beat += 1;
      this.draw();
    }, BEAT_MS);
  }

  /**
   * Writes only the rows that have changed. If Baton captures the pane between two writes, the screen is never
   * half-empty.
   */
  private difference(frame: Frame, columns: number, height: number): string {
    const rows = Array.from({ length: height }, (_, index) => encode(frame.rows[index] ?? [], columns));
    const changes = rows.map((text, index) => (text === this.drawn[index] ? '' : `\x1b[${index + 1};1H${text}`));
    this.drawn = rows;
    const { x, y, visible } = frame.cursor;
    return `${changes.join('')}\x1b[${y + 1};${x + 1}H\x1b[?25${visible ? 'h' : 'l'}`;
  }
}

/**
 * Returns a row as terminal output. The text is cleaned once more, so that no control character is written even if a
 * caller forgot to clean it.
 */
function encode(row: Row, columns: number): string {
  const spans = row.map(({ text, sgr }) => ({ text: cleanText(text), sgr }));
  const styled = spans.map(({ text, sgr }) => (sgr === '' ? text : `\x1b[${sgr}m${text}\x1b[0m`)).join('');
  // Do not erase the rest of a row that fills the whole width: the cursor is still on the last cell, so an erase would
  // delete the character in that cell.
  return cellWidth(spans.map(({ text }) => text).join('')) < columns ? `${styled}\x1b[K` : styled;
}
