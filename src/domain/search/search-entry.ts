import type { Instant } from '../instant.ts';

/**
 * The kinds of texts that can be found. `decision`: a decision of a person or an agent. `prompt`: text that a person
 * sent to an agent. `answer`: a person's answer to an agent's question. `lesson`: what every later agent of a persona
 * should know.
 */
export const SEARCH_KINDS = ['document', 'decision', 'package', 'prompt', 'answer', 'lesson'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** One text that the search can find, with the agent, run, package or document that the text belongs to. */
export interface NewSearchEntry {
  readonly kind: SearchKind;
  /** Identifies the text. A new text with the same key replaces the old text. */
  readonly key: string;
  readonly at: Instant;
  /** The agent that the text belongs to. The text is purged together with this agent. */
  readonly agentId: number | null;
  /**
   * The personas of the agents that the text concerns: the agent's own persona, or the personas of both parties of a
   * package.
   */
  readonly personaIds: readonly number[];
  readonly projectId: number | null;
  readonly runId: number | null;
  /** The package that the text belongs to. The text is purged together with this package. */
  readonly packageId: string | null;
  /** The number of the text's first line in its document; null if the text is not a part of a document. */
  readonly line: number | null;
  /** The hash of the handoff document that contains the text; null if the text is not read from a handoff document. */
  readonly sha256: string | null;
  /** The text itself; null if the text is read from the document or from the package. */
  readonly text: string | null;
}

export interface SearchEntry extends NewSearchEntry {
  /** The id of the entry. Newer texts have larger ids. */
  readonly id: number;
}

/** Restricts a search. Fields that are omitted do not restrict the result. */
export interface SearchFilter {
  readonly personaId?: number | undefined;
  readonly projectId?: number | undefined;
  readonly kind?: SearchKind | undefined;
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  /** If given, the search returns only entries whose id is smaller than this number. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * The number of ids that are reserved for each second. The id of a text is derived from the time of the text. So ids
 * are in the order of time, even if an older text is indexed later.
 */
const IDS_PER_SECOND = 16;

/** Returns the smallest id that a text with this time can have. */
export const firstIdAt = (at: Instant): number => Math.max(1, Math.floor(Date.parse(at) / 1000) * IDS_PER_SECOND);

/** Returns an id that is larger than the ids of all texts up to this time. */
export const idAfter = (at: Instant): number => firstIdAt(at) + OVERFLOW;

/**
 * The number that `idAfter` adds to the first id of a time. If more texts than this number had the same second, some of
 * them would get larger ids than `idAfter` returns, and a search could miss them.
 */
const OVERFLOW = 1_000_000;

/**
 * Returns an unused id for a text with this time. If the ids of this second are used up, the id belongs to a later
 * second. `highest(from, to)` returns the highest used id from `from` to `to`; undefined if none of them is used.
 */
export function freeId(at: Instant, highest: (from: number, to: number) => number | undefined): number {
  for (let from = firstIdAt(at); ; from += IDS_PER_SECOND) {
    const used = highest(from, from + IDS_PER_SECOND - 1);
    if (used === undefined) return from;
    if (used < from + IDS_PER_SECOND - 1) return used + 1;
  }
}

/**
 * A part of the log whose texts are not in the search index yet. Baton reads its events backwards, from `next` down to
 * `last`.
 */
export interface SearchBacklog {
  readonly next: number;
  readonly last: number;
}
