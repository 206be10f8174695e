import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { useUnsavedGuard } from '../parts/dialogs/use-unsaved-guard.ts';

const Mark = createContext<(what: string, unsaved: boolean) => void>(() => undefined);

/**
 * Asks for confirmation before the operator leaves a page with unsaved changes. There is one question for the whole
 * page, even if several parts are unsaved.
 */
export function UnsavedParts({ children }: { readonly children: ReactNode }) {
  const [unsaved, setUnsaved] = useState<readonly string[]>([]);
  const mark = useCallback((what: string, isUnsaved: boolean): void => {
    setUnsaved((all) => [...all.filter((each) => each !== what), ...(isUnsaved ? [what] : [])]);
  }, []);
  useUnsavedGuard(unsaved.length === 0 ? null : unsaved.join(' and '));
  return <Mark value={mark}>{children}</Mark>;
}

export function useUnsavedPart(what: string, unsaved: boolean): void {
  const mark = useContext(Mark);
  useEffect(() => {
    mark(what, unsaved);
    return () => mark(what, false);
  }, [mark, what, unsaved]);
}
