import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, Suspense, useCallback, useContext, useState } from 'react';

type Open = (dialog: (close: () => void) => ReactNode) => void;

const Host = createContext<Open>(() => undefined);

/**
 * Renders dialogs apart from the rows and cards that open them, so that typed text survives if a row or card
 * disappears. A dialog may be a lazy component.
 */
export function DialogHost({ children }: { readonly children: ReactNode }) {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const open = useCallback<Open>((draw) => setDialog(draw(() => setDialog(null))), []);
  return (
    <Host value={open}>
      {children}
      <Suspense>{dialog}</Suspense>
    </Host>
  );
}

/** Returns a function that opens a dialog about the machine that this part of the page shows. */
export function useDialogHost(): Open {
  const open = useContext(Host);
  const client = useQueryClient();
  return useCallback(
    (draw) => open((close) => <QueryClientProvider client={client}>{draw(close)}</QueryClientProvider>),
    [open, client],
  );
}
