import { useState } from 'react';
import { useTell } from './dialogs/toasts.tsx';

export interface Action<Args extends readonly unknown[]> {
  readonly busy: boolean;
  /** Why it was refused the last time; null if it was not. */
  readonly refusal: unknown;
  /** Resolves to false if it was refused; the operator has been told. */
  readonly run: (...args: Args) => Promise<boolean>;
}

/**
 * One click, one request: busy until the answer is there, its refusal told in the server's words. In a dialog the caller
 * shows the refusal: what lies behind an open dialog is neither reached nor read out.
 */
export function useAction<Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<string | undefined>,
  { inDialog = false } = {},
): Action<Args> {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const tell = useTell();
  const run = async (...args: Args): Promise<boolean> => {
    setBusy(true);
    setRefusal(null);
    try {
      const said = await work(...args);
      if (said) tell.good(said);
      return true;
    } catch (error) {
      setRefusal(error);
      if (!inDialog) tell.bad(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, refusal, run };
}
