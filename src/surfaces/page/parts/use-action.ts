import { useState } from 'react';
import { useTell } from './toasts.tsx';

export interface Action<Args extends readonly unknown[]> {
  readonly busy: boolean;
  /** Resolves to false if it was refused; the operator has been told. */
  readonly run: (...args: Args) => Promise<boolean>;
}

/** One click, one request: busy until the answer is there, its refusal told in the server's words. */
export function useAction<Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<string | undefined>,
): Action<Args> {
  const [busy, setBusy] = useState(false);
  const tell = useTell();
  const run = async (...args: Args): Promise<boolean> => {
    setBusy(true);
    try {
      const said = await work(...args);
      if (said) tell.good(said);
      return true;
    } catch (error) {
      tell.bad(error);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, run };
}
