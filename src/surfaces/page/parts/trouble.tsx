import { sentenceOf } from '../api/call.ts';
import { visible } from './markdown/visible-text.ts';

/** Shows an error in the server's own sentence, next to the part of the page that the error is about. */
export const Trouble = ({ error }: { readonly error: unknown }) =>
  error === null || error === undefined ? null : (
    <p role="alert" className="rounded-lg border border-red/40 bg-red-soft px-3 py-2 text-sm text-red wrap-anywhere">
      {visible(sentenceOf(error))}
    </p>
  );
