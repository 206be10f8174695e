const MAX_NAMED = 3;

type Known = ReadonlyMap<string, string> | undefined;

/**
 * Returns one text about all agents whose state changed, with a sentence for each. If many agents changed, the text
 * contains only their number. Returns an empty text if no agent changed.
 */
export function agentNews(before: Known, now: Known): string {
  if (before === undefined || now === undefined) return '';
  const changed = [...now].filter(([name, word]) => before.get(name) !== word);
  if (changed.length > MAX_NAMED) return `${changed.length} agents changed their state.`;
  return changed.map(([name, word]) => `${name}: ${word.replace(/[.]$/, '')}.`).join(' ');
}
