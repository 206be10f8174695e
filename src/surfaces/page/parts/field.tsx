import type { ComponentProps, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import { useId } from 'react';
import { classes } from './class-names.ts';

const BOX = 'w-full rounded-lg border border-line-strong bg-bg px-3 py-2 text-ink placeholder:text-muted';

/** A label, its input and its hint, linked for screen readers. */
export function Field({
  label,
  hint,
  children,
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby'?: string }) => ReactNode;
}) {
  const id = useId();
  return (
    <div className="mb-4">
      <label htmlFor={id} className="mb-1 block text-sm font-medium wrap-anywhere">
        {label}
      </label>
      {children(hint === undefined ? { id } : { id, 'aria-describedby': `${id}-hint` })}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {hint}
        </div>
      )}
    </div>
  );
}

export const TextInput = ({ className, ...rest }: InputHTMLAttributes<HTMLInputElement>) => (
  <input type="text" autoComplete="off" {...rest} className={classes(BOX, 'h-[44px] md:h-10', className)} />
);

export const TextArea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea rows={4} {...rest} className={classes(BOX, 'block', className)} />
);

export const Select = ({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) => (
  <select {...rest} className={classes(BOX, 'h-[44px] md:h-10', className)} />
);
