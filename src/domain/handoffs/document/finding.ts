/** A warning about a document. Only the findings of a worthless document make the run wait for a review. */
export interface Finding {
  readonly rule: string;
  readonly sentence: string;
  /** Line of the document, counted from 1. */
  readonly line?: number;
}

/** Lists the first names for a sentence, and the number of further names. */
export function few(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}

const WORTHLESS: ReadonlySet<string> = new Set(['blank', 'marker_only', 'binary']);

/** True if the document contains no information for a successor. */
export const isWorthless = (findings: readonly Finding[]): boolean => findings.some(({ rule }) => WORTHLESS.has(rule));
