export const Spinner = () => (
  <span
    aria-hidden="true"
    className="inline-block size-3.5 animate-spin rounded-full border-2 border-current border-t-transparent"
  />
);

export const Loading = ({ what = 'Loading' }: { readonly what?: string }) => (
  <p role="status" data-loading="" className="flex items-center gap-2 py-8 text-muted">
    <Spinner /> {what}…
  </p>
);
