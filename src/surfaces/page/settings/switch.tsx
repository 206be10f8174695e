import { type ReactNode, useId } from 'react';
import { classes } from '../parts/class-names.ts';

/** An on/off switch that takes effect at once. The switch shows the word "on" or "off" as well as a color. */
export function Switch({
  label,
  hint,
  on,
  busy,
  onChange,
}: {
  readonly label: string;
  readonly hint: ReactNode;
  readonly on: boolean;
  readonly busy?: boolean;
  readonly onChange: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p id={id} className="font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      </div>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        disabled={busy}
        onClick={() => onChange(!on)}
        className="flex min-h-[44px] shrink-0 items-center md:min-h-9 gap-2 rounded-lg px-1 text-sm disabled:opacity-60"
      >
        <span aria-hidden="true" className="w-6 text-right text-muted">
          {on ? 'On' : 'Off'}
        </span>
        <span
          aria-hidden="true"
          className={classes(
            'flex h-6 w-11 items-center rounded-full border p-0.5 transition-colors',
            on ? 'justify-end border-accent bg-accent' : 'border-muted bg-sunken',
          )}
        >
          <span className={classes('size-4.5 rounded-full', on ? 'bg-on-accent' : 'bg-muted')} />
        </span>
      </button>
    </div>
  );
}
