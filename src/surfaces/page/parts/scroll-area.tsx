import type { ReactNode } from 'react';

/** What scrolls by itself has to be reached by keyboard, or its end cannot be read without a mouse. */
export const ScrollArea = ({
  label,
  className,
  children,
}: {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
}) => (
  <section
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    tabIndex={0}
    className={className}
  >
    {children}
  </section>
);
