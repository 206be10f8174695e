import { Fragment } from 'react';
import { shortenPaths } from '../../../../contract/words/shorten-paths.ts';
import { visible } from '../markdown/visible-text.ts';

/**
 * Shows a sentence in which long paths are shortened to their last part. The tooltip has the whole path. The ID of a
 * package is never broken at its hyphens.
 */
export const ShortPaths = ({ text }: { readonly text: string }) =>
  shortenPaths(text).map(({ shown, path }, index) =>
    path === null ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a sentence is identified by its position
      <Fragment key={index}>{wholeIds(shown)}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a sentence is identified by its position
      <code key={index} title={visible(path)} className="font-mono text-[0.95em]">
        {visible(shown)}
      </code>
    ),
  );

const PACKAGE_ID = /(HO-\d{4}-\d{3,})/;

/** Splits the text at the IDs. The pattern is a group, so `split` also returns the IDs, as every second part. */
const wholeIds = (text: string) =>
  text.split(PACKAGE_ID).map((part, index) =>
    index % 2 === 0 ? (
      visible(part)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a sentence is identified by its position
      <span key={index} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
