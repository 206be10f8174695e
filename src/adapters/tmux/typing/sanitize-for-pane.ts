import { looksLikeCommand, typeable } from '../../../domain/plain-text.ts';

/** What may be pasted into a pane: nothing that acts as a key, and nothing that a client takes for a command. */
export function sanitizeForPane(text: string): string {
  const clean = typeable(text);
  return looksLikeCommand(clean) ? `Note: ${clean}` : clean;
}
