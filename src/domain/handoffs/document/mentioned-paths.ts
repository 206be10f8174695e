import { withoutControls, withoutEnding } from '../../plain-text.ts';
import { pieces } from './chunk-line.ts';
import { outline } from './document-outline.ts';
import { type Finding, few } from './finding.ts';

const MAX_PATHS = 100;
const MAX_PATH = 300;

/** A line that tells of a file's end names it although it is gone, or under a name that it no longer has. */
const GONE =
  /\b(?:delet|remov|renam|mov(?:e|ed|ing)\b|drop(?:s|ped)\b|no longer|does not exist|missing|will\b|should\b)/i;

/**
 * Files that the document names as existing: in backquotes anywhere, and bare in the list of modified files. The next
 * steps are left out: they may name what is yet to be written.
 */
export function mentionedPaths(text: string): readonly string[] {
  const found = new Set<string>();
  for (const { kind, text: line, under } of outline(text)) {
    const inFiles = under.includes('files');
    if (kind !== 'text' || (under.includes('next') && !inFiles)) continue;
    for (const piece of pieces(line)) {
      if (GONE.test(piece)) continue;
      for (const name of namesIn(piece, inFiles)) {
        found.add(name);
        if (found.size === MAX_PATHS) return [...found];
      }
    }
  }
  return [...found];
}

function* namesIn(piece: string, inFiles: boolean): Generator<string> {
  const first = inFiles ? fileName(firstWord(piece)) : undefined;
  if (first !== undefined) yield first;
  const quoted = [...piece.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const bare = inFiles ? piece.replace(/`[^`]*`/g, ' ').split(/[\s,;()[\]"'*|]+/) : [];
  for (const candidate of [...quoted, ...bare]) {
    const name = fileName(candidate);
    // `/clear` and `origin/main` have no ending, `config.load` has no folder: none of them is surely a file.
    if (name?.includes('/')) yield name;
  }
}

/** Of an item in a list of files; there a name needs no folder. */
const firstWord = (line: string): string =>
  /^\s*(?:[-*+|]\s*|\d{1,3}[.)]\s+)(?:\[[ x]\]\s+)?[*_]{0,2}`?([^\s`*,;:()|]{1,300})/.exec(line)?.[1] ?? '';

function fileName(candidate: string): string | undefined {
  if (candidate.length > MAX_PATH) return undefined;
  const place = /(?::\d{1,7}(?:[-:]\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?)$/;
  const path = withoutEnding(candidate.replace(place, ''), '.:!?');
  if (!/^[\p{L}\p{N}_./][\p{L}\p{N}_.+@/-]*$/u.test(path) || path.includes('//')) return undefined;
  const last = path.slice(path.lastIndexOf('/') + 1);
  return /[\p{L}\p{N}_-]\.[a-z][a-z0-9]{0,9}$/iu.test(last) ? path : undefined;
}

/** What the app found to be missing, as one finding. */
export function missingPathFindings(missing: readonly string[]): readonly Finding[] {
  if (missing.length === 0) return [];
  const names = few(missing.map((path) => withoutControls(path).replace(/\s+/g, ' ')));
  return [{ rule: 'missing_path', sentence: `The document names files that are not in the project: ${names}.` }];
}
