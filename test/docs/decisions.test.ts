import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDER = fileURLToPath(new URL('../../docs/decisions', import.meta.url));
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const NAMES = readdirSync(FOLDER).filter((name) => name !== 'README.md');

/**
 * Returns the row of the index for one decision. Returns undefined if the page of the decision has no valid status or
 * date, or if its number differs from its file name.
 */
function rowOf(name: string, text: string): string | undefined {
  const [, number, title] = /^# (\d+)\. (.+)\n/.exec(text) ?? [];
  const [, status] = /^- Status: ((?:accepted|superseded by \d+|renewed 20\d\d-\d\d-\d\d)\b.*)$/m.exec(text) ?? [];
  const [, date] = /^- Date: (20\d\d-\d\d-\d\d)$/m.exec(text) ?? [];
  if (title === undefined || status === undefined || date === undefined) return undefined;
  return name.startsWith(`${String(number).padStart(4, '0')}-`)
    ? `| [${number}](${name}) | ${title} | ${status} | ${date} |`
    : undefined;
}

describe('the pages of docs/decisions', () => {
  it.each(NAMES)('the decision page %s contains its number, a status and a date', (name) => {
    expect(rowOf(name, read(name))).toBeDefined();
  });

  it('all decision pages are in the index, in the order of their numbers', () => {
    const rows = read('README.md')
      .split('\n')
      .filter((line) => line.startsWith('| ['));
    expect(rows).toEqual(NAMES.sort().map((name) => rowOf(name, read(name))));
  });

  it('a decision page is refused if its status or date is wrong or its number differs from its file name', () => {
    const page = '# 7. Title\n\n- Status: accepted\n- Date: 2026-01-02\n';
    expect(rowOf('0007-title.md', page)).toBe('| [7](0007-title.md) | Title | accepted | 2026-01-02 |');
    for (const wrong of [page.replace('accepted', 'maybe'), page.replace('2026-01-02', 'soon'), page.replace('7', '8')])
      expect(rowOf('0007-title.md', wrong)).toBeUndefined();
  });
});
