/** A warning about a document. The run waits for a review only if the warning shows that the document is worthless. */
export interface Finding {
  readonly rule: string;
  readonly sentence: string;
  /** The number of the line in the document; the first line has the number 1. */
  readonly line?: number;
}

/** Returns a text with the first few names and the number of the other names. */
export function few(names: readonly string[], most = 5): string {
  const rest = names.length - most;
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : names.join(', ');
}

const WORTHLESS: ReadonlySet<string> = new Set(['blank', 'marker_only', 'binary']);

/** True if the findings show that the document contains no information for a successor. */
export const isWorthless = (findings: readonly Finding[]): boolean => findings.some(({ rule }) => WORTHLESS.has(rule));
