export type Submission =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'command'; readonly name: string }
  | { readonly kind: 'shell' };

/** Matches a command. `/word` is a command and `/a/path` is a prompt. The first word decides, as in the real client. */
export function classifySubmission(text: string): Submission {
  const trimmed = text.trim();
  if (trimmed.startsWith('!')) return { kind: 'shell' };
  const firstWord = trimmed.split(/\s/, 1)[0] ?? '';
  if (firstWord.startsWith('/') && !firstWord.slice(1).includes('/')) return { kind: 'command', name: firstWord };
  return { kind: 'prompt' };
}
