import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from './confirm.tsx';

/**
 * Asks the operator for confirmation before unsaved text is lost: on navigation to another page, and when the tab is
 * closed.
 */
export function useUnsavedGuard(what: string | null): void {
  const ask = useConfirm();
  useBlocker({
    disabled: what === null,
    enableBeforeUnload: () => what !== null,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false;
      const question = `Unsaved changes in ${what} will be lost if you leave this page.`;
      return !(await ask({ title: 'Leave without saving?', question, yes: 'Discard changes', no: 'Keep editing' }));
    },
  });
}
