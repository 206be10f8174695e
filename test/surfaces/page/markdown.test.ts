import { describe, expect, it } from 'vitest';
import { tooLong, whyNotRendered } from '../../../src/surfaces/page/parts/markdown/can-render.ts';
import {
  harmless,
  headingsBelowThePage,
  type TreeNode,
} from '../../../src/surfaces/page/parts/markdown/markdown-tree.ts';
import { splitMarkdown } from '../../../src/surfaces/page/parts/markdown/split-markdown.ts';

const text = (value: string): TreeNode => ({ type: 'text', value });
const element = (tagName: string, properties: TreeNode['properties'], ...children: TreeNode[]): TreeNode => ({
  type: 'element',
  tagName,
  properties: properties ?? {},
  children,
});

/** Writes a tree of tags and texts as HTML without attributes. */
function shown({ tagName, value, children = [] }: TreeNode): string {
  const inside = value ?? children.map(shown).join('');
  return tagName === undefined ? inside : `<${tagName}>${inside}</${tagName}>`;
}

function mended(...children: TreeNode[]): string {
  const tree: TreeNode = { type: 'root', children };
  harmless()(tree);
  return shown(tree);
}

describe('a rendered document', () => {
  it('HTML in a document is shown as text', () => {
    expect(mended({ type: 'raw', value: '<script>x</script>' })).toBe('<pre><code><script>x</script></code></pre>');
    expect(mended(element('p', {}, { type: 'raw', value: '<!-- hidden -->' }))).toBe(
      '<p><code><!-- hidden --></code></p>',
    );
  });

  it('a document never loads images', () => {
    expect(mended(element('img', { alt: 'pixel', src: 'https://evil.example/p' }))).toBe(
      '<code>[image: pixel, not loaded: https://evil.example/p]</code>',
    );
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', '#/settings', '../x', '//evil.example', 'JAVASCRIPT:x'])(
    'the page does not turn the address %s in a document into a link',
    (href) => {
      expect(mended(element('a', { href }, text('click')))).toBe(`click <code>(${href})</code>`);
    },
  );

  it.each(['https://example.com', 'HTTP://example.com', 'mailto:a@example.com'])(
    'the page turns the address %s in a document into a link',
    (href) => {
      expect(mended(element('a', { href }, text('click')))).toBe('<a>click</a>');
    },
  );

  it('invisible characters in a document are made visible', () => {
    expect(mended(element('p', {}, text('a\u202Eb')), element('code', {}, text('\u200B')))).toBe(
      '<p>a⟨U+202E⟩b</p><code>⟨U+200B⟩</code>',
    );
  });

  it("on the page, the headings of a document have lower heading levels than the page's own headings", () => {
    const tree: TreeNode = { type: 'root', children: ['h2', 'h6', 'h1', 'h2'].map((tag) => element(tag, {})) };
    headingsBelowThePage({ isFirst: true })(tree);
    expect(tree.children?.map(({ tagName }) => tagName)).toEqual(['h3', 'h4', 'h3', 'h4']);
  });
});

describe('a long document', () => {
  const part = (title: string) => `# ${title}\n\n${'Words and words.\n'.repeat(500)}\n`;

  it('a long document is split into pieces that begin with headings', () => {
    const whole = part('One') + part('Two') + part('Three');
    const pieces = splitMarkdown(whole);
    expect(pieces.map((piece) => piece.split('\n')[0])).toEqual(['# One', '# Two', '# Three']);
    expect(pieces.join('\n')).toBe(whole);
  });

  it('a long document is never split within code or a list', () => {
    const code = `~~~~\n${'# no heading\n\n'.repeat(1000)}~~~\n~~~~\n\n`;
    const list = '- item\n\n'.repeat(2000);
    expect(splitMarkdown(`${code}After\n\n${list}`)).toHaveLength(2);
  });

  it('each piece of a long document has the link definitions of the whole document', () => {
    const pieces = splitMarkdown(`${part('One')}${part('Two')}[ref]: https://example.com\n`);
    expect(pieces[0]).toContain('[ref]: https://example.com');
  });

  it('a document whose rendering would block the page is shown as plain text', () => {
    expect(tooLong('a'.repeat(200_001))).toContain('200 kB');
    expect(whyNotRendered('a\n'.repeat(10_001))).toContain('very long');
    expect(whyNotRendered('a'.repeat(4_001))).toContain('long line');
    expect(whyNotRendered(`${'> '.repeat(13)}a`)).toContain('nested');
    expect(whyNotRendered(`${' '.repeat(40)}- a`)).toContain('nested');
    expect(whyNotRendered('# Title\n\n> - quoted list\n')).toBeUndefined();
  });
});
