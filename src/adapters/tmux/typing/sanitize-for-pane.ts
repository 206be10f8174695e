import { looksLikeCommand, typeable } from '../../../domain/plain-text.ts';

/**
 * Makes text safe to paste into a pane: removes everything that acts as a key, and prefixes text that looks like a
 * command.
 */
export function sanitizeForPane(text: string): string {
  const clean = typeable(text);
  return looksLikeCommand(clean) ? `Note: ${clean}` : clean;
}
