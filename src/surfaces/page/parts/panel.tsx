import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMachine } from '../api/machine-clients.ts';
import { classes } from './class-names.ts';
import { visible } from './markdown/visible-text.ts';

export const Panel = ({ children, className }: { readonly children: ReactNode; readonly className?: string }) => (
  <div className={classes('rounded-xl border border-line bg-panel shadow-card', className)}>{children}</div>
);

/**
 * The content of a page that consists of rows. On a wide screen its width is limited, because long rows are hard to
 * read.
 */
export const Column = ({ children }: { readonly children: ReactNode }) => (
  <div className="max-w-[80rem]">{children}</div>
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

/**
 * The top of a page: the title, the main actions and, for a page about one thing, a link to the list of all things of
 * this kind.
 */
export function PageTitle({
  title,
  note,
  back,
  children,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly back?: { readonly to: string; readonly title: string };
  readonly children?: ReactNode;
}) {
  const machine = useMachine();
  // The link back from a page about another machine leads to the page of that machine.
  const above = back && machine !== null ? { to: `/machines/${machine}`, title: machine } : back;
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
      {above !== undefined && (
        <nav aria-label="Breadcrumb" className="-mt-2 basis-full">
          <Link
            to={above.to}
            className="inline-flex min-h-[44px] items-center gap-1 text-sm text-muted hover:text-ink md:min-h-7"
          >
            <span aria-hidden="true">‹</span>
            {visible(above.title)}
          </Link>
        </nav>
      )}
      {/* The title is as high as a button, so that it has the same place on pages with and without buttons. */}
      <div className="flex min-w-0 flex-1 basis-32 flex-wrap content-center items-baseline gap-x-3 gap-y-0.5 md:min-h-10">
        <h1 className="text-xl font-semibold tracking-tight wrap-anywhere">{visible(title)}</h1>
        {note !== undefined && <div className="text-sm text-muted">{note}</div>}
      </div>
      {children !== undefined && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </div>
  );
}

export const Empty = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="rounded-xl border border-dashed border-line-strong px-6 py-10 text-center">
    <p className="font-semibold">{title}</p>
    {children !== undefined && <div className="mx-auto mt-1 max-w-prose text-balance text-muted">{children}</div>}
  </div>
);
