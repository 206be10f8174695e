import type { ReactNode } from 'react';
import { classes } from './class-names.ts';
import { visible } from './markdown/visible-text.ts';

export const Panel = ({ children, className }: { readonly children: ReactNode; readonly className?: string }) => (
  <div className={classes('rounded-xl border border-line bg-panel shadow-card', className)}>{children}</div>
);

/** A part of a page with its own heading. */
export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="mb-8">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-base font-semibold">{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The top of a page: its title, and its main actions. */
export function PageTitle({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-3">
      <div className="min-w-0 flex-1 basis-32">
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{visible(title)}</h1>
        {note !== undefined && <div className="mt-0.5 text-sm text-muted">{note}</div>}
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  );
}

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="rounded-xl border border-dashed border-line-strong px-6 py-10 text-center">
    <p className="font-semibold">{title}</p>
    {children !== undefined && <div className="mx-auto mt-1 max-w-prose text-muted">{children}</div>}
  </div>
);
