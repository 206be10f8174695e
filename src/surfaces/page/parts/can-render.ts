/** Parsing takes more than its share of time beyond these, and the page would stand still meanwhile. */
const LONGEST = 200_000;
const DEEPEST = 60;
const LONGEST_LINE = 20_000;

/** Quotes and lists within each other; each level is parsed again for every line. */
const NESTING = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))+/;
const MARK = />|[-*+]|\d+[.)]/g;

/** Why a Markdown text is not rendered; undefined if it is. */
export function canRender(text: string): string | undefined {
  if (text.length > LONGEST) return `This text is long (${Math.round(text.length / 1_000)} kB)`;
  for (const line of text.split('\n')) {
    if (line.length > LONGEST_LINE) return 'This text has a very long line';
    if (depthOf(line) > DEEPEST) return 'This text is nested very deeply';
  }
  return undefined;
}

const depthOf = (line: string): number => NESTING.exec(line)?.[0].match(MARK)?.length ?? 0;
