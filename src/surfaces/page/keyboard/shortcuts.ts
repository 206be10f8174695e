/** The keys of the page and what they do, listed in the help. */
export const SHORTCUTS: readonly (readonly [keys: string, action: string])[] = [
  ['Ctrl K or ⌘ K', 'Open the command palette: agents, pages, actions'],
  ['j', 'Go to the next item'],
  ['k', 'Go to the previous item'],
  ['Enter', 'Open the current item'],
  ['/', 'Search'],
  ['?', 'Show this help'],
  ['Esc', 'Close a dialog or leave a search field'],
];

/** The actions that a key press can start. */
export type Shortcut = 'palette' | 'help' | 'search' | 'next' | 'previous' | 'open' | 'leave';

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>;

const PLAIN: Readonly<Record<string, Shortcut>> = {
  '?': 'help',
  '/': 'search',
  j: 'next',
  k: 'previous',
  Enter: 'open',
};

/**
 * Returns the action of a key press. In most fields, keys have no action, so that the operator can type. In a search
 * field, Escape and the palette's key still work, because the page Search puts the focus into its search field by
 * itself.
 */
export function shortcutOf(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  where: { readonly isTyping: boolean; readonly isSearch: boolean },
): Shortcut | null {
  if (where.isTyping && !where.isSearch) return null;
  if (where.isTyping && key === 'Escape') return 'leave';
  if (altKey) return null;
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' ? 'palette' : null;
  if (where.isTyping) return null;
  return PLAIN[key] ?? null;
}
