import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { Button } from '../button.tsx';
import { visible } from '../markdown/visible-text.ts';
import { Dialog, DialogButtons } from './dialog.tsx';

interface Asked {
  readonly title: string;
  /** The question to confirm. It says what would be destroyed. */
  readonly question: string;
  readonly yes: string;
  /** The label of the button that changes nothing; "Cancel" if absent. */
  readonly no?: string;
}

type Ask = (asked: Asked) => Promise<boolean>;
const Confirm = createContext<Ask>(() => Promise.resolve(false));

/** Asks the operator before something is destroyed. Escape means no. */
export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState<(Asked & { readonly answer: (yes: boolean) => void }) | null>(null);
  const ask = useCallback<Ask>((asked) => new Promise((resolve) => setOpen({ ...asked, answer: resolve })), []);
  const answer = (yes: boolean): void => {
    open?.answer(yes);
    setOpen(null);
  };
  return (
    <Confirm value={ask}>
      {children}
      {open !== null && (
        <Dialog title={open.title} onClose={() => answer(false)}>
          <p>{visible(open.question)}</p>
          <DialogButtons>
            <Button onClick={() => answer(false)}>{open.no ?? 'Cancel'}</Button>
            <Button kind="danger" onClick={() => answer(true)}>
              {open.yes}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </Confirm>
  );
}

export const useConfirm = (): Ask => useContext(Confirm);
