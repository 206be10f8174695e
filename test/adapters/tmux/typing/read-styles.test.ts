import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { readStyles } from '../../../../src/adapters/tmux/typing/read-styles.ts';
import { createRig, until } from '../rig.ts';

const rig = createRig();
afterAll(() => rig.stop());

const ESC = '\u001b';
const one = (line: string, columns = 80) => readStyles([line], columns)[0] ?? [];

describe('[T14] readStyles', () => {
  it.each([
    ['plain', [{ text: 'plain', style: '' }]],
    [
      `${ESC}[1;31mred${ESC}[0m on`,
      [
        { text: 'red', style: 'bold fg-1' },
        { text: ' on', style: '' },
      ],
    ],
    [`${ESC}[38;5;196mx`, [{ text: 'x', style: 'fg-#ff0000' }]],
    [`${ESC}[38;5;9mx`, [{ text: 'x', style: 'fg-9' }]],
    [`${ESC}[48;5;240mx`, [{ text: 'x', style: 'bg-#585858' }]],
    [
      `${ESC}[38;2;1;2;3mx${ESC}[39my`,
      [
        { text: 'x', style: 'fg-#010203' },
        { text: 'y', style: '' },
      ],
    ],
    [`${ESC}[38:2::1:2:3mx`, [{ text: 'x', style: 'fg-#010203' }]],
    [`${ESC}[97;44mx`, [{ text: 'x', style: 'fg-15 bg-4' }]],
    [
      `${ESC}[4;7mx${ESC}[24;27my`,
      [
        { text: 'x', style: 'inverse underline' },
        { text: 'y', style: '' },
      ],
    ],
    // The parser must drop blanks at the end of a line, unless a background color makes the blanks visible.
    [`x${ESC}[2m   `, [{ text: 'x', style: '' }]],
    [
      `x${ESC}[41m  `,
      [
        { text: 'x', style: '' },
        { text: '  ', style: 'bg-1' },
      ],
    ],
    // The parser must remove escape sequences that are not styles, together with their content.
    [
      `a${ESC}]0;title\u0007b${ESC}]8;;http://x${ESC}\\c${ESC}[2Jd${ESC}[10;10He${ESC}Pq${ESC}\\f${ESC}(0g`,
      [{ text: 'abcdefg', style: '' }],
    ],
    [
      'a\u009b31mb\u0007c\u202ed',
      [
        { text: 'a', style: '' },
        { text: 'bcd', style: 'fg-1' },
      ],
    ],
  ])('readStyles returns the texts and styles of %j', (line, runs) => expect(one(line)).toEqual(runs));

  it('readStyles continues a style on the next row until tmux ends the style', () => {
    expect(readStyles([`${ESC}[32mone`, 'two', `${ESC}[0mthree`, '', ' '], 80)).toEqual([
      [{ text: 'one', style: 'fg-2' }],
      [{ text: 'two', style: 'fg-2' }],
      [{ text: 'three', style: '' }],
    ]);
  });

  it('readStyles never returns a control character or a row wider than the pane', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(ESC, '[', 'm', ';', ':', '38', '48', '2', '5', ']', '\u0007', '\u009b', '\t', ' '),
    );
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 20 }), (pieces, columns) => {
        for (const row of readStyles([pieces.join('').replaceAll('\n', '')], columns)) {
          const text = row.map((run) => run.text).join('');
          expect(text).not.toMatch(/[\p{Cc}\p{Cs}\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
          expect([...text].filter((each) => !/\p{M}|[\u200b-\u200d\u2060]/u.test(each)).length).toBeLessThanOrEqual(
            columns,
          );
          for (const { style } of row)
            expect(style).toMatch(
              /^(?:(?:bold|dim|italic|underline|inverse|[fb]g-(?:\d|1[0-5]|#[\da-f]{6}))(?: |$))*$/,
            );
        }
      }),
    );
  });
});

describe('[T14] a real pane', () => {
  it('a real pane is shown without injected escape sequences', async () => {
    const evil = `${ESC}[1;32mgreen${ESC}[0m <img src=x onerror=alert(1)> ${ESC}]0;pwned\u0007${ESC}]52;c;aGk=\u0007end${ESC}[48;5;21m blue ${ESC}[0m`;
    const argv = [process.execPath, '-e', `process.stdout.write(${JSON.stringify(evil)}); setInterval(() => {}, 1e6)`];
    const pane = await rig.terminal.launch({ sessionName: 'picture', tag: 'picture', argv });
    const picture = await until('the text', async () => {
      const seen = await rig.terminal.picture(pane);
      return seen?.lines[0]?.some(({ text }) => text.includes('blue')) ? seen : undefined;
    });
    expect(picture).toMatchObject({ columns: 180, rows: 50 });
    expect(picture.lines).toEqual([
      [
        { text: 'green', style: 'bold fg-2' },
        { text: ' <img src=x onerror=alert(1)> end', style: '' },
        { text: ' blue ', style: 'bg-#0000ff' },
      ],
    ]);
    await rig.terminal.end(pane);
    await until('its end', async () => (await rig.terminal.picture(pane)) === undefined);
  });
});
