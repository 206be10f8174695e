import { useCallback } from 'react';
import type { Event } from '../../../../contract/resources.ts';
import { useNewEvents } from '../../live/live-context.tsx';
import { useTell } from '../../parts/dialogs/toasts.tsx';

const ENDS: ReadonlySet<string> = new Set(['handoff_complete', 'handoff_error', 'handoff_undone']);
const MAX_TOASTS = 3;

/** Shows a toast with a link when a handoff ends, whatever page the operator is on. */
export function useHandoffToasts(): void {
  const tell = useTell();
  useNewEvents(
    useCallback(
      (events: readonly Event[]) => {
        // Many handoffs may have ended while the connection was lost. Only the newest get a toast, because the page
        // Handoffs lists all of them.
        for (const event of events.filter(({ type }) => ENDS.has(type)).slice(-MAX_TOASTS)) {
          const link = { to: `/runs/${event.run_id}`, label: `Open handoff ${event.run_id}` };
          if (event.type === 'handoff_error') tell.bad(new Error(event.sentence), { link });
          else tell.good(event.sentence, { link });
        }
      },
      [tell],
    ),
  );
}
