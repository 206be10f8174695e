import { Component, lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { Loading } from '../spinner.tsx';
import { tooLong, whyNotRendered } from './can-render.ts';
import { RawText } from './raw-text.tsx';
import { splitMarkdown } from './split-markdown.ts';

const MarkdownView = lazy(() => import('./markdown-view.tsx'));

/**
 * The only component that shows Markdown. The text comes from an agent that may have read hostile text. So HTML and
 * images stay text, only web and mail addresses become links, and no character is hidden.
 */
export function Markdown({ text, label }: { readonly text: string; readonly label: string }) {
  const why = tooLong(text);
  if (why !== undefined) return <AsItIs text={text} label={label} why={why} />;
  return (
    <Suspense fallback={<Loading what="Rendering" />}>
      <Pieces key={text} text={text} label={label} />
    </Suspense>
  );
}

/** Renders the pieces one after the other, so that the page stays usable meanwhile. */
function Pieces({ text, label }: { readonly text: string; readonly label: string }) {
  const pieces = useMemo(() => splitMarkdown(text.replace(/\r\n?/g, '\n')), [text]);
  const [shown, setShown] = useState(1);
  useEffect(() => {
    if (shown >= pieces.length) return;
    const timer = setTimeout(() => setShown(shown + 1), 16);
    return () => clearTimeout(timer);
  }, [shown, pieces]);
  return (
    <div className="max-w-[75ch] space-y-3 wrap-anywhere">
      {pieces.slice(0, shown).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change their places
        <Piece key={index} text={piece} label={label} isFirst={index === 0} />
      ))}
      {shown < pieces.length && <Loading what="Rendering the rest" />}
    </div>
  );
}

interface PieceProps {
  readonly text: string;
  readonly label: string;
  readonly isFirst: boolean;
}

function Piece({ text, label, isFirst }: PieceProps) {
  const why = useMemo(() => whyNotRendered(text), [text]);
  if (why !== undefined) return <AsItIs text={text} label={label} why={why} />;
  return (
    <Guard instead={<AsItIs text={text} label={label} why="This part could not be rendered" />}>
      <MarkdownView text={text} isFirst={isFirst} />
    </Guard>
  );
}

const AsItIs = ({ text, label, why }: { readonly text: string; readonly label: string; readonly why: string }) => (
  <div>
    <p className="mb-3 rounded-lg bg-amber-soft px-3 py-2 text-sm text-amber">{why}, so it is shown as plain text.</p>
    <RawText text={text} label={label} className="max-h-[65dvh] rounded-lg border border-line bg-sunken" />
  </div>
);

/** Catches errors of the renderer, because a broken document must not break the page. */
class Guard extends Component<{ readonly instead: ReactNode; readonly children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.instead : this.props.children;
  }
}
