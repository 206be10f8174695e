import { useCallback, useEffect } from 'react';
import type { Event } from '../../../../contract/resources.ts';
import { useNewEvents } from '../../live/live-context.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { wantsNotifications } from './browser-notifications.ts';
import { type Note, notesIn } from './notes-in.ts';

/**
 * Shows the number of waiting items and a lost connection in the page's title. The page's icon shows whether items
 * wait. While the page is hidden, also shows the server's notifications in the browser.
 */
export function useAttention(count: number, open: (path: string) => void, isOffline: boolean): void {
  useEffect(() => {
    const name = isOffline ? 'Offline · Baton' : 'Baton';
    document.title = count === 0 ? name : `(${count}) ${name}`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon !== null) icon.href = count === 0 ? '/icon.svg' : '/icon-waiting.svg';
  }, [count, isOffline]);

  useNewEvents(
    useCallback(
      (events: readonly Event[]) => {
        if (document.hidden && wantsNotifications()) for (const note of notesIn(events)) notify(note, open);
      },
      [open],
    ),
  );
}

/** Shows a notification. Every open tab shows it, and the browser merges notifications with the same tag into one. */
function notify({ title, body, tag, path }: Note, open: (path: string) => void): void {
  const shown = new Notification(visible(title), { body: visible(body), tag, icon: '/icon-waiting.svg' });
  shown.onclick = () => {
    window.focus();
    open(path);
    shown.close();
  };
}
