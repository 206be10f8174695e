import { looksLikeCommand, typeable } from '../../../domain/plain-text.ts';

/** Makes text safe to paste into a pane: nothing that acts as a key, and nothing that a client takes for a command. */
export function sanitizeForPane(text: string): string {
  const clean = typeable(text);
  return looksLikeCommand(clean) ? `Note: ${clean}` : clean;
}
