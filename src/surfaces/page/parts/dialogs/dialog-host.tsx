import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';

type Open = (dialog: (close: () => void) => ReactNode) => void;

const Host = createContext<Open>(() => undefined);

/** Renders dialogs apart from the rows and cards that open them, so that typed text survives if these disappear. */
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
