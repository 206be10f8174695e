import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { ScrollRegion } from '../parts/scroll/scroll-region.tsx';
import { compareLines } from './compare-lines.ts';
import type { EditedText } from './use-text-draft.ts';

/**
 * Shown if somebody else has saved the text while the operator was editing it. A save then overwrites the other
 * person's text only after the operator has confirmed.
 */
export function ChangedMeanwhile({ edited }: { readonly edited: EditedText }) {
  const { name, kept, text, busy } = edited;
  return (
    <section aria-labelledby={`${name}-changed`} className="mb-4 rounded-xl border border-amber/50 bg-amber-soft p-4">
      <div role="alert">
        <h2 id={`${name}-changed`} className="font-semibold text-amber">
          Someone else changed {name}.md while you were editing it
        </h2>
      </div>
      <p className="mt-1 text-sm">
        Nothing is lost: your version is in the editor, and the other version is on disk. Load the other version and
        keep yours to compare, or replace the other version with yours.
      </p>
      <Comparison before={kept.text ?? ''} after={text} what="Changes from the other version (−) to your version (+)" />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button small onClick={edited.loadTheirs}>
          Load theirs, keep mine to compare
        </Button>
        <Button small kind="danger" busy={busy} onClick={edited.saveOver}>
          Replace theirs with mine
        </Button>
      </div>
    </section>
  );
}

/**
 * The operator's own text. It stays visible for comparison when the editor shows the text that somebody else has saved.
 */
export function MyCopy({ edited, copy }: { readonly edited: EditedText; readonly copy: string }) {
  return (
    <section aria-label="Your version" className="mb-4 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">Your version, kept to compare</h2>
        <div className="flex flex-wrap gap-1">
          <CopyButton text={copy} what="your version" />
          <Button small kind="quiet" onClick={edited.takeCopyBack}>
            Restore to editor
          </Button>
          <Button small kind="quiet" onClick={edited.putCopyAway}>
            Discard my version
          </Button>
        </div>
      </div>
      <Comparison before={edited.text} after={copy} what="Changes from the editor (−) to your version (+)" />
    </section>
  );
}

const LOOK = { same: 'text-muted', removed: 'bg-red-soft text-red', added: 'bg-green-soft text-green' } as const;
const SIGN = { same: ' ', removed: '−', added: '+' } as const;

function Comparison({
  before,
  after,
  what,
}: {
  readonly before: string;
  readonly after: string;
  readonly what: string;
}) {
  const lines = compareLines(before, after);
  return (
    <figure className="mt-3">
      <figcaption className="mb-1 text-sm text-muted">{what}</figcaption>
      <ScrollRegion
        label={what}
        className="max-h-64 overflow-auto rounded-lg border border-line bg-panel py-2 font-mono text-sm"
      >
        {lines.map(({ kind, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
          <div key={at} className={`px-3 wrap-anywhere whitespace-pre-wrap ${LOOK[kind]}`}>
            {SIGN[kind]} {visible(text)}
          </div>
        ))}
      </ScrollRegion>
    </figure>
  );
}
