export interface PlanItem {
  readonly number: number;
  readonly text: string;
  readonly open: boolean;
  readonly line: string;
}

const ITEM = /^\s*- \[([ xX])\] (.*\S)\s*$/;

export function parsePlan(markdown: string): PlanItem[] {
  const items: PlanItem[] = [];
  for (const line of markdown.split('\n')) {
    const match = ITEM.exec(line);
    if (match) items.push({ number: items.length + 1, text: match[2] ?? '', open: match[1] === ' ', line });
  }
  return items;
}

export function openItems(items: readonly PlanItem[]): PlanItem[] {
  return items.filter((item) => item.open);
}

export function tick(markdown: string, item: PlanItem): string {
  const lines = markdown.split('\n');
  const index = lines.indexOf(item.line);
  if (index >= 0) lines[index] = item.line.replace('- [ ]', '- [x]');
  return lines.join('\n');
}
