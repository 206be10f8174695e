/** Who did it, in words: `operator/page` and the like, as events name them. */
export function doerInWords(by: string): string {
  const [who = '', which = ''] = by.split('/', 2);
  if (who === 'agent') return `agent ${which}`;
  return `the operator (${which === 'cli' ? 'CLI' : which})`;
}
