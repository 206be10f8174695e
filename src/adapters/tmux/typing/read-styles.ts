import type { Screen, StyledRun } from '../../../app/ports/terminal.ts';
import { typeable } from '../../../domain/plain-text.ts';

/** The current style of the text: flags and colors. */
interface Pen {
  readonly flags: ReadonlySet<string>;
  readonly fg: string;
  readonly bg: string;
}

const PLAIN: Pen = { flags: new Set(), fg: '', bg: '' };
const FLAGS: Readonly<Record<number, string>> = { 1: 'bold', 2: 'dim', 3: 'italic', 4: 'underline', 7: 'inverse' };
const FLAGS_OFF: Readonly<Record<number, readonly string[]>> = {
  21: ['bold'],
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
};
/** Matches styles that make a blank visible. */
const VISIBLE_BLANK = /\b(?:bg-|inverse|underline)/;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
/**
 * Matches escape sequences: CSI with its parameters and final byte, strings (OSC, DCS, …) with their end, and any other
 * escape. All of them except SGR (styles) are ignored.
 */
const SEQUENCE =
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: end of the pattern with control characters

/**
 * Splits rows of `capture-pane -e` into pieces of text in one style. In the output of tmux, a row begins with the style
 * in which the previous row ended.
 */
export function readStyles(lines: readonly string[], columns: number): readonly (readonly StyledRun[])[] {
  let pen = PLAIN;
  const rows = lines.map((line) => {
    const runs: StyledRun[] = [];
    let room = columns;
    const put = (text: string): void => {
      const fitting = cut(text, columns, room);
      room -= fitting.cells;
      if (fitting.text !== '') append(runs, { text: fitting.text, style: styleOf(pen) });
    };
    let from = 0;
    for (const match of line.matchAll(SEQUENCE)) {
      put(line.slice(from, match.index));
      from = match.index + match[0].length;
      if (match[2] === 'm' && /^[\d;:]*$/.test(match[1] ?? '')) pen = applySgr(pen, match[1] ?? '');
    }
    put(line.slice(from));
    return withoutTail(runs);
  });
  return rows.slice(0, rows.findLastIndex((row) => row.length > 0) + 1);
}

/**
 * Returns rows of `capture-pane -e` twice: as plain text, and with blanks in place of faint text. Some clients draw
 * their own cursor by inverting the first character of a suggestion. An inverted character before faint text therefore
 * counts as faint, too.
 */
export function readSolid(rows: readonly string[]): Pick<Screen, 'lines' | 'solid'> & { solid: readonly string[] } {
  let pen = PLAIN;
  const parsed = rows.map((row) => {
    const runs: { text: string; flags: Pen['flags'] }[] = [];
    let from = 0;
    for (const match of row.matchAll(SEQUENCE)) {
      runs.push({ text: row.slice(from, match.index), flags: pen.flags });
      from = match.index + match[0].length;
      if (match[2] === 'm' && /^[\d;:]*$/.test(match[1] ?? '')) pen = applySgr(pen, match[1] ?? '');
    }
    runs.push({ text: row.slice(from), flags: pen.flags });
    return runs.filter(({ text }) => text !== '');
  });
  const isFaint = (runs: (typeof parsed)[number], at: number): boolean => {
    const { text = '', flags } = runs[at] ?? {};
    if (flags?.has('dim')) return true;
    return flags?.has('inverse') === true && [...text].length === 1 && runs[at + 1]?.flags.has('dim') === true;
  };
  const put = (runs: (typeof parsed)[number], isBlank: (at: number) => boolean): string =>
    withoutTrailingSpaces(runs.map(({ text }, at) => (isBlank(at) ? text.replace(/\S/gu, ' ') : text)).join(''));
  return {
    lines: parsed.map((runs) => put(runs, () => false)),
    solid: parsed.map((runs) => put(runs, (at) => isFaint(runs, at))),
  };
}

const styleOf = ({ flags, fg, bg }: Pen): string =>
  [...flags, fg === '' ? '' : `fg-${fg}`, bg === '' ? '' : `bg-${bg}`].filter(Boolean).join(' ');

function append(runs: StyledRun[], run: StyledRun): void {
  const last = runs.at(-1);
  if (last?.style === run.style) runs[runs.length - 1] = { ...last, text: last.text + run.text };
  else runs.push(run);
}

const ZERO_WIDTH = /^(?:\p{M}|[\u200b-\u200d\u2060])$/u;
const TAB_STOP = 8;

/** Returns the printable characters of the text, but only as many as still fit into the row. */
function cut(raw: string, columns: number, room: number): { text: string; cells: number } {
  let text = '';
  let cells = 0;
  for (const character of typeable(raw).replaceAll('\n', '')) {
    const isTab = character === '\t';
    const width = isTab ? TAB_STOP - ((columns - room + cells) % TAB_STOP) : ZERO_WIDTH.test(character) ? 0 : 1;
    if (cells + width > room) break;
    text += isTab ? ' '.repeat(width) : character;
    cells += width;
  }
  return { text, cells };
}

function withoutTail(runs: readonly StyledRun[]): readonly StyledRun[] {
  const kept = [...runs];
  for (let last = kept.at(-1); last !== undefined && !VISIBLE_BLANK.test(last.style); last = kept.at(-1)) {
    const text = last.text.trimEnd();
    if (text === last.text) break;
    kept.pop();
    if (text !== '') {
      kept.push({ ...last, text });
      break;
    }
  }
  return kept;
}

function applySgr(before: Pen, parameters: string): Pen {
  const codes = parameters.split(';');
  let pen = before;
  for (let at = 0; at < codes.length; at += 1) {
    const [code = 0, ...sub] = (codes[at] ?? '').split(':').map(Number);
    if (code === 38 || code === 48) {
      const words = sub.length > 0 ? sub : codes.slice(at + 1, at + 5).map(Number);
      const { color, length } = readColor(words, sub.length > 0);
      if (sub.length === 0) at += length;
      if (color !== undefined) pen = code === 38 ? { ...pen, fg: color } : { ...pen, bg: color };
    } else if (code === 58 && sub.length === 0) {
      at += readColor(codes.slice(at + 1, at + 5).map(Number), false).length;
    } else if (code === 4 && sub[0] === 0) pen = without(pen, ['underline']);
    else pen = applyOne(pen, code);
  }
  return pen;
}

function applyOne(pen: Pen, code: number): Pen {
  if (code === 0) return PLAIN;
  const flag = FLAGS[code];
  if (flag !== undefined) return { ...pen, flags: new Set([...pen.flags, flag].sort()) };
  const off = FLAGS_OFF[code];
  if (off !== undefined) return without(pen, off);
  if (code >= 30 && code <= 37) return { ...pen, fg: String(code - 30) };
  if (code >= 90 && code <= 97) return { ...pen, fg: String(code - 82) };
  if (code >= 40 && code <= 47) return { ...pen, bg: String(code - 40) };
  if (code >= 100 && code <= 107) return { ...pen, bg: String(code - 92) };
  if (code === 39) return { ...pen, fg: '' };
  return code === 49 ? { ...pen, bg: '' } : pen;
}

const without = (pen: Pen, gone: readonly string[]): Pen => ({
  ...pen,
  flags: new Set([...pen.flags].filter((flag) => !gone.includes(flag))),
});

/** Parses a color: `5;N` or `2;R;G;B`. If the separator is a colon, a color space may precede the three numbers. */
function readColor(words: readonly number[], colons: boolean): { color: string | undefined; length: number } {
  if (words[0] === 5) return { color: ofPalette(words[1] ?? 0), length: 2 };
  if (words[0] !== 2) return { color: undefined, length: 1 };
  const rgb = colons ? words.slice(-3) : words.slice(1, 4);
  return { color: rgb.length === 3 && rgb.every(isByte) ? hex(rgb) : undefined, length: 4 };
}

const isByte = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 255;
const hex = (rgb: readonly number[]): string => `#${rgb.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
const CUBE = [0, 95, 135, 175, 215, 255];

/**
 * Returns a color of the 256-color palette. The terminal defines the first sixteen colors. The others are a color cube
 * and a ramp of grays.
 */
function ofPalette(index: number): string | undefined {
  if (!isByte(index)) return undefined;
  if (index < 16) return String(index);
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + 10 * (index - 232)));
  const at = index - 16;
  return hex([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((part) => CUBE[part] ?? 0));
}

/** Uses a loop instead of the pattern / +$/, because that pattern takes quadratic time on a line full of spaces. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end--;
  return line.slice(0, end);
}
