import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Collects what the operator types after Ctrl K while the palette is still being loaded. Without this, the first letters
 * would be lost, or be taken as shortcuts, and Enter would then open the wrong entry.
 */
export function useTypedAhead(isLoading: boolean): RefObject<string> {
  const typed = useRef('');
  useLayoutEffect(() => {
    if (!isLoading) return;
    typed.current = '';
    const keep = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1) typed.current += event.key;
      else if (event.key !== 'Enter') return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', keep, { capture: true });
    return () => removeEventListener('keydown', keep, { capture: true });
  }, [isLoading]);
  return typed;
}
