/** A section of a handoff document that describes decisions. */
export interface DecisionSection {
  /** The number of the heading's line, counted from 1. */
  readonly line: number;
  readonly text: string;
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const ABOUT_DECISIONS = /\b(decisions?|decided)\b/i;
const FENCE = /^\s{0,3}(```|~~~)/;

/**
 * Finds the headings about decisions in a Markdown document. Returns the section below each of these headings, with its
 * subsections.
 */
export function decisionSections(document: string): readonly DecisionSection[] {
  const sections: { readonly line: number; readonly depth: number; readonly lines: string[] }[] = [];
  let current: (typeof sections)[number] | undefined;
  let isCode = false;
  document.split(/\r?\n/).forEach((line, index) => {
    if (FENCE.test(line)) isCode = !isCode;
    const [, marks = '', title = ''] = isCode ? [] : (HEADING.exec(line) ?? []);
    const depth = marks.length;
    if (depth > 0 && current !== undefined && depth <= current.depth) current = undefined;
    if (depth > 0 && current === undefined && ABOUT_DECISIONS.test(title)) {
      current = { line: index + 1, depth, lines: [] };
      sections.push(current);
    }
    current?.lines.push(line);
  });
  return sections
    .filter(({ lines }) => lines.slice(1).some((line) => line.trim() !== ''))
    .map(({ line, lines }) => ({ line, text: lines.join('\n').trimEnd() }));
}
