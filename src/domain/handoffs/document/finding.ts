/** Something a person should know about a document. Findings warn; only a worthless document is held for a person. */
export interface Finding {
  readonly rule: string;
  readonly sentence: string;
  /** Of the document, counted from 1. */
  readonly line?: number;
}

/** A few names for a sentence, and how many more there are. */
export function few(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}

const WORTHLESS: ReadonlySet<string> = new Set(['blank', 'marker_only', 'binary']);

/** A document that tells a successor nothing. */
export const isWorthless = (findings: readonly Finding[]): boolean => findings.some(({ rule }) => WORTHLESS.has(rule));
