import type { PackageContents } from '../../../../contract/packages/package-resources.ts';
import { Fold } from '../../parts/fold.tsx';
import { visible } from '../../parts/markdown/visible-text.ts';
import { ScrollRegion } from '../../parts/scroll/scroll-region.tsx';

type Content = PackageContents['artifacts'][number];

/** Shows the files that a decision is about: as they are now, or how they differ from the submitted content. */
export const GateFiles = ({ files }: { readonly files: readonly Content[] }) =>
  files.map((file) =>
    file.state === 'as_sealed' ? (
      <Fold key={file.path} className="mb-3" summary={`Show ${visible(file.path)}`}>
        <Text label={`Content of ${file.path}`} text={file.now.text} whyNot={file.now.why_not} />
      </Fold>
    ) : (
      <Changed key={file.path} file={file} />
    ),
  );

function Changed({ file: { path, sealed, now, diff } }: { readonly file: Content }) {
  return (
    <figure className="mb-3 min-w-0">
      <figcaption className="mb-1 text-sm wrap-anywhere text-muted">
        {visible(path)}: − as submitted, + as it is now
      </figcaption>
      <Text isDiff label={`Changes of ${path}`} text={diff} whyNot={now.why_not ?? sealed.why_not} />
    </figure>
  );
}

/** Returns the color of a line in a diff. A changed line also begins with + or -. */
const lookOf = (line: string): string | undefined =>
  line.startsWith('+') ? 'bg-green-soft text-green' : line.startsWith('-') ? 'bg-red-soft text-red' : undefined;

const Text = ({
  label,
  text,
  whyNot,
  isDiff = false,
}: {
  readonly isDiff?: boolean;
  readonly label: string;
  readonly text: string | null;
  readonly whyNot: string | null;
}) =>
  text === null ? (
    <p className="text-sm text-muted">Cannot be shown: {visible(whyNot ?? '')}.</p>
  ) : (
    <ScrollRegion label={visible(label)} className="max-h-80 rounded-lg border border-line bg-bg p-2">
      <pre className="text-xs">
        {text
          .replace(/\n$/, '')
          .split('\n')
          .map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one text never change their places
            <span key={index} className={isDiff ? lookOf(line) : undefined}>
              {`${visible(line)}\n`}
            </span>
          ))}
      </pre>
    </ScrollRegion>
  );
