const MAX_NAMED = 3;

type Known = ReadonlyMap<string, string> | undefined;

/**
 * Returns a sentence for each agent whose state changed; empty if no state changed. If more than a few agents changed,
 * returns only their number.
 */
export function agentNews(before: Known, now: Known): string {
  if (before === undefined || now === undefined) return '';
  const changed = [...now].filter(([name, word]) => before.get(name) !== word);
  if (changed.length > MAX_NAMED) return `${changed.length} agents changed their state.`;
  return changed.map(([name, word]) => `${name}: ${word.replace(/[.]$/, '')}.`).join(' ');
}
