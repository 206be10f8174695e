import { Component, lazy, type ReactNode, Suspense } from 'react';
import { canRender } from './can-render.ts';
import { RawText } from './raw-text.tsx';
import { Loading } from './spinner.tsx';

const MarkdownView = lazy(() => import('./markdown-view.tsx'));

/**
 * The one way in which Markdown is shown. It was written by an agent, which may have read anything: no HTML of it, no
 * image and no other address than the web's comes alive, and no character hides.
 */
export function Markdown({ text, label }: { readonly text: string; readonly label: string }) {
  const why = canRender(text);
  if (why !== undefined) return <AsItIs text={text} label={label} why={why} />;
  return (
    <Guard key={text} instead={<AsItIs text={text} label={label} why="It could not be rendered" />}>
      <Suspense fallback={<Loading what="Rendering" />}>
        <MarkdownView text={text} />
      </Suspense>
    </Guard>
  );
}

const AsItIs = ({ text, label, why }: { readonly text: string; readonly label: string; readonly why: string }) => (
  <>
    <p className="mb-3 rounded-lg bg-amber-soft px-3 py-2 text-sm text-amber">{why}, so it is shown as it is.</p>
    <RawText text={text} label={label} className="max-h-[70dvh] rounded-lg border border-line bg-sunken" />
  </>
);

/** A document that breaks the renderer must not take the page with it. */
class Guard extends Component<{ readonly instead: ReactNode; readonly children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? this.props.instead : this.props.children;
  }
}
