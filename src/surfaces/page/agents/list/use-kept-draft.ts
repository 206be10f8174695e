import { useState } from 'react';
import { useOnMachine } from '../../api/machine-clients.ts';

/** The texts that the operator has typed and not sent yet. The key of each text is the name of its field. */
const drafts = new Map<string, string>();

/**
 * Returns the key of a draft. The key contains the machine, because a draft for agent 3 of one machine must not
 * appear at agent 3 of another machine.
 */
const useKey = (name: string): string => `${name}${useOnMachine()}`;

export const useHasDraft = (name: string): boolean => drafts.has(useKey(name));

/**
 * Returns the text that the operator typed into a field. The text is kept when the card with the field moves to another
 * place on the page.
 */
export function useKeptDraft(name: string): readonly [text: string, setText: (text: string) => void] {
  const key = useKey(name);
  const [text, setText] = useState(() => drafts.get(key) ?? '');
  const keep = (now: string): void => {
    if (now === '') drafts.delete(key);
    else drafts.set(key, now);
    setText(now);
  };
  return [text, keep];
}
