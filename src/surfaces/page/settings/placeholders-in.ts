export interface Placeholder {
  readonly name: string;
  readonly required: boolean;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

export const placeholdersIn = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()));

/**
 * Lists the missing and unknown placeholders in a template. The page shows them while the operator types, because the
 * server would refuse a template with such errors.
 */
export function placeholderProblems(text: string, known: readonly Placeholder[]): readonly string[] {
  const used = placeholdersIn(text);
  const missing = known.filter(({ name, required }) => required && !used.has(name)).map(({ name }) => `{{${name}}}`);
  const unknown = [...used].filter((name) => !known.some((each) => each.name === name)).map((name) => `{{${name}}}`);
  return [
    ...(missing.length > 0 ? [`Missing: ${missing.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`Unknown: ${unknown.join(', ')}.`] : []),
  ];
}
