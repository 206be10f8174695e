import { shortenPaths } from '../../../../contract/words/shorten-paths.ts';
import { visible } from '../markdown/visible-text.ts';

/** Shows a sentence in which long paths are shortened to their last part. The tooltip has the whole path. */
export const ShortPaths = ({ text }: { readonly text: string }) =>
  shortenPaths(text).map(({ shown, path }, index) =>
    path === null ? (
      visible(shown)
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a sentence is identified by its position
      <code key={index} title={visible(path)} className="font-mono text-[0.95em]">
        {visible(shown)}
      </code>
    ),
  );
