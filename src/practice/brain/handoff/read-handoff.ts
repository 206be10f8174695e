import type { WrittenFile } from '../memory.ts';
import { oneLine } from '../one-line.ts';

export interface HandoffKnowledge {
  readonly task: string;
  readonly done: readonly string[];
  readonly decisions: readonly string[];
  readonly blockers: readonly string[];
  readonly files: readonly WrittenFile[];
  readonly nextSteps: readonly string[];
}

const HEADING = /^#{1,6}\s+/;
const LIST_ITEM = /^\s*(?:[-*]|\d+[.)])\s+(.*)$/;

/**
 * Reads a handoff document leniently: another kind of agent may have written it, with its own wording under the agreed
 * headings.
 */
export function readHandoff(document: string): HandoffKnowledge {
  const sections = splitSections(document);
  const bodyOf = (start: string) => sections.find(({ heading }) => heading.startsWith(start))?.body ?? [];
  const itemsOf = (start: string) => bodyOf(start).flatMap((line) => LIST_ITEM.exec(line)?.[1] ?? []);
  return {
    task: firstSentence(bodyOf('what i was working on')) ?? 'continue the work described in the handoff',
    done: itemsOf('progress').flatMap((item) => /^Done:\s*(.*)$/.exec(item)?.[1] ?? []),
    decisions: itemsOf('decisions'),
    blockers: itemsOf('blockers'),
    files: itemsOf('files modified').map(toFile),
    nextSteps: itemsOf('next steps'),
  };
}

function splitSections(document: string): { heading: string; body: string[] }[] {
  const sections: { heading: string; body: string[] }[] = [];
  for (const line of document.split('\n')) {
    if (HEADING.test(line)) sections.push({ heading: line.replace(HEADING, '').trim().toLowerCase(), body: [] });
    else sections.at(-1)?.body.push(line);
  }
  return sections;
}

function firstSentence(body: readonly string[]): string | undefined {
  const text = oneLine(body.join(' '), 2000);
  if (text === '') return undefined;
  return oneLine(/^.*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text, 300);
}

function toFile(item: string): WrittenFile {
  const [, path = item, purpose = ''] = /^`?([^`:]+)`?\s*(?::|—|-)?\s*(.*)$/.exec(item) ?? [];
  return { path: path.trim(), purpose };
}
