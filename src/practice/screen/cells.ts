const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
const WIDTHLESS = /[\p{Mn}\p{Me}\p{Cf}]/u;

export function cellWidth(text: string): number {
  let cells = 0;
  for (const character of text) cells += characterWidth(character);
  return cells;
}

function characterWidth(character: string): number {
  if (character.charCodeAt(0) < 0x300) return 1;
  if (WIDTHLESS.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Splits one clean line into rows of at most `width` terminal cells. A row may end inside a word. */
export function wrapCells(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const character of line) {
    const cells = characterWidth(character);
    if (used + cells > width) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += character;
    used += cells;
  }
  return [...rows, row];
}

/** Splits one line into rows of at most `width` terminal cells, between words where possible. */
export function wrapWords(line: string, width: number): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of line.split(/(?<= )/)) {
    if (cellWidth(row) + cellWidth(word.trimEnd()) > width && row !== '') {
      rows.push(row.trimEnd());
      row = '';
    }
    const pieces = wrapCells(word, width);
    rows.push(...pieces.slice(0, -1));
    row += pieces.at(-1) ?? '';
  }
  return [...rows, row.trimEnd()];
}
