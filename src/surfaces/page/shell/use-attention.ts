import { useEffect, useRef } from 'react';
import type { InboxItem } from '../../../contract/resources.ts';
import { wantsNotifications } from './browser-notifications.ts';

/** The count in title and icon, and a notification for what is new while nobody looks at the page. */
export function useAttention(items: readonly InboxItem[] | undefined, open: () => void): void {
  const count = items?.length ?? 0;
  useEffect(() => {
    document.title = count === 0 ? 'Baton' : `(${count}) Baton`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon !== null) icon.href = count === 0 ? '/icon.svg' : '/icon-waiting.svg';
  }, [count]);

  const told = useRef<ReadonlySet<number> | null>(null);
  useEffect(() => {
    // Not before they are known: what waits already when a page is opened is not new.
    if (items === undefined) return;
    const isNew = (item: InboxItem): boolean => told.current !== null && !told.current.has(item.id);
    if (document.hidden && wantsNotifications()) for (const item of items.filter(isNew)) notify(item, open);
    told.current = new Set(items.map(({ id }) => id));
  }, [items, open]);
}

function notify({ id, sentence, hint }: InboxItem, open: () => void): void {
  const note = new Notification(sentence, { body: hint, tag: `baton-${id}`, icon: '/icon-waiting.svg' });
  note.onclick = () => {
    window.focus();
    open();
    note.close();
  };
}
