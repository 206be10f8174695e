/** A warning about a document. Only a worthless document stops the run, for a review. */
export interface Finding {
  readonly rule: string;
  readonly sentence: string;
  /** Line of the document, counted from 1. */
  readonly line?: number;
}

/** The first names for a sentence, and the number of the rest. */
export function few(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}

const WORTHLESS: ReadonlySet<string> = new Set(['blank', 'marker_only', 'binary']);

/** The document contains no information for a successor. */
export const isWorthless = (findings: readonly Finding[]): boolean => findings.some(({ rule }) => WORTHLESS.has(rule));
