/** Converts the author of an event, such as `operator/page`, to words. */
export function doerInWords(by: string): string {
  const [who = '', which = ''] = by.split('/', 2);
  if (who === 'agent') return `agent ${which}`;
  return `the operator (${which.replace(/^cli\b/, 'CLI')})`;
}
