import type { ReactNode } from 'react';
import { classes } from './class-names.ts';

/**
 * A part of the page that can be folded. It uses the browser's own element for folding, so that the browser's text
 * search unfolds the part.
 */
export function Fold({
  summary,
  open,
  children,
  className,
  onToggle,
}: {
  readonly summary: ReactNode;
  readonly open?: boolean;
  readonly children: ReactNode;
  readonly className?: string;
  readonly onToggle?: (open: boolean) => void;
}) {
  return (
    <details
      open={open}
      className={classes('group/fold', className)}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary className="flex min-h-[44px] list-none items-center gap-2 rounded text-sm text-muted hover:text-ink md:min-h-6 [&::-webkit-details-marker]:hidden">
        <svg
          aria-hidden="true"
          viewBox="0 0 12 12"
          className="size-3 shrink-0 transition-transform group-open/fold:rotate-90"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.8"
        >
          <path d="m4 2 4 4-4 4" />
        </svg>
        {summary}
      </summary>
      {children}
    </details>
  );
}
