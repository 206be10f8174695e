import { useState } from 'react';
import { useTell } from './dialogs/toasts.tsx';

export interface Action<Args extends readonly unknown[]> {
  readonly busy: boolean;
  /** The refusal of the last request; null if the last request was not refused. */
  readonly refusal: unknown;
  /** Sends the request. Resolves to false if the server refused it. */
  readonly run: (...args: Args) => Promise<boolean>;
}

/**
 * Returns a function `run` that sends a request, and `busy`, which is true until the answer arrives. A refusal is shown
 * as a toast, in the server's words. If the button is in a dialog, the dialog must show the refusal instead, because a
 * toast behind an open dialog cannot be reached.
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

/** Resolves after the page has rendered the data that was put into the query client before this call. */
export const afterRender = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
