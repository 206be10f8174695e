import { useBlocker } from '@tanstack/react-router';
import { useConfirm } from './confirm.tsx';

/** Asks before unsaved text is lost: on navigation to another page, and when the tab is closed. */
export function useUnsavedGuard(what: string | null): void {
  const ask = useConfirm();
  useBlocker({
    disabled: what === null,
    enableBeforeUnload: () => what !== null,
    shouldBlockFn: async ({ current, next }) => {
      if (current.pathname === next.pathname) return false;
      const question = `${what} is not saved. If you leave this page now, your changes are lost.`;
      return !(await ask({ title: 'Leave without saving?', question, yes: 'Leave and lose them' }));
    },
  });
}
