import { oneLine } from './one-line.ts';
import type { PlanItem } from './plan-file.ts';

export function stepNote(item: PlanItem, upcoming: string | undefined): string {
  return lines(
    `# Step ${item.number}: ${item.text}`,
    '',
    '## What this step is for',
    `The plan asks for "${item.text}". I did only this item, so that the result can be checked separately.`,
    '',
    '## What I did',
    `- Read PLAN.md and found item ${item.number} open.`,
    '- Wrote down the outcome here instead of spreading it over other files.',
    '- Ticked the item in PLAN.md.',
    '',
    '## What follows',
    upcoming === undefined ? 'Nothing: this was the last open item.' : `Next comes "${upcoming}".`,
  );
}

export function taskNote(task: string): string {
  return lines(
    '# Note',
    '',
    '## What I was asked',
    oneLine(task),
    '',
    '## What I make of it',
    '- There is no PLAN.md, so this note is the whole result.',
    '- If more is wanted, a plan with open items would let me go on step by step.',
  );
}

function lines(...all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
