import type { InboxItem } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import { usePost } from '../api/machine-clients.ts';
import { useTell } from '../parts/dialogs/toasts.tsx';
import { type Action, useAction } from '../parts/use-action.ts';

/** Dismisses items. A toast offers to undo the dismissal. */
export function useDismiss(): Action<[items: readonly InboxItem[]]> {
  const post = usePost();
  const tell = useTell();
  const restore = useAction(async (items: readonly InboxItem[]) => {
    for (const { id } of items) await post<InboxItem>(PATHS.restoreItem(id), {});
    return items.length === 1 ? 'The item is back in the inbox.' : `${items.length} items are back in the inbox.`;
  });
  return useAction(async (items) => {
    for (const { id } of items) await post<InboxItem>(PATHS.dismiss(id), {});
    const sentence = items.length === 1 ? 'Item dismissed.' : `${items.length} items dismissed.`;
    tell.good(sentence, { action: { label: 'Undo', run: () => void restore.run(items) } });
    return undefined;
  });
}
