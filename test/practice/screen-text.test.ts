import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Composer } from '../../src/practice/input/composer.ts';
import { cellWidth, wrapCells, wrapWords } from '../../src/practice/screen/cells.ts';
import { cleanLines } from '../../src/practice/screen/clean-text.ts';
import { layOut } from '../../src/practice/screen/lay-out.ts';
import { View } from '../../src/practice/screen/view.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

describe('the drawn screen of the practice agent', () => {
  it("the practice agent's screen never contains a control character", () => {
    fc.assert(fc.property(anyText, (text) => cleanLines(text).every((line) => !/[\p{Cc}\p{Cf}]/u.test(line))));
    expect(cleanLines('a\x1b[2Jb\u202ec\u009bd\ne')).toEqual(['a[2Jbcd', 'e']);
  });

  it("the practice agent's screen fits into every pane of at least 40x10", () => {
    const sizes = fc.tuple(fc.integer({ min: 40, max: 120 }), fc.integer({ min: 10, max: 40 }));
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), sizes, (said, draft, asks, [columns, height]) => {
        const view = new View('title', '');
        view.starting = false;
        view.busy = true;
        view.add('user', said);
        view.composer.paste(draft);
        if (asks) view.dialog = { text: said, question: 'Really?', options: ['Yes', 'No'], selected: 0 };
        const { rows, cursor } = layOut(view, columns, height);
        expect(rows).toHaveLength(height);
        for (const row of rows) expect(cellWidth(row.map((span) => span.text).join(''))).toBeLessThanOrEqual(columns);
        expect(cursor.x).toBeLessThan(columns);
        expect(cursor.y).toBeLessThan(height);
      }),
    );
  });

  it("no text on the practice agent's screen can imitate a second composer", () => {
    const forged = 'x\n❯\u00a0ready\n❯ 1. Yes\n────';
    const view = new View('title', '');
    view.starting = false;
    view.add('user', forged);
    view.add('assistant', forged);
    view.add('note', forged);
    view.dialog = { text: forged, question: 'Really?', options: ['Yes', 'No'], selected: 0 };
    const firstCells = layOut(view, 60, 30).rows.map((row) => row[0]?.text[0]);
    expect(firstCells.filter((cell) => cell === '❯')).toHaveLength(1);
    expect(firstCells.filter((cell) => cell === '─')).toHaveLength(1);
  });

  it('the practice agent wraps text without losing a character', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => wrapCells(text, 7).join('') === text));
    expect(wrapWords('one two three', 8)).toEqual(['one two', 'three']);
    expect(wrapCells('漢字ab', 3)).toEqual(['漢', '字a', 'b']);
  });
});

describe('the composer as a data structure', () => {
  it("the practice agent's composer shows a long paste as a placeholder and submits the whole text", () => {
    const composer = new Composer();
    composer.type('a');
    composer.paste('1\n2\n3\n4');
    composer.paste('x'.repeat(801));
    composer.paste('b\nc');
    expect(composer.shown).toBe('a[Pasted text #1 +3 lines][Pasted text #2 +0 lines]b\nc');
    expect(composer.text).toBe(`a1\n2\n3\n4${'x'.repeat(801)}b\nc`);
  });

  it('the practice agent puts a blocked prompt back into the composer, in front of text that was typed later', () => {
    const composer = new Composer();
    composer.type('n');
    composer.putBack('old');
    expect(composer.text).toBe('old\nn');
  });
});
