import { type ButtonHTMLAttributes, type ReactNode, useLayoutEffect, useRef } from 'react';
import { useIsOffline } from '../live/offline.ts';
import { classes } from './class-names.ts';
import { Spinner } from './spinner.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

const LOOK: Readonly<Record<Kind, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover border-transparent font-semibold',
  plain: 'bg-panel text-ink border-line-strong hover:bg-sunken',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-sunken hover:text-ink',
  danger: 'bg-panel text-red border-red hover:bg-red-soft',
};

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: Kind;
  readonly small?: boolean;
  /** True while the action is in progress. The button then shows a spinner and cannot be pressed. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

export function Button({ kind = 'plain', small, busy, children, className, disabled, title, ...rest }: ButtonProps) {
  // Only buttons that send a request have the property `busy`. Such a button is disabled while the page is offline.
  const isCutOff = useIsOffline() && busy !== undefined;
  const element = useKeptFocus(busy === true);
  return (
    <button
      ref={element}
      type="button"
      {...rest}
      title={isCutOff ? 'Not possible while the page is offline' : title}
      disabled={disabled || busy || isCutOff}
      aria-busy={busy || undefined}
      className={classes(
        'inline-flex items-center justify-center gap-2 rounded-lg border whitespace-nowrap transition-colors',
        'disabled:cursor-not-allowed disabled:opacity-60',
        small ? 'min-h-[44px] px-3 text-sm md:min-h-8 md:px-2.5' : 'min-h-[44px] px-4 md:min-h-10',
        LOOK[kind],
        className,
      )}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/**
 * Gives the focus back to the button after the action. The browser takes the focus away while the button is disabled.
 * With the keyboard, the operator would then have to begin again at the top of the page.
 */
function useKeptFocus(isBusy: boolean) {
  const element = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const { activeElement, body } = document;
    if (isBusy) hadFocus.current = activeElement === element.current;
    else if (hadFocus.current) {
      hadFocus.current = false;
      if (activeElement === null || activeElement === body) element.current?.focus({ preventScroll: true });
    }
  }, [isBusy]);
  return element;
}
