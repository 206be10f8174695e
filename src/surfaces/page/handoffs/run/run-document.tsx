import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { Run } from '../../../../contract/resources.ts';
import { handoffQuery } from '../../api/queries.ts';
import { Button } from '../../parts/button.tsx';
import { classes } from '../../parts/class-names.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Markdown } from '../../parts/markdown/markdown.tsx';
import { RawText } from '../../parts/markdown/raw-text.tsx';
import { Empty, Panel } from '../../parts/panel.tsx';
import { ScrollRegion } from '../../parts/scroll/scroll-region.tsx';
import { Loading } from '../../parts/spinner.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Trouble } from '../../parts/trouble.tsx';
import { Path } from '../../parts/words/path.tsx';
import { ShortPaths } from '../../parts/words/short-paths.tsx';

export interface DocumentView {
  readonly tab: string;
  /** The line that a finding refers to, highlighted in the raw text; null if no line is highlighted. */
  readonly line: number | null;
}

interface RunDocumentProps {
  readonly run: Run;
  readonly view: DocumentView;
  readonly onView: (view: DocumentView) => void;
}

/** The document as Baton stored it, rendered and raw. */
export function RunDocument({ run, view, onView }: RunDocumentProps) {
  if (run.handoff_id === null) return <NoDocument run={run} />;
  return <RecordedDocument run={run} handoffId={run.handoff_id} view={view} onView={onView} />;
}

function NoDocument({ run }: { readonly run: Run }) {
  if (run.document === null) return <Empty title="No document yet" />;
  return (
    <Empty title={run.over ? 'No verified document' : 'No document yet'}>
      Expected at <ShortPaths text={run.document.absolute_path} />
    </Empty>
  );
}

function RecordedDocument({ run, handoffId, view, onView }: RunDocumentProps & { readonly handoffId: number }) {
  const { data: handoff, error } = useQuery(handoffQuery(handoffId));
  if (handoff === undefined) return error === null ? <Loading what="Loading document" /> : <Trouble error={error} />;
  const text = handoff.document_text;
  if (handoff.document_problem !== null)
    return <Empty title="Document cannot be shown">{handoff.document_problem}</Empty>;
  if (text === null)
    return (
      <Empty title="No document was written">
        {run.emergency
          ? 'The agent ended before it could write a document. The successor got what Baton knew: see the handoff prompt below.'
          : 'Baton has no text of a document for this handoff.'}
      </Empty>
    );
  return (
    <Panel>
      <Tabs
        label="Document"
        value={view.tab}
        onChange={(tab) => onView({ tab, line: null })}
        aside={<CopyButton text={text} what={`document of handoff ${run.id}`} />}
        tabs={[
          { value: 'rendered', title: 'Rendered', content: <Rendered text={text} runId={run.id} /> },
          {
            value: 'raw',
            title: 'Raw',
            content: <RawText text={text} label="Raw document" line={view.line} className="max-h-[75dvh]" />,
          },
        ]}
      />
      <DocumentFacts run={run} />
    </Panel>
  );
}

const END_MARKER = /<!-- handoff-end:[\w-]{1,100} -->\s*$/;

/**
 * The document without its end marker. On a wide screen a long document is cut off, so that the prompts below it stay
 * near. A fade and a button tell the operator that there is more to read.
 */
function Rendered({ text, runId }: { readonly text: string; readonly runId: number }) {
  const [isWhole, setWhole] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isCut = useIsCut(region, content);
  const showWhole = (): void => {
    setWhole(true);
    // The button goes away, so move the focus to the document.
    region.current?.focus({ preventScroll: true });
  };
  return (
    <>
      <ScrollRegion
        ref={region}
        label="Rendered document"
        className={classes('relative', !isWhole && 'overscroll-contain xl:max-h-[75dvh]')}
      >
        <div ref={content} className="p-4 md:p-6">
          <Markdown text={text.replace(END_MARKER, '')} label="Document" />
        </div>
        {isCut && (
          <div
            aria-hidden="true"
            className="pointer-events-none sticky bottom-0 -mt-6 h-12 bg-linear-to-t from-panel to-transparent"
          />
        )}
      </ScrollRegion>
      {isCut && (
        <div className="border-t border-line px-4 py-2 text-center">
          <Button small kind="quiet" aria-label={`Show whole document of handoff ${runId}`} onClick={showWhole}>
            Show whole document
          </Button>
        </div>
      )}
    </>
  );
}

/** Returns true while the content is higher than the region that shows it. */
function useIsCut(region: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): boolean {
  const [isCut, setCut] = useState(false);
  useEffect(() => {
    const [outer, inner] = [region.current, content.current];
    if (outer === null || inner === null) return;
    const observer = new ResizeObserver(() => setCut(inner.offsetHeight > outer.clientHeight + 1));
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [region, content]);
  return isCut;
}

function DocumentFacts({ run: { id, document } }: { readonly run: Run }) {
  if (document === null) return null;
  return (
    <Fold summary="Details" className="border-t border-line px-4 py-1.5">
      <dl className="grid gap-x-4 gap-y-1.5 pb-2 text-sm sm:grid-cols-[6rem_1fr]">
        <Fact name="Path">
          <span className="flex items-start justify-between gap-2">
            <code className="py-1 font-mono wrap-anywhere">
              <Path text={document.absolute_path} />
            </code>
            <CopyButton text={document.absolute_path} what={`path of the document of handoff ${id}`} />
          </span>
        </Fact>
        {document.bytes !== null && <Fact name="Size">{document.bytes.toLocaleString()} bytes</Fact>}
        {document.sha256 !== null && (
          <Fact name="SHA-256">
            <code className="font-mono break-all">{document.sha256}</code>
          </Fact>
        )}
        {document.marker_found !== null && (
          <Fact name="End marker">
            {document.marker_found ? 'found (document complete)' : 'missing (document may be cut off)'}
          </Fact>
        )}
      </dl>
    </Fold>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0">{children}</dd>
  </>
);
