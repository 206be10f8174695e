import { type ComponentProps, memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { classes } from '../class-names.ts';
import { ScrollRegion } from '../scroll/scroll-region.tsx';
import { harmless, headingsBelowThePage } from './markdown-tree.ts';

const SCHEMA: Parameters<typeof rehypeSanitize>[0] = {
  tagNames: [
    ...['p', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 'del'],
    ...['a', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'hr', 'br', 'sup', 'section'],
  ],
  attributes: { a: ['href'], ol: ['start'], th: ['align'], td: ['align'] },
  protocols: { href: ['http', 'https', 'mailto'] },
  strip: ['script', 'style'],
};

type Level = 'h3' | 'h4' | 'h5' | 'h6';

const LOOK: Readonly<Record<Level, string>> = {
  h3: 'mt-7 mb-2 text-lg font-semibold first:mt-0',
  h4: 'mt-6 mb-2 text-base font-semibold first:mt-0',
  h5: 'mt-5 mb-1.5 font-semibold first:mt-0',
  h6: 'mt-4 mb-1 text-sm font-semibold text-muted first:mt-0',
};

const heading = (Tag: Level) =>
  function Heading({ children }: ComponentProps<Level>) {
    return <Tag className={classes(LOOK[Tag], 'wrap-anywhere')}>{children}</Tag>;
  };

const COMPONENTS: Components = {
  h3: heading('h3'),
  h4: heading('h4'),
  h5: heading('h5'),
  h6: heading('h6'),
  p: ({ children }) => <p className="my-3 first:mt-0 last:mb-0">{children}</p>,
  ul: ({ children }) => <ul className="my-3 list-disc space-y-1 pl-6">{children}</ul>,
  ol: ({ children, start }) => (
    <ol start={start} className="my-3 list-decimal space-y-1 pl-6">
      {children}
    </ol>
  ),
  blockquote: ({ children }) => (
    <blockquote className="my-3 border-l-3 border-line-strong pl-4 text-muted">{children}</blockquote>
  ),
  a: ({ children, href }) => (
    <a
      href={href}
      title={href}
      rel="noopener noreferrer"
      target="_blank"
      className="text-accent underline underline-offset-2 hover:text-accent-hover"
    >
      {children}
    </a>
  ),
  code: ({ children }) => (
    <code className="rounded bg-sunken px-1 py-0.5 font-mono text-[0.85em] [overflow-wrap:anywhere]">{children}</code>
  ),
  pre: ({ children }) => (
    <ScrollRegion label="Code" className="my-3 rounded-lg border border-line bg-sunken p-3">
      <pre className="text-sm leading-5 [&_code]:bg-transparent [&_code]:p-0">{children}</pre>
    </ScrollRegion>
  ),
  table: ({ children }) => (
    <ScrollRegion label="Table" className="my-3">
      <table className="min-w-full border-collapse text-sm">{children}</table>
    </ScrollRegion>
  ),
  th: ({ children, style }) => (
    <th style={style} className="border-b border-line-strong px-3 py-1.5 text-left font-semibold">
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td style={style} className="border-b border-line px-3 py-1.5 align-top">
      {children}
    </td>
  ),
  hr: () => <hr className="my-6 border-line" />,
};

const REMARK = [remarkGfm];
type Plugins = ComponentProps<typeof ReactMarkdown>['rehypePlugins'];
const rehype = (isFirst: boolean): Plugins => [harmless, [headingsBelowThePage, { isFirst }], [rehypeSanitize, SCHEMA]];
const FIRST = rehype(true);
const LATER = rehype(false);

/** Renders Markdown. Used only by markdown.tsx, which decides whether a text is rendered at all. */
export default memo(function MarkdownView({ text, isFirst }: { readonly text: string; readonly isFirst: boolean }) {
  return (
    <div>
      <ReactMarkdown remarkPlugins={REMARK} rehypePlugins={isFirst ? FIRST : LATER} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
});
