import type { ReactNode } from 'react';

/** Put away until it is asked for. */
export const Fold = ({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) => (
  <details className="group">
    <summary className="inline-flex list-none items-center gap-2 rounded text-sm font-medium text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
      <span aria-hidden="true" className="transition-transform group-open:rotate-90">
        ›
      </span>
      {title}
    </summary>
    <div className="mt-3">{children}</div>
  </details>
);
