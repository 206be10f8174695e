import { useEffect, useRef } from 'react';
import { Refused, sentenceOf } from '../api/call.ts';
import { visible } from './markdown/visible-text.ts';

const isNotFound = (error: unknown): error is Refused => error instanceof Refused && error.status === 404;

/**
 * True if a hint names a command. After "There is no …", such a hint only names the command that lists the existing
 * objects, so the page does not show the hint.
 */
const namesCommand = (hint = ''): boolean => /\bbaton [a-z]/.test(hint);

/** Shows an error in the server's own sentence, next to the part of the page that the error is about. */
export const Trouble = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : (
    <Sentence text={visible(isNotFound(error) && namesCommand(error.body.hint) ? error.message : sentenceOf(error))} />
  );

function Sentence({ text }: { readonly text: string }) {
  const element = useRef<HTMLParagraphElement>(null);
  // The buttons of a long dialog cover its lower end, so scroll an error that appears below the buttons into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll again when another error replaces this one
  useEffect(() => {
    if (element.current?.closest('dialog')) element.current.scrollIntoView({ block: 'nearest' });
  }, [text]);
  return (
    <p
      ref={element}
      role="alert"
      className="rounded-lg border border-red/40 bg-red-soft px-3 py-2 text-sm text-red wrap-anywhere"
    >
      {text}
    </p>
  );
}
