import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Open = (dialog: (close: () => void) => ReactNode) => void;

const Host = createContext<Open>(() => undefined);

/** Dialogs about something that may vanish from the page live here: what was typed into one must not vanish with it. */
export function DialogHost({ children }: { readonly children: ReactNode }) {
  const [dialog, setDialog] = useState<ReactNode>(null);
  const open = useCallback<Open>((draw) => setDialog(draw(() => setDialog(null))), []);
  return (
    <Host value={open}>
      {children}
      {dialog}
    </Host>
  );
}

export const useDialogHost = (): Open => useContext(Host);
