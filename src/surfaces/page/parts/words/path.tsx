import { Fragment } from 'react';
import { visible } from '../markdown/visible-text.ts';

/** Shows a whole path. A long path breaks after a slash if possible, and not inside a name. */
export const Path = ({ text }: { readonly text: string }) =>
  visible(text)
    .split(/(?<=\/)/)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a path is identified by its position
      <Fragment key={index}>
        {index > 0 && <wbr />}
        {part}
      </Fragment>
    ));
