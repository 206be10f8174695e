import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useShortcuts } from './use-shortcuts.ts';
import { useTypedAhead } from './use-typed-ahead.ts';

/** The dialogs are loaded at the first key press that needs them. */
const Palette = lazy(() => import('./palette.tsx'));
const Help = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }));

/** The shortcuts of the page, and the dialogs that they open. */
export function Keyboard() {
  const [open, setOpen] = useState<'palette' | 'help' | null>(null);
  const navigate = useNavigate();
  const goToSearch = useCallback(() => void navigate({ to: '/search' }), [navigate]);
  useShortcuts(setOpen, goToSearch);
  const [isShown, setShown] = useState(false);
  const typed = useTypedAhead(open === 'palette' && !isShown);
  const show = useCallback(() => setShown(true), []);
  const close = useCallback(() => {
    setOpen(null);
    setShown(false);
  }, []);
  if (open === null) return null;
  return (
    <Suspense>
      {open === 'palette' ? <Palette typed={typed} onShown={show} onClose={close} /> : <Help onClose={close} />}
    </Suspense>
  );
}
