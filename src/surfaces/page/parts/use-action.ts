import { useState } from 'react';
import { useTell } from './dialogs/toasts.tsx';

export interface Action<Args extends readonly unknown[]> {
  readonly busy: boolean;
  /** The refusal of the last run; null if there was none. */
  readonly refusal: unknown;
  /** Resolves to false if it was refused; the refusal is already shown. */
  readonly run: (...args: Args) => Promise<boolean>;
}

/**
 * One request per click: busy until the answer is there; a refusal is shown in the server's words. In a dialog the
 * caller shows the refusal: a toast behind an open dialog can be neither reached nor read out.
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
