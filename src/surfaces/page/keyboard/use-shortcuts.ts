import { useEffect } from 'react';
import { type Shortcut, shortcutOf } from './shortcuts.ts';

const TYPING = 'input, textarea, select, [contenteditable="true"], [data-own-keys]';

/** Listens to the keyboard. A field, an open dialog and an open menu handle their keys themselves. */
export function useShortcuts(open: (dialog: 'palette' | 'help') => void, goToSearch: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.defaultPrevented || event.repeat || !(target instanceof Element)) return;
      if (document.querySelector('dialog[open], [role="menu"]') !== null) return;
      const isTyping = target.closest(TYPING) !== null;
      const shortcut = shortcutOf(event, { isTyping, isSearch: target.matches('input[type="search"]') });
      if (shortcut !== null && act(shortcut, target, { open, goToSearch })) event.preventDefault();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [open, goToSearch]);
}

interface Acts {
  readonly open: (dialog: 'palette' | 'help') => void;
  readonly goToSearch: () => void;
}

/** Performs the action of a shortcut. Returns false if the browser should handle the key itself. */
function act(shortcut: Shortcut, target: Element, { open, goToSearch }: Acts): boolean {
  switch (shortcut) {
    case 'palette':
    case 'help':
      open(shortcut);
      return true;
    case 'search':
      // If this page has no search field, open the page Search, which puts the focus into its search field by itself.
      if (!focusOn(document.querySelector('main input[type="search"]'))) goToSearch();
      return true;
    case 'next':
      return move(target, 1);
    case 'previous':
      return move(target, -1);
    case 'open':
      return openItem(target);
    case 'leave':
      if (target instanceof HTMLElement) target.blur();
      return true;
  }
}

function focusOn(element: Element | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  return true;
}

/** Moves the focus to the next or previous item. If the focus is outside of all items, moves it to the first one. */
function move(target: Element, by: 1 | -1): boolean {
  const items = [...document.querySelectorAll('main [data-item]')];
  const at = items.findIndex((item) => item.contains(target));
  const next = items[at === -1 ? 0 : Math.min(Math.max(at + by, 0), items.length - 1)];
  if (!(next instanceof HTMLElement)) return false;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Opens the item that has the focus. A focused link or button inside of an item is not affected. */
function openItem(target: Element): boolean {
  const link = target.matches('[data-item]') ? target.querySelector('[data-open]') : null;
  if (!(link instanceof HTMLElement)) return false;
  link.click();
  return true;
}
