import { dropTail } from './drop-tail.ts';

export interface PathPart {
  readonly shown: string;
  /** The whole path, if `shown` is a shortened path; null for any other part of the sentence. */
  readonly path: string | null;
}

/** Matches an absolute or relative path with at least three slashes. The match leaves out a comma after the path. */
const PATH = /(?<![\w.~/-])[\w.~-]*(?:\/[^\s/:;,"'()]+){3,}/g;
const LONGEST = 40;

/** Splits a sentence at its long paths, and shortens each path to its last part, as in …/HO-2026-001.md. */
export function shortenPaths(text: string): readonly PathPart[] {
  const parts: PathPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(PATH)) {
    const path = dropTail(found, '.');
    if (path.length <= LONGEST) continue;
    parts.push(
      { shown: text.slice(from, index), path: null },
      { shown: `…${path.slice(path.lastIndexOf('/'))}`, path },
    );
    from = index + path.length;
  }
  return [...parts, { shown: text.slice(from), path: null }].filter(({ shown }) => shown !== '');
}

/**
 * Removes the agent's name from the beginning of a sentence that is shown beside this name. A name inside a sentence
 * stays: for example, "The document of dev-1 waits for you" needs the name.
 */
export function withoutAgent(sentence: string, { label, id }: { readonly label: string; readonly id: number }): string {
  const agent = `${label} (agent ${id}) `;
  return sentence.startsWith(agent) ? sentence.slice(agent.length) : sentence;
}
