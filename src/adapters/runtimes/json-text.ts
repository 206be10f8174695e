/**
 * Changes JSON text in place. Bytes that Baton did not write stay as they are, even odd spaces, duplicate keys and
 * comments. Apart from comments, the text must be valid for JSON.parse. `removePart` removes exactly the bytes that
 * `appendPart` added.
 */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * A member of an object, or an element of an array. For an element, `key` is undefined and `value` is the whole
 * element.
 */
export interface Part extends Span {
  readonly key: string | undefined;
  readonly value: Span;
}

const SPACE = /[\s\uFEFF]/;

/** Returns the text with a space in place of every character of a comment, so that all positions stay the same. */
export function withoutComments(text: string): string {
  let bare = '';
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOfString(text, at) : endOfComment(text, at);
    if (text[at] !== '"' && end > at) {
      bare += text.slice(from, at) + text.slice(at, end).replace(/[^\r\n]/g, ' ');
      from = end;
    }
    at = Math.max(end, at + 1);
  }
  return bare + text.slice(from);
}

/** Returns the end of the comment that begins at this position; the position itself if no comment begins there. */
function endOfComment(text: string, at: number): number {
  if (text[at] !== '/') return at;
  const found =
    text[at + 1] === '/' ? text.indexOf('\n', at) : text[at + 1] === '*' ? text.indexOf('*/', at + 2) + 2 : at;
  return found < at + 2 && found !== at ? text.length : found;
}

export function rootOf(text: string): Span {
  const start = afterSpace(text, 0);
  return { start, end: endOfValue(text, start) };
}

export const isObject = (text: string, { start }: Span): boolean => text[start] === '{';
export const isArray = (text: string, { start }: Span): boolean => text[start] === '[';

export function partsOf(text: string, container: Span): readonly Part[] {
  const parts: Part[] = [];
  let at = afterSpace(text, container.start + 1);
  while (at < container.end - 1) {
    const part = isObject(text, container) ? memberAt(text, at) : elementAt(text, at);
    parts.push(part);
    at = afterSpace(text, part.end);
    if (text[at] === ',') at = afterSpace(text, at + 1);
  }
  return parts;
}

/** Returns the member with this key. If the key occurs twice, the last member counts, as with JSON.parse. */
export const memberOf = (text: string, object: Span, key: string): Part | undefined =>
  partsOf(text, object).findLast((part) => part.key === key);

interface Style {
  readonly newline: string;
  /** The text of one step of indentation; undefined if the whole JSON text is on one line. */
  readonly indent: string | undefined;
}

/**
 * Returns the line break of the text, and the indentation of the members in its outermost object. If that object is
 * empty, returns an indentation of two spaces.
 */
function styleOf(text: string): Style {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const root = rootOf(text);
  const first = partsOf(text, root)[0];
  if (first === undefined) return { newline, indent: '  ' };
  const space = text.slice(root.start + 1, first.start);
  return { newline, indent: space.includes('\n') ? space.slice(space.lastIndexOf('\n') + 1) : undefined };
}

export interface NewPart {
  readonly key?: string;
  readonly value: unknown;
  /** How many other objects and lists contain this object or list. */
  readonly depth: number;
}

export function appendPart(text: string, container: Span, part: NewPart): string {
  const style = styleOf(text);
  const written = write(part, style);
  const last = partsOf(text, container).at(-1);
  if (last !== undefined) return insert(text, last.end, `,${lineBreak(style, part.depth + 1)}${written}`);
  const isTight = container.end - container.start === 2;
  if (!isTight || style.indent === undefined) return insert(text, container.end - 1, written);
  const [before, behind] = [lineBreak(style, part.depth + 1), lineBreak(style, part.depth)];
  return insert(text, container.start + 1, `${before}${written}${behind}`);
}

export function removePart(text: string, container: Span, index: number): string {
  const parts = partsOf(text, container);
  const [before, part, next] = [parts[index - 1], parts[index], parts[index + 1]];
  if (part === undefined) return text;
  if (before !== undefined) return cut(text, before.end, part.end);
  if (next !== undefined) return cut(text, part.start, next.start);
  const isTightBehind = part.end === container.end - 1;
  return isTightBehind ? cut(text, part.start, part.end) : cut(text, container.start + 1, container.end - 1);
}

export const replaceValue = (text: string, { start, end }: Span, part: NewPart): string =>
  text.slice(0, start) + write(part, styleOf(text)) + text.slice(end);

function write({ key, value, depth }: NewPart, style: Style): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${style.indent === undefined ? '' : ' '}`;
  const lines = JSON.stringify(value, null, style.indent).split('\n');
  return name + lines.join(lineBreak(style, depth + 1));
}

const lineBreak = ({ newline, indent }: Style, depth: number): string =>
  indent === undefined ? '' : newline + indent.repeat(depth);

const insert = (text: string, at: number, added: string): string => text.slice(0, at) + added + text.slice(at);
const cut = (text: string, start: number, end: number): string => text.slice(0, start) + text.slice(end);

function memberAt(text: string, start: number): Part {
  const keyEnd = endOfString(text, start);
  const value = elementAt(text, afterSpace(text, afterSpace(text, keyEnd) + 1)).value;
  return { start, end: value.end, key: JSON.parse(text.slice(start, keyEnd)) as string, value };
}

function elementAt(text: string, start: number): Part {
  const value = { start, end: endOfValue(text, start) };
  return { ...value, key: undefined, value };
}

function afterSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && SPACE.test(text[at] as string)) at++;
    const end = endOfComment(text, at);
    if (end === at) return at;
    at = end;
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Counts brackets instead of recursing, because a file may be nested more deeply than the stack allows. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') {
      depth++;
      at++;
    } else if (character === '}' || character === ']') {
      depth--;
      at++;
    } else if (depth > 0) at = Math.max(at + 1, endOfComment(text, at));
    else while (at < text.length && !/[\s,\]}/]/.test(text[at] as string)) at++;
  } while (depth > 0);
  return at;
}
