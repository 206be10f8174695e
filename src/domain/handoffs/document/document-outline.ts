/** The six sections that every document must have. */
export const SECTIONS = ['work', 'progress', 'decisions', 'blockers', 'files', 'next'] as const;
export type RequiredSection = (typeof SECTIONS)[number];

/**
 * All sections that the instruction asks for, in the order of the instruction. A document may omit the sections for
 * questions and lessons.
 */
const ALL_SECTIONS = [...SECTIONS, 'questions', 'lessons'] as const;
export type Section = (typeof ALL_SECTIONS)[number];

/**
 * Words that identify a section. One of these words in a heading is enough, because agents choose their own headings.
 */
const WORDS: Readonly<Record<Section, RegExp>> = {
  work: /\b(work(ed|ing)? on|current work|doing|tasks?|goals?|objectives?|assignment|mission|purpose|context|overview|summary|background|focus)\b/,
  progress:
    /\b(progress|state|status|done|completed?|accomplish\w*|achieve\w*|finished|so far|where (i|we|things|it))\b/,
  decisions: /\b(decisions?|decided|choices?|chose|rationale|trade-?offs?|reasons?|reasoning|why|approach|design)\b/,
  blockers:
    /\b(block(ers?|ed|ing)|obstacles?|impediments?|problems?|issues?|risks?|dead ends?|stuck|gotchas?|pitfalls?|challenges?|difficult\w*|open questions?)\b/,
  files: /\b(files?|changes|changed|modified|modifications|touched)\b/,
  next: /\b(next|remain(s|ing|der)?|to-?dos?|left|follow-?ups?|outstanding|unfinished|pending|plans?|roadmap)\b/,
  questions: /\b(questions?|unclear|unanswered)\b/,
  lessons: /\b(lessons?|learned|learnt|learnings?|takeaways?)\b/,
};

/** Words in other languages for the sections from which Baton takes points and lessons. */
const WORDS_ELSEWHERE: Partial<Readonly<Record<Section, RegExp>>> = {
  next: /nächste|offene punkte|verbleibend|prochaines? étapes|étapes suivantes|reste à faire|próximos? pasos|pendiente|próximas? (?:etapas|passos)|próximos passos|prossimi passi|volgende stappen|następne kroki|следующие шаги|дальнейшие шаги|下一步|后续步骤|待办|次のステップ|今後|残り|다음 단계/u,
  questions:
    /offene fragen|questions ouvertes|preguntas|perguntas|domande|open vragen|pytania|вопросы|问题|疑问|質問|未解決|질문/u,
  lessons:
    /lehren|erkenntnisse|gelernt|leçons|enseignements|lecciones|aprendid|lições|lezioni|geleerd|lessen|wnioski|уроки|выводы|经验|教训|教訓|学び|교훈/u,
};

export interface OutlineLine {
  readonly number: number;
  readonly text: string;
  readonly kind: 'blank' | 'heading' | 'code' | 'text';
  /** The sections that this line names, if the line is a heading or begins with a label and a colon. */
  readonly announces: readonly Section[];
  /** The sections named by the nearest heading above this line. */
  readonly under: readonly Section[];
}

/**
 * Maximum length of a heading. A longer line counts as prose. So the patterns that recognize headings never run on a
 * long text.
 */
const MAX_HEADING = 160;

/** Maximum number of lines to read. Later lines are ignored, because no handoff document is that long. */
const MAX_LINES = 20_000;

/** The level of a heading without `#`, for example a bold line. Such a heading ranks below `######` (level 6). */
const UNMARKED = 7;

interface Heading {
  readonly level: number;
  readonly title: string;
}

/** Yields each line with its kind and the sections that it belongs to. */
export function* outline(text: string): Generator<OutlineLine> {
  const lines = text.split(/\r?\n/, MAX_LINES);
  const titles = namedInWords(lines);
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
    const announces = orByNumber(sectionsOf(heading.title), heading, titles);
    if (announces.length > 0 || heading.level <= level) {
      under = announces;
      level = heading.level;
    }
    yield { number, text: line, kind: 'heading', announces, under };
  }
}

/** Returns the sections that the headings of the document identify by their words. */
function namedInWords(lines: readonly string[]): ReadonlySet<Section> {
  const hashes = lines.flatMap((line) => (/^ {0,3}#/.test(line) ? [line.slice(0, MAX_HEADING)] : []));
  return new Set(hashes.flatMap(sectionsOf));
}

/**
 * Returns the sections that a heading identifies by its words. If the words identify no section, for example in an
 * unknown language, returns the section with the heading's number, because the instruction numbers its sections. Does
 * not use the number if the words of another heading identify this section.
 */
function orByNumber(
  named: readonly Section[],
  { level, title }: Heading,
  titles: ReadonlySet<Section>,
): readonly Section[] {
  if (named.length > 0 || level === UNMARKED) return named;
  const section = ALL_SECTIONS[Number(/^\*{0,2}([1-8])[.):]/.exec(title)?.[1] ?? 0) - 1];
  return section === undefined || titles.has(section) ? named : [section];
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

/**
 * A line such as `3. Key decisions` may be a heading if neither the line above nor the line below is numbered. If one
 * of them is numbered, the line is a list item.
 */
function numberedHeading(line: string, above = '', below = ''): Heading | undefined {
  const title = numbered(line);
  if (title === undefined || numbered(above) !== undefined || numbered(below) !== undefined) return undefined;
  return sectionsOf(title).length > 0 && title.split(' ').length <= 8 ? { level: UNMARKED, title } : undefined;
}

const numbered = (line: string): string | undefined =>
  line.length > MAX_HEADING ? undefined : /^ {0,3}\d{1,2}[.)]\s+(\S.*)$/.exec(line)?.[1];

/** Returns the label before a colon, for example "Blockers" in `Blockers: none` or `- **Blockers:** none`. */
const labelOf = (line: string): string =>
  /^\s*(?:[-*+]\s+|\d{1,2}[.)]\s+)?(?:\*\*|__)?([\p{L}][\p{L} ,/&'’-]{2,60})(?::|(?:\*\*|__):)/u.exec(
    line.slice(0, MAX_HEADING),
  )?.[1] ?? '';

function sectionsOf(title: string): readonly Section[] {
  const words = title.toLowerCase();
  if (words === '') return [];
  return ALL_SECTIONS.filter((section) => WORDS[section].test(words) || WORDS_ELSEWHERE[section]?.test(words));
}
