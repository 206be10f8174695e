/** Shows that there are unsaved changes, with a dot and a word. */
export const UnsavedMark = () => (
  <span className="inline-flex items-center gap-1.5 text-sm font-medium text-amber">
    <span aria-hidden="true" className="size-2 rounded-full bg-current" />
    Unsaved
  </span>
);
