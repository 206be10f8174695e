import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sanitizeForPane } from '../../../../src/adapters/tmux/typing/sanitize-for-pane.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((codes) => String.fromCharCode(...codes)),
  fc
    .array(fc.constantFrom('\x1b[201~', '\x1b', '[201~', '\r', '\r\n', '\x9b', ' ', '/', '!', '\u202e', 'a', '\ud800'))
    .map((parts) => parts.join('')),
);
const printable = fc.string({
  unit: fc.constantFrom(...'abcXYZ 09.,;:#/!@$`"\'\\{}()~-_\t\néßж漢😀\u00a0'),
  maxLength: 300,
});

describe('[T7] sanitizeForPane', () => {
  it('sanitizeForPane lets no control byte through except tab and newline', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const byte of Buffer.from(sanitizeForPane(text))) {
          if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a) return false;
          if (byte === 0x7f) return false;
        }
        return true;
      }),
      { numRuns: 2000 },
    );
  });

  it('sanitizeForPane removes C1 controls, bidi controls, line separators and lone surrogates', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = sanitizeForPane(text);
        return !/\p{Cs}/u.test(clean) && !/[\u0080-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(clean);
      }),
      { numRuns: 2000 },
    );
  });

  it('applying sanitizeForPane a second time changes nothing', () => {
    fc.assert(
      fc.property(anyText, (text) => sanitizeForPane(sanitizeForPane(text)) === sanitizeForPane(text)),
      { numRuns: 2000 },
    );
  });

  it('sanitizeForPane leaves printable text unchanged', () => {
    fc.assert(
      fc.property(printable, (text) => sanitizeForPane(`a${text}`) === `a${text}`),
      { numRuns: 1000 },
    );
  });

  it('sanitizeForPane never returns a text that a client would read as a command', () => {
    fc.assert(
      fc.property(anyText, (text) => !/^\s*[/!#@]/.test(sanitizeForPane(text))),
      { numRuns: 2000 },
    );
    expect(sanitizeForPane('\x1b/exit')).toBe('Note: /exit');
    expect(sanitizeForPane(' \n!rm')).toBe('Note:  \n!rm');
  });

  it('sanitizeForPane normalizes newlines', () => {
    expect(sanitizeForPane('a\r\nb\rc\n\rd')).toBe('a\nb\nc\n\nd');
  });
});
