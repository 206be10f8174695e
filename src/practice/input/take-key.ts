import type { InputEvent } from './input-event.ts';

export interface TakenKey {
  readonly length: number;
  /** The event of the key. Absent for a key that does nothing here, such as an arrow key, F1 or Alt with a letter. */
  readonly event?: InputEvent;
  readonly startsPaste?: true;
}

const ESC = 0x1b;
const PASTE_START = '\x1b[200~';

const CONTROL_KEYS: Readonly<Record<number, InputEvent>> = {
  1: { kind: 'home' },
  3: { kind: 'ctrl-c' },
  8: { kind: 'backspace' },
  10: { kind: 'newline' },
  13: { kind: 'enter' },
  21: { kind: 'clear' },
  127: { kind: 'backspace' },
};

/** Returns the first key in `bytes`; undefined if more bytes are needed to recognize it. */
export function takeKey(bytes: Buffer): TakenKey | undefined {
  const first = bytes[0] ?? 0;
  if (first === ESC) return takeEscape(bytes);
  const control = CONTROL_KEYS[first];
  if (control !== undefined) return { length: 1, event: control };
  if (first < 0x20) return { length: 1 };
  return takeCharacter(bytes, first);
}

function takeEscape(bytes: Buffer): TakenKey | undefined {
  const second = bytes[1];
  if (second === undefined) return undefined;
  if (second === 0x5b) return takeControlSequence(bytes);
  if (second === 0x4f) return bytes.length < 3 ? undefined : { length: 3 };
  if (second === 0x0d) return { length: 2, event: { kind: 'newline' } };
  if (second > 0x1f && second < 0x7f) return { length: 2 };
  return { length: 1, event: { kind: 'escape' } };
}

function takeControlSequence(bytes: Buffer): TakenKey | undefined {
  let end = 2;
  while (end < bytes.length && isBetween(bytes[end], 0x20, 0x3f)) end += 1;
  if (end >= bytes.length) return undefined;
  // If an escape sequence contains an invalid byte, drop only the bytes before it, because the invalid byte begins the
  // next key.
  if (!isBetween(bytes[end], 0x40, 0x7e)) return { length: end };
  const length = end + 1;
  return bytes.toString('latin1', 0, length) === PASTE_START ? { length, startsPaste: true } : { length };
}

function takeCharacter(bytes: Buffer, first: number): TakenKey | undefined {
  const length = encodedLength(first);
  for (let i = 1; i < length; i += 1) {
    if (i >= bytes.length) return undefined;
    if (!isBetween(bytes[i], 0x80, 0xbf)) return { length: 1, event: { kind: 'text', text: '\ufffd' } };
  }
  return { length, event: { kind: 'text', text: bytes.toString('utf8', 0, length) } };
}

function encodedLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  return 1;
}

function isBetween(byte: number | undefined, least: number, most: number): boolean {
  return byte !== undefined && byte >= least && byte <= most;
}
