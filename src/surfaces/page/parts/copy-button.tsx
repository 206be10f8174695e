import { useState } from 'react';
import { Button } from './button.tsx';
import { useTell } from './dialogs/toasts.tsx';
import { visible } from './markdown/visible-text.ts';

const SAID_MS = 2_000;

/** Copies a text, and tells the operator that it was copied. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [copied, setCopied] = useState(false);
  const tell = useTell();
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return tell.bad(new Error('The browser blocked copying. Select the text and copy it yourself.'));
    }
    setCopied(true);
    setTimeout(() => setCopied(false), SAID_MS);
  };
  return (
    <Button kind="quiet" small onClick={() => void copy()} aria-label={visible(`Copy ${what}`)}>
      <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
    </Button>
  );
}
