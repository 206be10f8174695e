import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputEvent } from '../../src/practice/input/input-event.ts';
import { InputParser } from '../../src/practice/input/input-parser.ts';

function parse(...chunks: (string | Uint8Array)[]): InputEvent[] {
  const parser = new InputParser();
  const events = chunks.flatMap((chunk) => parser.feed(typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
  return [...events, ...parser.settle()];
}

function typed(events: readonly InputEvent[]): string {
  return events.map((event) => (event.kind === 'text' ? event.text : `<${event.kind}>`)).join('');
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

describe('InputParser', () => {
  it('the input parser gives the same events however the input bytes are split', () => {
    const pieces = fc.constantFrom(
      '\x1b[200~',
      '\x1b[201~',
      '\x1b[A',
      '\x1b',
      '\r',
      '\n',
      '\x03',
      '\x15',
      '\x7f',
      'ä😀',
      'a\tb',
    );
    const part = fc.oneof(
      pieces.map((piece) => Buffer.from(piece)),
      fc.string({ unit: 'grapheme' }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
    );
    const stream = fc.array(part, { maxLength: 12 }).map((parts) => Buffer.concat(parts));
    fc.assert(
      fc.property(stream, fc.array(fc.nat(), { maxLength: 20 }), (bytes, cuts) => {
        expect(parse(...cutAt(bytes, cuts))).toEqual(parse(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it('the input parser recognizes a bracketed paste that is split at any byte', () => {
    const bytes = Buffer.from('x\x1b[200~one\ntwo ä\x1b[201~\r');
    const events = parse(...[...bytes].map((byte) => Uint8Array.of(byte)));
    expect(events).toEqual([{ kind: 'text', text: 'x' }, { kind: 'paste', text: 'one\ntwo ä' }, { kind: 'enter' }]);
  });

  it('the input parser treats key codes inside a paste as text', () => {
    expect(parse('\x1b[200~a\rb\r\nc\td\x03\x1b[A\x1b[201~')).toEqual([
      { kind: 'paste', text: 'a\nb\nc    d\x03\x1b[A' },
    ]);
  });

  it('the input parser recognizes known keys and drops unknown keys', () => {
    expect(typed(parse('a\x1b[Ab\x1b[1;5Cc\x1bOPd\x1bxe\x07\x7f\x15\x03\n\r'))).toBe(
      'abcde<backspace><clear><ctrl-c><newline><enter>',
    );
  });

  it('the input parser reports a lone ESC as a key only after a delay', () => {
    const parser = new InputParser();
    expect(parser.feed(Buffer.from('\x1b'))).toEqual([]);
    expect(parser.undecided).toBe(true);
    expect(parser.settle()).toEqual([{ kind: 'escape' }]);
    expect(parser.undecided).toBe(false);
  });

  it('the input parser turns bytes that are not UTF-8 into replacement characters', () => {
    expect(typed(parse(Uint8Array.of(0xff, 0xc3, 0x41, 0xe2, 0x82), Uint8Array.of(0xac)))).toBe('\ufffd\ufffdA€');
  });
});
