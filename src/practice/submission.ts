export type Submission =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'shell' };

/**
 * Decides whether a text is a shell line, a command or a prompt. As in the real client, the first word decides: `/word`
 * is a command, and `/a/path` is the beginning of a prompt.
 */
export function classifySubmission(text: string): Submission {
  const trimmed = text.trim();
  if (trimmed.startsWith('!')) return { kind: 'shell' };
  const firstWord = trimmed.split(/\s/, 1)[0] ?? '';
  if (firstWord.startsWith('/') && !firstWord.slice(1).includes('/')) return { kind: 'command', name: firstWord };
  return { kind: 'prompt' };
}
