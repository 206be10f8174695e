import type { ReactNode, Ref, UIEventHandler } from 'react';
import { classes } from '../class-names.ts';
import { visible } from '../markdown/visible-text.ts';

/** A scrolling region that the keyboard can reach, with a name for screen readers. */
export function ScrollRegion({
  label,
  children,
  className,
  ref,
  onScroll,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly className?: string;
  readonly ref?: Ref<HTMLDivElement>;
  readonly onScroll?: UIEventHandler<HTMLDivElement>;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as a <section>, each of a hundred regions would be a landmark
    <div
      ref={ref}
      onScroll={onScroll}
      role="group"
      aria-label={visible(label)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys scroll only the element that has the focus
      tabIndex={0}
      className={classes('overflow-auto focus-visible:-outline-offset-2', className)}
    >
      {children}
    </div>
  );
}
