/** Joins CSS class names and skips empty ones. */
export const classes = (...names: readonly (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ');

/** The look of the button that opens a menu. */
export const MENU_BUTTON =
  'inline-flex size-[44px] shrink-0 items-center justify-center rounded-lg border border-transparent text-lg text-muted hover:bg-sunken hover:text-ink data-[state=open]:bg-sunken md:size-8';
