import { visible } from './visible-text.ts';

/** A node of the HTML tree that the Markdown was converted to, with only the fields that this code needs. */
export interface TreeNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
}

const ADDRESS = /^(?:https?:\/\/|mailto:)/i;

const text = (value: string): TreeNode => ({ type: 'text', value: visible(value) });
const code = (value: string): TreeNode => ({
  type: 'element',
  tagName: 'code',
  properties: {},
  children: [text(value)],
});

/**
 * Shows unsafe nodes (HTML, images, links outside the web) as text, so that none of them is active and none is hidden.
 */
export const harmless = () => (tree: TreeNode) => mend(tree);

function mend(node: TreeNode): void {
  if (node.children === undefined) return;
  node.children = node.children.flatMap((child) => {
    mend(child);
    return harmlessly(child, node);
  });
}

function harmlessly(node: TreeNode, parent: TreeNode): TreeNode[] {
  if (node.type === 'text') return [text(node.value ?? '')];
  if (node.type === 'raw' || node.type === 'comment') return [html(node.value ?? '', parent)];
  if (node.tagName === 'img') return [code(imageInWords(node.properties ?? {}))];
  if (node.tagName === 'input') return [text(node.properties?.checked ? '☑ ' : '☐ ')];
  if (node.tagName === 'a') return link(node);
  return [node];
}

/** Shows HTML from the document as source text. */
const html = (value: string, { tagName }: TreeNode): TreeNode =>
  tagName === undefined || tagName === 'blockquote' || tagName === 'li'
    ? { type: 'element', tagName: 'pre', properties: {}, children: [code(value)] }
    : code(value);

const imageInWords = ({ alt, src }: Record<string, unknown>): string =>
  `[image${alt ? `: ${String(alt)}` : ''}, not loaded: ${String(src ?? '')}]`;

/** Shows an address as text and not as a link, unless it is a web or mail address. */
function link(node: TreeNode): TreeNode[] {
  const { href, dataFootnoteRef, dataFootnoteBackref } = node.properties ?? {};
  if (typeof href === 'string' && ADDRESS.test(href)) return [node];
  if (dataFootnoteBackref !== undefined) return [];
  const children = node.children ?? [];
  return dataFootnoteRef !== undefined ? children : [...children, text(' '), code(`(${String(href ?? '')})`)];
}

/**
 * Moves headings to levels below the page's own headings. Closes gaps between the levels, because screen readers need
 * levels without gaps.
 */
export const headingsBelowThePage =
  ({ isFirst }: { readonly isFirst: boolean }) =>
  (tree: TreeNode) => {
    // A later piece of a long text may begin with a heading of any level, because this function does not know the last
    // heading of the previous piece.
    let before = isFirst ? PAGE_LEVELS : DEEPEST_LEVEL;
    for (const heading of headingsIn(tree)) {
      const level = Number(heading.tagName?.slice(1)) + PAGE_LEVELS;
      before = Math.min(level, before + 1, DEEPEST_LEVEL);
      heading.tagName = `h${before}`;
    }
  };

const PAGE_LEVELS = 2;
const DEEPEST_LEVEL = 6;

function* headingsIn(node: TreeNode): Generator<TreeNode> {
  if (node.tagName !== undefined && /^h[1-6]$/.test(node.tagName)) yield node;
  else for (const child of node.children ?? []) yield* headingsIn(child);
}
