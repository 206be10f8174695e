import { useEffect, useState } from 'react';
import type { InboxItem } from '../../../contract/resources.ts';

interface Settled {
  readonly ids: readonly string[];
  readonly putAway: (id: string) => void;
}

/** The packages that waited here after the page was opened, and no longer do. */
export function useSettled(items: readonly InboxItem[] | undefined): Settled {
  const [known, setKnown] = useState<readonly string[]>([]);
  const waiting = (items ?? []).flatMap(({ package_id }) => (package_id ? [package_id] : []));
  const open = waiting.join();
  useEffect(() => {
    setKnown((before) => [...new Set([...before, ...open.split(',').filter(Boolean)])]);
  }, [open]);
  return {
    ids: items === undefined ? [] : known.filter((id) => !waiting.includes(id)),
    putAway: (id) => setKnown((before) => before.filter((each) => each !== id)),
  };
}
