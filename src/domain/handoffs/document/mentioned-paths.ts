import { withoutControls, withoutEnding } from '../../plain-text.ts';
import { pieces } from './chunk-line.ts';
import { outline } from './document-outline.ts';
import { type Finding, few } from './finding.ts';

const MAX_PATHS = 100;
const MAX_PATH = 300;

/**
 * Words for a deleted, renamed or future file. If a line has such a word, the files that the line names need not exist.
 */
const GONE =
  /\b(?:delet|remov|renam|mov(?:e|ed|ing)\b|drop(?:s|ped)\b|no longer|does not exist|missing|will\b|should\b)/i;

/**
 * Returns the files that the document names as existing. Names in backquotes count everywhere, other names only in the
 * list of modified files. Next steps are skipped, because they may name files that do not exist yet.
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
    // Skip names without an extension (`/clear`, `origin/main`) and names without a folder (`config.load`), because
    // they may not be files.
    if (name?.includes('/')) yield name;
  }
}

/** Returns the first word of a list item. In a list of files, this word is a file name even without a folder. */
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

/** Returns one finding for all files that do not exist in the project. */
export function missingPathFindings(missing: readonly string[]): readonly Finding[] {
  if (missing.length === 0) return [];
  const names = few(missing.map((path) => withoutControls(path).replace(/\s+/g, ' ')));
  return [{ rule: 'missing_path', sentence: `The document names files that are not in the project: ${names}.` }];
}
