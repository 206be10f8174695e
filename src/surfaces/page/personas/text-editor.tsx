import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { classes } from '../parts/class-names.ts';
import { Markdown } from '../parts/markdown/markdown.tsx';
import { visible } from '../parts/markdown/visible-text.ts';
import { ScrollRegion } from '../parts/scroll/scroll-region.tsx';
import { ChangedMeanwhile, MyCopy } from './changed-meanwhile.tsx';
import type { EditedText } from './use-text-draft.ts';

const isSaveKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 's';

type Side = 'write' | 'preview';

/** Shows source and preview side by side; on a narrow screen, shows only one of them. */
export function TextEditor({ edited, hint }: { readonly edited: EditedText; readonly hint: string }) {
  const { name, kept, text, outdated } = edited;
  const [side, setSide] = useState<Side>('write');
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isSaveKey(event)) return;
    event.preventDefault();
    edited.save();
  };
  if (kept.problem !== undefined)
    return <p className="rounded-lg bg-amber-soft px-4 py-3 text-amber wrap-anywhere">{visible(kept.problem)}</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the element only listens for the shortcut that saves the text
    <div onKeyDown={onKeyDown}>
      <div className="my-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="basis-full text-sm text-muted lg:flex-1 lg:basis-0">{hint}</p>
        <Sides side={side} onSide={setSide} />
        <SaveButtons edited={edited} />
      </div>
      {outdated && <ChangedMeanwhile edited={edited} />}
      {edited.copy !== null && <MyCopy edited={edited} copy={edited.copy} />}
      <div className="grid gap-4 lg:grid-cols-2">
        <Source edited={edited} className={classes(side === 'preview' && 'max-lg:hidden')} />
        <Preview name={name} text={text} className={classes(side === 'write' && 'max-lg:hidden')} />
      </div>
    </div>
  );
}

const SaveButtons = ({ edited: { name, unsaved, outdated, busy, save, discard } }: { readonly edited: EditedText }) => (
  <div className="ml-auto flex items-center gap-2">
    <span role="status" className="sr-only">
      {unsaved && 'Unsaved changes'}
    </span>
    <Button
      small
      kind="quiet"
      disabled={!unsaved || busy}
      aria-label={`Discard changes to ${name}.md`}
      onClick={discard}
    >
      Discard changes
    </Button>
    <Button
      small
      kind="primary"
      busy={busy}
      disabled={!unsaved || outdated}
      aria-label={`Save ${name}.md`}
      aria-keyshortcuts="Control+S Meta+S"
      title="Ctrl+S or ⌘S"
      onClick={save}
    >
      Save
    </Button>
  </div>
);

const Sides = ({ side, onSide }: { readonly side: Side; readonly onSide: (side: Side) => void }) => (
  <div className="inline-flex rounded-lg border border-line-strong p-0.5 lg:hidden">
    {(['write', 'preview'] as const).map((each) => (
      <button
        key={each}
        type="button"
        aria-pressed={side === each}
        onClick={() => onSide(each)}
        className="min-h-[44px] rounded-md px-2.5 text-sm md:min-h-9 text-muted aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-ink"
      >
        {each === 'write' ? 'Write' : 'Preview'}
      </button>
    ))}
  </div>
);

/** The Tab key leaves the editor, as it leaves every field, so that keyboard users are not trapped. */
function Source({ edited, className }: { readonly edited: EditedText; readonly className: string }) {
  const { name, kept, text } = edited;
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {name}.md
      </label>
      <textarea
        id={id}
        value={text}
        onChange={(event) => edited.type(event.target.value)}
        placeholder={kept.text === null ? `No ${name}.md yet. Write Markdown here.` : 'Markdown'}
        spellCheck={false}
        maxLength={200_000}
        className="h-[26rem] w-full resize-y rounded-xl border border-line-strong bg-panel p-4 font-mono text-[0.87rem] leading-relaxed lg:h-[calc(100dvh-24rem)] lg:min-h-[26rem]"
      />
    </div>
  );
}

function Preview({
  name,
  text,
  className,
}: {
  readonly name: string;
  readonly text: string;
  readonly className: string;
}) {
  // The preview is deferred, so that rendering it does not slow down typing.
  const shown = useDeferredValue(text);
  return (
    <div className={className}>
      <h2 className="mb-1 text-sm font-medium max-lg:sr-only">Preview</h2>
      <ScrollRegion
        label={`Preview of ${name}.md`}
        className="h-[26rem] overflow-auto rounded-xl border border-line bg-panel p-4 lg:h-[calc(100dvh-24rem)] lg:min-h-[26rem]"
      >
        {shown.trim() === '' ? (
          <p className="text-muted">Nothing to preview yet.</p>
        ) : (
          <Markdown text={shown} label={`${name}.md`} />
        )}
      </ScrollRegion>
    </div>
  );
}
