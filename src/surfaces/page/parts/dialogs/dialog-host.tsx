import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Open = (dialog: (close: () => void) => ReactNode) => void;

const Host = createContext<Open>(() => undefined);

/** Holds dialogs about things that may vanish from the page, so that what was typed into one is not lost with them. */
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
