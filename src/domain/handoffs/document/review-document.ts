import { pieces } from './chunk-line.ts';
import { endMarker, MAX_DOCUMENT_BYTES } from './document.ts';
import { type OutlineLine, outline, type RequiredSection, SECTIONS, type Section } from './document-outline.ts';
import { findSecrets } from './find-secrets.ts';
import { type Finding, few } from './finding.ts';

const ASKED_FOR: Readonly<Record<RequiredSection, string>> = {
  work: 'what was being worked on',
  progress: 'progress and state',
  decisions: 'decisions and why',
  blockers: 'blockers',
  files: 'files modified',
  next: 'next steps',
};

/**
 * A document with fewer characters than this gets a warning, because a shorter text cannot cover six sections. Blanks,
 * headings and the end marker do not count.
 */
const FEWEST_CHARACTERS = 200;

/** Checks the content of a document. All findings are warnings, so no document is rejected because of them. */
export function reviewDocument(text: string, endToken: string): readonly Finding[] {
  const marker = endMarker(endToken);
  const whole = text.slice(0, MAX_DOCUMENT_BYTES);
  const own = whole.split(marker).join('');
  if (own.trim() === '') return [whole.includes(marker) ? MARKER_ONLY : BLANK];
  if (isBinary(own)) return [BINARY];

  const covered = new Set<Section>();
  const placeholders: number[] = [];
  let characters = 0;
  for (const line of outline(own)) {
    for (const section of line.announces) covered.add(section);
    if (line.kind === 'text' || line.kind === 'code') characters += line.text.replace(/\s/g, '').length;
    if (isPlaceholder(line)) placeholders.push(line.number);
  }
  const missing = SECTIONS.filter((section) => !covered.has(section)).map((section) => ASKED_FOR[section]);
  return [
    ...(characters === 0 ? [HEADINGS_ONLY] : characters < FEWEST_CHARACTERS ? [tooShort(characters)] : []),
    ...(missing.length > 0 ? [missingSections(missing)] : []),
    ...placeholderFindings(placeholders),
    ...findSecrets(own),
  ];
}

const BLANK: Finding = { rule: 'blank', sentence: 'The document contains only white space.' };

const BINARY: Finding = { rule: 'binary', sentence: 'The document is not UTF-8 text.' };

/** True if the text has a NUL or is more than 5 % invalid UTF-8. A single invalid byte is tolerated. */
function isBinary(text: string): boolean {
  if (text.includes('\u0000')) return true;
  let broken = 0;
  for (const character of text) if (character === '\ufffd') broken++;
  return broken * 20 > text.length;
}

const MARKER_ONLY: Finding = { rule: 'marker_only', sentence: 'The document contains only its end marker.' };

const HEADINGS_ONLY: Finding = {
  rule: 'headings_only',
  sentence: 'The document has headings but no text below them.',
};

const tooShort = (characters: number): Finding => ({
  rule: 'too_short',
  sentence: `The document is very short: ${characters} characters besides its headings.`,
});

const missingSections = (missing: readonly string[]): Finding => ({
  rule: 'missing_sections',
  sentence: `The document has no recognizable heading for: ${missing.join(', ')}.`,
});

function placeholderFindings(lines: readonly number[]): readonly Finding[] {
  const [line] = lines;
  if (line === undefined) return [];
  const where = lines.length === 1 ? `Line ${line} looks` : `Lines ${few(lines.map(String))} look`;
  return [{ rule: 'placeholder', line, sentence: `${where} like a placeholder that was not filled in.` }];
}

/**
 * Matches a line that is only a placeholder such as "TODO". "TODO: write the parser" is a next step and not a
 * placeholder.
 */
const BARE =
  /^[\s>]*(?:[-*+]\s+|\d{1,3}[.)]\s+|#{1,6}\s+)?(?:\[[ x]\]\s+)?(?:[*_]{0,2}[\p{L}][\p{L} ]{0,40}:[*_]{0,2}\s+)?[[(<{*_]{0,2}(?:TODO|TBD|TBA|FIXME|XXX|T\.B\.D|to be (?:done|determined|filled in|written)|fill in|placeholder|\.{3}|…)[\])>}*_]{0,2}[\s:.…!]*$/iu;

const FILL_IN =
  /(?:[<[{(]|\{\{)\s?(?:fill|insert|describe|add|enter|your|list|todo|tbd|placeholder)\b[^<>[\]{}()]{0,80}[>\]})]|\[(?:\.{3}|…)\]|\blorem ipsum\b/i;

/** True for a line with a placeholder. Ignores quoted code, links such as `[list](url)` and checkboxes. */
function isPlaceholder({ kind, text }: OutlineLine): boolean {
  if (kind === 'blank' || kind === 'code') return false;
  if (text.length <= 200 && BARE.test(text)) return true;
  for (const piece of pieces(text)) if (FILL_IN.test(withoutQuotes(piece))) return true;
  return false;
}

const withoutQuotes = (text: string): string => text.replace(/`[^`]*`/g, '').replace(/\]\([^()[\]\s]*\)/g, '');
