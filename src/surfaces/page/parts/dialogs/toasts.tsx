import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { sentenceOf } from '../../api/call.ts';
import { classes } from '../class-names.ts';
import { ShortPaths } from '../words/short-paths.tsx';

/** A link or a button in a toast. */
export interface ToastExtra {
  readonly link?: { readonly to: string; readonly label: string };
  readonly action?: { readonly label: string; readonly run: () => void };
}

interface Toast extends ToastExtra {
  readonly id: number;
  readonly kind: 'good' | 'bad';
  readonly sentence: string;
}

interface Tell {
  readonly good: (sentence: string, extra?: ToastExtra) => void;
  readonly bad: (error: unknown, extra?: ToastExtra) => void;
}

const Toasts = createContext<Tell>({ good: () => undefined, bad: () => undefined });
const GOOD_STAYS_MS = 5_000;
/**
 * How long a toast with a link or a button is shown. The time is long enough for the operator to reach the link or
 * button.
 */
const EXTRA_STAYS_MS = 12_000;
let nextId = 1;

/**
 * Shows the result of a click. Good news disappears by itself, and so does every toast with a link or a button. A
 * failure that has neither link nor button stays until the operator dismisses it.
 */
export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((each) => each.id !== id)), []);
  const add = useCallback(
    (kind: Toast['kind'], sentence: string, extra?: ToastExtra) => {
      const id = nextId++;
      setToasts((all) =>
        [...all.filter((each) => each.sentence !== sentence), { id, kind, sentence, ...extra }].slice(-4),
      );
      if (extra !== undefined) setTimeout(() => remove(id), EXTRA_STAYS_MS);
      else if (kind === 'good') setTimeout(() => remove(id), GOOD_STAYS_MS);
    },
    [remove],
  );
  const [tell] = useState<Tell>(() => ({
    good: (sentence, extra) => add('good', sentence, extra),
    bad: (error, extra) => add('bad', sentenceOf(error), extra),
  }));
  return (
    <Toasts value={tell}>
      {children}
      <div className="pointer-events-none fixed inset-x-3 bottom-20 z-40 flex flex-col items-end gap-2 md:bottom-4">
        {toasts.map(({ id, kind, sentence, link, action }) => (
          <div
            key={id}
            role={kind === 'bad' ? 'alert' : 'status'}
            className={classes(
              'pointer-events-auto flex max-w-md items-start gap-3 rounded-lg border px-4 py-3 text-sm shadow-card',
              kind === 'bad' ? 'border-red bg-red-soft text-red' : 'border-green bg-green-soft text-green',
            )}
          >
            <div className="min-w-0 wrap-anywhere">
              <ShortPaths text={sentence} />
              {link !== undefined && (
                <a href={`#${link.to}`} onClick={() => remove(id)} className={NEXT}>
                  {link.label}
                </a>
              )}
              {action !== undefined && (
                <button
                  type="button"
                  className={NEXT}
                  onClick={() => {
                    remove(id);
                    action.run();
                  }}
                >
                  {action.label}
                </button>
              )}
            </div>
            <button
              type="button"
              aria-label="Dismiss"
              className="-my-3 -mr-4 flex size-[44px] shrink-0 items-center justify-center font-bold"
              onClick={() => remove(id)}
            >
              ×
            </button>
          </div>
        ))}
      </div>
    </Toasts>
  );
}

/**
 * The style of a toast's link or button. The link or button has its own line below the sentence. On a phone, it is
 * large enough for a thumb.
 */
const NEXT = 'flex min-h-[44px] w-fit items-center font-semibold underline max-md:-mb-3 md:mt-1 md:min-h-6';

export const useTell = (): Tell => useContext(Toasts);
