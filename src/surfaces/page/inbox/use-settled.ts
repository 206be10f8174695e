import { useEffect, useState } from 'react';
import type { InboxItem } from '../../../contract/resources.ts';

interface Settled {
  readonly ids: readonly string[];
  readonly dismiss: (id: string) => void;
}

/** Returns the packages that have left the inbox since the page was opened. */
export function useSettled(items: readonly InboxItem[] | undefined): Settled {
  const [known, setKnown] = useState<readonly string[]>([]);
  const waiting = (items ?? []).flatMap(({ package_id }) => (package_id ? [package_id] : []));
  const open = waiting.join();
  useEffect(() => {
    setKnown((before) => [...new Set([...before, ...open.split(',').filter(Boolean)])]);
  }, [open]);
  return {
    ids: items === undefined ? [] : known.filter((id) => !waiting.includes(id)),
    dismiss: (id) => setKnown((before) => before.filter((each) => each !== id)),
  };
}
