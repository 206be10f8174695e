import { CST } from 'yaml';
import {
  CONTROL_CHARACTERS,
  TOO_LARGE,
  type UnreadableContent,
  WITHOUT_CONTROLS,
} from '../../domain/packages/content/plain-data.ts';

/**
 * Limits that together bound the time for parsing. Some steps of the parser take quadratic time, but process only a few
 * nodes. There may be many tokens, but each token is read only once.
 */
export const YAML_BOUNDS = { bytes: 128 * 1024, tokens: 40_000, nodes: 4_000, depth: 24 } as const;

export interface YamlProblem extends UnreadableContent {
  readonly line?: number;
}

export function boundsProblem(text: string): YamlProblem | undefined {
  if (text.length > YAML_BOUNDS.bytes || new TextEncoder().encode(text).length > YAML_BOUNDS.bytes)
    return { sentence: `The file is larger than ${YAML_BOUNDS.bytes / 1024} KiB.`, fix: TOO_LARGE };
  return CONTROL_CHARACTERS.test(text)
    ? { sentence: 'The file contains control characters.', fix: WITHOUT_CONTROLS }
    : undefined;
}

const REFUSED: Partial<Record<CST.TokenType | '', string>> = {
  anchor: 'The file has an anchor (&); write the value itself.',
  alias: 'The file has an alias (*); write the value itself, or put the text in quotes.',
  tag: 'The file has a tag (!); write the plain value, or put the text in quotes.',
  'directive-line': 'The file has a directive (%); leave it out.',
};

/**
 * Checks the tokens before the parser builds anything from them, and refuses aliases. So the parser never expands an
 * alias.
 */
export function tokenProblem(words: Iterable<string>): YamlProblem | undefined {
  let line = 1;
  let count = 0;
  let depth = 0;
  for (const word of words) {
    const type = CST.tokenType(word);
    const sentence = REFUSED[type ?? ''];
    if (sentence !== undefined) return { sentence, line };
    if (++count > YAML_BOUNDS.tokens)
      return { sentence: `The file has more than ${YAML_BOUNDS.tokens} words.`, line, fix: TOO_LARGE };
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth++;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') depth--;
    if (depth > YAML_BOUNDS.depth)
      return { sentence: `The file is nested more than ${YAML_BOUNDS.depth} levels deep.`, line, fix: TOO_LARGE };
    line += word.split('\n').length - 1;
  }
  return undefined;
}
