const MAX_NAMED = 3;

type Known = ReadonlyMap<string, string> | undefined;

/**
 * Returns one text about the agents whose state changed; empty if none changed. If there are more than a few, the text
 * only counts them.
 */
export function agentNews(before: Known, now: Known): string {
  if (before === undefined || now === undefined) return '';
  const changed = [...now].filter(([name, word]) => before.get(name) !== word);
  if (changed.length > MAX_NAMED) return `${changed.length} agents changed their state.`;
  return changed.map(([name, word]) => `${name}: ${word.replace(/[.]$/, '')}.`).join(' ');
}
