import { encode } from 'uqr';

/** Readers need a light margin; four modules are the standard's, two are enough for a screen and fit more terminals. */
const MARGIN = 2;

/**
 * Two rows of modules in one line of text. What is light is drawn and what is dark is left out: so it is right in white on
 * black, and in a dark terminal without colours.
 */
export function drawQrCode(text: string): readonly string[] {
  const { data } = encode(text, { ecc: 'L', border: MARGIN });
  const lines: string[] = [];
  for (let y = 0; y < data.length; y += 2)
    lines.push((data[y] ?? []).map((isDark, x) => block(!isDark, data[y + 1]?.[x] === false)).join(''));
  return lines;
}

function block(top: boolean, bottom: boolean): string {
  if (top) return bottom ? '█' : '▀';
  return bottom ? '▄' : ' ';
}
