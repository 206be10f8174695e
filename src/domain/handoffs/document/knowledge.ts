import { withoutControls } from '../../plain-text.ts';
import { endMarker, MAX_DOCUMENT_BYTES } from './document.ts';
import { type OutlineLine, outline, type Section } from './document-outline.ts';

/** A next step or an open question that a document names. */
export interface NamedPoint {
  readonly kind: 'next_step' | 'question';
  readonly text: string;
}

/** The parts of a document that Baton keeps for all later successors. */
export interface DocumentKnowledge {
  readonly points: readonly NamedPoint[];
  /** The numbers of open points that the document declares closed, for example 3 for the line `OP-3 closed: done`. */
  readonly closed: readonly number[];
  readonly lessons: readonly string[];
  /**
   * How many points and lessons the document has beyond Baton's limits. Baton counts these points and lessons but does
   * not keep their texts.
   */
  readonly beyond: { readonly points: number; readonly lessons: number };
}

const MAX_POINTS = 40;
const MAX_LESSONS = 10;
const MAX_POINT_TEXT = 300;
export const MAX_LESSON_TEXT = 500;

/** Matches the end marker of any run, because a file that the operator chose may be the document of an earlier run. */
const ANY_END = /<!-- handoff-end:[^\s>]{1,100} -->/g;

/** Reads next steps, open questions, closed points and lessons from a document. Headings may be in other languages. */
export function readKnowledge(text: string, endToken: string): DocumentKnowledge {
  const own = text.slice(0, MAX_DOCUMENT_BYTES).split(endMarker(endToken)).join('').replace(ANY_END, '');
  const lines = [...outline(own)];
  const questions = [
    ...itemsUnder(lines, 'questions'),
    ...itemsUnder(lines, 'blockers').filter((item) => /[?？]$/.test(item)),
  ];
  const points = [
    ...itemsUnder(lines, 'next').map((item): NamedPoint => ({ kind: 'next_step', text: item })),
    ...questions.map((item): NamedPoint => ({ kind: 'question', text: item })),
  ];
  const distinct = unique(points, (point) => point.text).filter((point) => !CLOSING.test(point.text));
  const lessons = unique(itemsUnder(lines, 'lessons'), (item) => item);
  return {
    points: distinct.slice(0, MAX_POINTS).map((point) => ({ ...point, text: cut(point.text, MAX_POINT_TEXT) })),
    closed: closedIn(lines),
    lessons: lessons.slice(0, MAX_LESSONS).map((lesson) => cut(lesson, MAX_LESSON_TEXT)),
    beyond: {
      points: Math.max(0, distinct.length - MAX_POINTS),
      lessons: Math.max(0, lessons.length - MAX_LESSONS),
    },
  };
}

const BULLET = /^( {0,8})(?:[-*+•]|\d{1,3}[.)])\s+(.*)$/;
const CHECKED = /^\[[xX✓✔]\]/;
/** Words that say that a section is empty, in several languages. */
const NO_ITEM =
  /^(?:none|nothing(?: \w+){0,3}|n\/?a|no (?:open )?(?:questions|lessons|next steps)|keine[rs]?|nichts|aucune?|rien|ning[uú]n[oa]?|nada|nessun[oa]?|niente|geen|brak|нет|无|没有|なし|없음|-+|…|\.{3})[.!。]?$/iu;

/** Returns the items of a section: its top-level list items, with their continuation lines, and its paragraphs. */
function itemsUnder(lines: readonly OutlineLine[], section: Section): readonly string[] {
  const hasHeading = lines.some(({ kind, announces }) => kind === 'heading' && announces.includes(section));
  const items: string[] = [];
  let open = false;
  let indent = 0;
  for (const line of lines) {
    if (line.kind === 'heading' || line.kind === 'blank') {
      open = false;
      continue;
    }
    if (!hasHeading && line.kind === 'text' && line.announces.includes(section)) {
      items.push(line.text.slice(line.text.search(/[:：]/) + 1).replace(/^\s*(?:\*\*|__)/, ''));
      continue;
    }
    if (!line.under.includes(section)) continue;
    const [, spaces = '', item] = BULLET.exec(line.text) ?? [];
    const begins = item !== undefined && (!open || spaces.length <= indent);
    if (item !== undefined && begins) {
      items.push(item);
      indent = spaces.length + 1;
    } else if (open) items.push(`${items.pop() ?? ''} ${item ?? line.text}`);
    else {
      items.push(line.text);
      indent = MAX_INDENT;
    }
    open = true;
  }
  return items.map(plain).filter(isItem);
}

/**
 * The indent that Baton assumes for a paragraph. It is larger than the indent of any list item. So a list item directly
 * after a paragraph is a separate item and not a part of the paragraph.
 */
const MAX_INDENT = 8;

/**
 * True for an open item. A line that ends with a colon does not count, because it only introduces a list. A checked or
 * struck-out item does not count, because it is done.
 */
const isItem = (text: string): boolean =>
  text !== '' && !NO_ITEM.test(text) && !/[:：]$/.test(text) && !CHECKED.test(text) && !/^~~.*~~$/.test(text);

/** Removes Markdown marks, including an unchecked box, from a line. */
const plain = (text: string): string =>
  withoutControls(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\[ ?\]\s*/, '')
    .replace(/^(\*\*|__)(.{1,200}?)\1/, '$2')
    .replace(/^>\s*/, '')
    .trim();

const CLOSING = /^OP-(\d{1,9})\b[\s:,.–—-]{0,3}(?:is\s|was\s)?(?:closed|done|resolved|settled)\b(?!\s*\?)/i;

/**
 * Returns the numbers of the points that the document closes. A line closes a point if it begins with words such as
 * `OP-3 closed`, or if it is a checked box with `OP-3`.
 */
function closedIn(lines: readonly OutlineLine[]): readonly number[] {
  const found = new Set<number>();
  for (const { kind, text } of lines) {
    if (kind === 'code' || kind === 'blank') continue;
    const item = withoutControls(BULLET.exec(text)?.[2] ?? text.trim()).replace(/[*_`]/g, '');
    const number = CLOSING.exec(item)?.[1] ?? /^\[[xX✓✔]\]\s*OP-(\d{1,9})\b/.exec(item)?.[1];
    if (number !== undefined) found.add(Number(number));
  }
  return [...found].slice(0, MAX_CLOSED);
}

const MAX_CLOSED = 200;

/**
 * Returns the text that identifies a point or lesson: its words in lower case, without punctuation and without a
 * leading `OP-3`.
 */
export const fingerprint = (text: string): string =>
  text
    .replace(/^OP-\d{1,9}\b/i, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Removes each item that has the same words as an earlier item (see `fingerprint`). */
function unique<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  const byText = new Map<string, T>();
  for (const item of items) {
    const key = fingerprint(textOf(item)) || textOf(item);
    if (!byText.has(key)) byText.set(key, item);
  }
  return [...byText.values()];
}

/** Shortens a text to at most `most` characters. A shortened text ends with `…`. */
const cut = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`;
};
