import { TerminalFault } from './terminal-fault.ts';

const plain = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte === 0x20;

const WRITTEN = Array.from({ length: 256 }, (_, byte) =>
  plain(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`,
);

/**
 * Quotes text as one word for tmux's command parser. All bytes but letters, digits and spaces become octal escapes,
 * because ordinary quoting lost bytes (tmux 3.3a). tmux expands some words as formats even in quotes, so these words
 * must not come from outside Baton.
 */
export function quote(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  const parts: string[] = [];
  for (const byte of bytes) {
    if (byte === 0) throw new TerminalFault('invalid', 'quote', '', 'a tmux argument cannot contain a NUL character');
    parts.push(WRITTEN[byte] as string);
  }
  return `"${parts.join('')}"`;
}
