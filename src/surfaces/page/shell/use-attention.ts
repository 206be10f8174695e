import { useCallback, useEffect } from 'react';
import type { Event } from '../../../contract/resources.ts';
import { useNewEvents } from '../live/live-context.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { wantsNotifications } from './browser-notifications.ts';
import { type Note, notesIn } from './notes-in.ts';

/** Shows the count in the page's title and icon, and the server's notifications while the page is not visible. */
export function useAttention(count: number, open: () => void): void {
  useEffect(() => {
    document.title = count === 0 ? 'Baton' : `(${count}) Baton`;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon !== null) icon.href = count === 0 ? '/icon.svg' : '/icon-waiting.svg';
  }, [count]);

  useNewEvents(
    useCallback(
      (events: readonly Event[]) => {
        if (document.hidden && wantsNotifications()) for (const note of notesIn(events)) notify(note, open);
      },
      [open],
    ),
  );
}

/** The tag merges the notifications of several tabs into one. */
function notify({ title, body, tag }: Note, open: () => void): void {
  const shown = new Notification(visible(title), { body: visible(body), tag, icon: '/icon-waiting.svg' });
  shown.onclick = () => {
    window.focus();
    open();
    shown.close();
  };
}
