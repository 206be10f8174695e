import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { sentenceOf } from '../../api/call.ts';
import { classes } from '../class-names.ts';
import { visible } from '../markdown/visible-text.ts';

interface Toast {
  readonly id: number;
  readonly kind: 'good' | 'bad';
  readonly sentence: string;
}

interface Tell {
  readonly good: (sentence: string) => void;
  readonly bad: (error: unknown) => void;
}

const Toasts = createContext<Tell>({ good: () => undefined, bad: () => undefined });
const GOOD_STAYS_MS = 5_000;
let nextId = 1;

/** Shows the result of a click. Good news disappears by itself; a failure stays until it is dismissed. */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((each) => each.id !== id)), []);
  const add = useCallback(
    (kind: Toast['kind'], sentence: string) => {
      const id = nextId++;
      setToasts((all) => [...all.filter((each) => each.sentence !== sentence), { id, kind, sentence }].slice(-4));
      if (kind === 'good') setTimeout(() => remove(id), GOOD_STAYS_MS);
    },
    [remove],
  );
  const [tell] = useState<Tell>(() => ({
    good: (sentence) => add('good', sentence),
    bad: (error) => add('bad', sentenceOf(error)),
  }));
  return (
    <Toasts value={tell}>
      {children}
      <div className="pointer-events-none fixed inset-x-3 bottom-20 z-40 flex flex-col items-end gap-2 md:bottom-4">
        {toasts.map(({ id, kind, sentence }) => (
          <div
            key={id}
            role={kind === 'bad' ? 'alert' : 'status'}
            className={classes(
              'pointer-events-auto flex max-w-md items-start gap-3 rounded-lg border px-4 py-3 text-sm shadow-card',
              kind === 'bad' ? 'border-red bg-red-soft text-red' : 'border-green bg-green-soft text-green',
            )}
          >
            <span className="min-w-0 wrap-anywhere">{visible(sentence)}</span>
            <button type="button" aria-label="Dismiss" className="-mr-1 px-1 font-bold" onClick={() => remove(id)}>
              ×
            </button>
          </div>
        ))}
      </div>
    </Toasts>
  );
}

export const useTell = (): Tell => useContext(Toasts);
