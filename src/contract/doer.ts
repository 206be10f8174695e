/** Returns the author of an event in words, from a value such as `operator/page`. */
export function doerInWords(by: string): string {
  const [who = '', which = ''] = by.split('/', 2);
  if (who === 'agent') return `agent ${which}`;
  return `the operator (${which.replace(/^cli\b/, 'CLI')})`;
}
