import { useEffect, useState } from 'react';
import { Button } from '../button.tsx';

/** The parts of an infinite query that `useOlder` needs. */
interface Pages {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isError: boolean;
  readonly isPlaceholderData: boolean;
  fetchNextPage(): Promise<unknown>;
}

interface Older {
  readonly ask: () => void;
  readonly busy: boolean;
}

/**
 * Returns an object whose function `ask` loads the next page of a list. Returns undefined if there is no next page, or
 * while the rows of an earlier filter are still shown. If a refetch of the list cancels the request for the next page,
 * the request is sent again.
 */
export function useOlder(found: Pages, filter: unknown): Older | undefined {
  const [wanted, setWanted] = useState({ filter, pages: 1 });
  const { hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = found;
  const pages = found.data?.pages.length ?? 0;
  const canGrow = hasNextPage && !isPlaceholderData;
  const lacksOne = canGrow && wanted.filter === filter && wanted.pages > pages && !isError;
  useEffect(() => {
    if (lacksOne && !isFetching) void fetchNextPage();
  }, [lacksOne, isFetching, fetchNextPage]);
  const ask = (): void => {
    setWanted({ filter, pages: pages + 1 });
    if (isError) void fetchNextPage();
  };
  return canGrow ? { ask, busy: lacksOne } : undefined;
}

/** The button below a list that has older rows. */
export function ShowOlder({ older, rows }: { readonly older: Older | undefined; readonly rows: string }) {
  if (older === undefined) return null;
  return (
    <div className="mt-4 text-center">
      <Button busy={older.busy} onClick={older.ask}>
        Show older {rows}
      </Button>
    </div>
  );
}
