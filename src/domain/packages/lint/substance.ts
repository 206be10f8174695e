import { EMPTY, isTaste, keyOf } from './vague-words.ts';

const SPACELESS = /[\p{sc=Han}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** Hiragana is mostly grammar, so it ends a run and is none itself. */
const RUNS =
  /[\p{sc=Han}々]{1,200}|[\p{sc=Katakana}ー]{1,200}|[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]{1,200}|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])[\p{L}\p{M}]){1,200}/gu;
const HANGUL = /\p{sc=Hangul}/u;
const SHORTEST_WORD = 4;

/**
 * The keys of a text in any script: the beginnings of its words; where a script has no blanks, every two characters that
 * stand side by side. Two texts on one subject have some of them in common.
 */
function keysOf(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(RUNS)].flatMap(([run]) => {
    if (SPACELESS.test(run)) return windows(run, 2);
    if (HANGUL.test(run)) return run.length < 2 ? [] : [run.slice(0, 2)];
    return run.length < SHORTEST_WORD ? [] : [keyOf(run)];
  });
}

/** Every place of a word, so that `bestellung` is found in `musterbestellungen`. */
function tracesOf(text: string): readonly string[] {
  return [...text.toLowerCase().matchAll(RUNS)].flatMap(([run]) => {
    if (SPACELESS.test(run) || HANGUL.test(run)) return windows(run, 2);
    return run.length <= keyOf(run).length ? [run] : windows(run, keyOf(run).length);
  });
}

const windows = (run: string, size: number): string[] =>
  Array.from({ length: Math.max(0, run.length - size + 1) }, (_, at) => run.slice(at, at + size));

/** In how many of the texts each key occurs. */
export function subjectOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const trace of new Set(tracesOf(text))) counts.set(trace, (counts.get(trace) ?? 0) + 1);
  return counts;
}

const ANCHORS: readonly RegExp[] = [
  /\p{N}/u,
  /[`"“”„«»「」『』].{1,200}[`"“”«»「」』]/u,
  /[\p{L}\p{N}_.-]\/[\p{L}\p{N}_.-]/u,
  /[\p{L}\p{N}_-]\.[a-z][a-z0-9]{1,4}(?![\p{L}\p{N}])/u,
  /(?<!\p{L})\p{Lu}{2}/u,
  /\p{Ll}\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u,
  /[@#§%€$]/,
];
const SHOUTED = /\b(?:OK|DONE|WIP|FYI|TODO|ASAP|TBD|LGTM|ETA|BLOCKING)\b/g;
const NAME = /[\p{Ll},;] \p{Lu}\p{Ll}/u;
/** German writes every noun with a capital letter. */
const GERMAN =
  /(?<!\p{L})(?:der|die|das|dem|den|des|und|ist|sind|im|ein|eine|mit|für|auf|von|zu|wird|wurde|alle|alles|bitte)(?!\p{L})/iu;

/** A number, path, file, identifier, acronym, quotation or name: something that can be looked up. */
export function hasAnchor(text: string): boolean {
  const calm = text.replace(SHOUTED, '');
  return ANCHORS.some((anchor) => anchor.test(calm)) || (NAME.test(calm) && !GERMAN.test(calm));
}

export interface Substance {
  /** Words that say something, each once. */
  readonly content: number;
  /** How many of them occur elsewhere in the package. */
  readonly shared: number;
}

export function substanceOf(text: string, subject: ReadonlyMap<string, number>): Substance {
  const content = [...new Set(keysOf(text))].filter((key) => !EMPTY.has(key));
  return { content: content.length, shared: content.filter((key) => (subject.get(key) ?? 0) > 1).length };
}

const WORDS = /[\p{L}\p{M}]{1,60}(?:-[\p{L}\p{M}]{1,60})?/gu;

const hasTaste = (text: string): boolean =>
  [...text.toLowerCase().matchAll(WORDS)].some(([word]) => isTaste(word)) || keysOf(text).some(isTaste);

const NO_SUBJECT: ReadonlyMap<string, number> = new Map();

/** P9. A criterion or constraint of which nobody can tell whether it is kept. */
export function cannotBeChecked(text: string, subject: ReadonlyMap<string, number> = NO_SUBJECT): boolean {
  return !hasAnchor(text) && (hasTaste(text) || saysLittle(substanceOf(text, subject), 2));
}

/** The text shares no key with the rest of the package, and has few words of its own. */
export const saysLittle = ({ content, shared }: Substance, least: number): boolean => shared === 0 && content < least;
