import type { InputEvent } from './input-event.ts';
import { takeKey } from './take-key.ts';

const ESC = 0x1b;
const PASTE_END = Buffer.from('\x1b[201~');

/** Converts bytes to keys and pastes, no matter how the bytes were split into chunks. */
export class InputParser {
  private pending: Buffer = Buffer.alloc(0);
  private pasting = false;
  private searchedTo = 0;

  feed(chunk: Uint8Array): InputEvent[] {
    this.pending = Buffer.concat([this.pending, chunk]);
    const events: InputEvent[] = [];
    while (this.pending.length > 0) {
      const taken = this.pasting ? this.takePaste(events) : this.takeOneKey(events);
      if (!taken) break;
    }
    return events;
  }

  /**
   * True if the pending bytes begin with ESC: either the Escape key or the start of a sequence. The caller waits for
   * more bytes and calls `settle` after a timeout.
   */
  get undecided(): boolean {
    return !this.pasting && this.pending[0] === ESC;
  }

  settle(): InputEvent[] {
    if (!this.undecided) return [];
    this.pending = this.pending.subarray(1);
    return [{ kind: 'escape' }, ...this.feed(new Uint8Array())];
  }

  private takeOneKey(events: InputEvent[]): boolean {
    const key = takeKey(this.pending);
    if (key === undefined) return false;
    this.pending = this.pending.subarray(key.length);
    if (key.startsPaste) {
      this.pasting = true;
      this.searchedTo = 0;
    }
    if (key.event !== undefined) events.push(key.event);
    return true;
  }

  private takePaste(events: InputEvent[]): boolean {
    const end = this.pending.indexOf(PASTE_END, this.searchedTo);
    if (end < 0) {
      this.searchedTo = Math.max(0, this.pending.length - PASTE_END.length + 1);
      return false;
    }
    events.push({ kind: 'paste', text: pastedText(this.pending.subarray(0, end)) });
    this.pending = this.pending.subarray(end + PASTE_END.length);
    this.pasting = false;
    return true;
  }
}

/**
 * Restores line breaks, because tmux sends LF as CR unless an option forbids it. Turns each tab into four spaces, as
 * Claude does.
 */
function pastedText(bytes: Buffer): string {
  return bytes.toString('utf8').replace(/\r\n?/g, '\n').replaceAll('\t', '    ');
}
