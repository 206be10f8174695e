/** The six sections that the instruction asks for. */
export const SECTIONS = ['work', 'progress', 'decisions', 'blockers', 'files', 'next'] as const;
export type Section = (typeof SECTIONS)[number];

/** Words that identify a section. One of them is enough, because agents word headings freely. */
const WORDS: Readonly<Record<Section, RegExp>> = {
  work: /\b(work(ed|ing)? on|current work|doing|tasks?|goals?|objectives?|assignment|mission|purpose|context|overview|summary|background|focus)\b/,
  progress:
    /\b(progress|state|status|done|completed?|accomplish\w*|achieve\w*|finished|so far|where (i|we|things|it))\b/,
  decisions: /\b(decisions?|decided|choices?|chose|rationale|trade-?offs?|reasons?|reasoning|why|approach|design)\b/,
  blockers:
    /\b(block(ers?|ed|ing)|obstacles?|impediments?|problems?|issues?|risks?|dead ends?|stuck|gotchas?|pitfalls?|challenges?|difficult\w*|open questions?)\b/,
  files: /\b(files?|changes|changed|modified|modifications|touched)\b/,
  next: /\b(next|remain(s|ing|der)?|to-?dos?|left|follow-?ups?|outstanding|unfinished|pending|plans?|roadmap)\b/,
};

export interface OutlineLine {
  readonly number: number;
  readonly text: string;
  readonly kind: 'blank' | 'heading' | 'code' | 'text';
  /** Sections named by the line itself, as a heading or as a label before a colon. */
  readonly announces: readonly Section[];
  /** Sections named by the nearest heading above. */
  readonly under: readonly Section[];
}

/** A longer line counts as prose, so the patterns for headings never run on a long text. */
const MAX_HEADING = 160;

/** Later lines are ignored, because no handoff document is that long. */
const MAX_LINES = 20_000;

/** The heading level of a bold line or a line that ends with a colon. It is below the level of `######`. */
const UNMARKED = 7;

interface Heading {
  readonly level: number;
  readonly title: string;
}

/** Yields each line with its kind and the sections that it belongs to. */
export function* outline(text: string): Generator<OutlineLine> {
  const lines = text.split(/\r?\n/, MAX_LINES);
  let fence: string | undefined;
  let under: readonly Section[] = [];
  let level = 0;
  for (const [index, line] of lines.entries()) {
    const number = index + 1;
    const opened = fence;
    fence = fenceAfter(line, fence);
    if (opened !== undefined || fence !== undefined) {
      yield { number, text: line, kind: 'code', announces: [], under };
      continue;
    }
    const heading = headingOf(line, lines[index - 1], lines[index + 1]);
    if (heading === undefined) {
      yield { number, text: line, kind: isBlank(line) ? 'blank' : 'text', announces: sectionsOf(labelOf(line)), under };
      continue;
    }
    const announces = sectionsOf(heading.title);
    if (announces.length > 0 || heading.level <= level) {
      under = announces;
      level = heading.level;
    }
    yield { number, text: line, kind: 'heading', announces, under };
  }
}

const isBlank = (line: string): boolean => line.trim() === '' || isRule(line);

/** True for a line without content: `---`, `===`, or the Markdown fence around the whole document. */
const isRule = (line: string): boolean => line.length <= MAX_HEADING && /^\s*([-=*_])\1{2,}\s*$|^\s*```/.test(line);

/** A `markdown` fence does not count as code, because some agents put the whole document into such a fence. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, mark = '', rest = ''] = /^ {0,3}(`{3,20}|~{3,20})(.{0,40})/.exec(line) ?? [];
  if (open === undefined) return mark === '' || /^\s*(md|markdown)\b/i.test(rest) ? undefined : mark;
  return mark.startsWith(open) && rest.trim() === '' ? undefined : open;
}

function headingOf(line: string, above: string | undefined, below: string | undefined): Heading | undefined {
  if (line.length > MAX_HEADING || line.trim() === '') return undefined;
  const hashes = /^ {0,3}(#{1,6})\s+(.*)$/.exec(line);
  if (hashes) return { level: hashes[1]?.length ?? UNMARKED, title: hashes[2] ?? '' };
  if (below !== undefined && /^ {0,3}(=+|-{2,})\s*$/.test(below.slice(0, MAX_HEADING)) && /^ {0,3}\w/.test(line))
    return { level: below.includes('=') ? 1 : 2, title: line };
  const bold = /^\s*(?:\d{1,2}[.)]\s*)?(\*\*|__)([^*_]+)\1:?\s*$/.exec(line);
  if (bold) return { level: UNMARKED, title: bold[2] ?? '' };
  const colon = /^ {0,3}(?:\d{1,2}[.)]\s*)?([\p{L}][\p{L} ,/&'’()-]{2,80}):\s*$/u.exec(line);
  if (colon) return { level: UNMARKED, title: colon[1] ?? '' };
  return numberedHeading(line, above, below);
}

/** A line such as `3. Key decisions` is a heading if it is alone; next to another numbered line it is a list item. */
function numberedHeading(line: string, above = '', below = ''): Heading | undefined {
  const title = numbered(line);
  if (title === undefined || numbered(above) !== undefined || numbered(below) !== undefined) return undefined;
  return sectionsOf(title).length > 0 && title.split(' ').length <= 8 ? { level: UNMARKED, title } : undefined;
}

const numbered = (line: string): string | undefined =>
  line.length > MAX_HEADING ? undefined : /^ {0,3}\d{1,2}[.)]\s+(\S.*)$/.exec(line)?.[1];

/** The label before a colon, for example "Blockers" in `Blockers: none` or `- **Blockers:** none`. */
const labelOf = (line: string): string =>
  /^\s*(?:[-*+]\s+|\d{1,2}[.)]\s+)?(?:\*\*|__)?([\p{L}][\p{L} ,/&'’-]{2,60})(?::|(?:\*\*|__):)/u.exec(
    line.slice(0, MAX_HEADING),
  )?.[1] ?? '';

function sectionsOf(title: string): readonly Section[] {
  const words = title.toLowerCase();
  return words === '' ? [] : SECTIONS.filter((section) => WORDS[section].test(words));
}
