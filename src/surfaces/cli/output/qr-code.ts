import { encode } from 'uqr';

/** Scanners need a light margin. The standard requires four modules, but two suffice and fit more terminals. */
const MARGIN = 2;

/**
 * Draws a QR code with two rows of squares per line of text. Prints a block for each light square and a blank for each
 * dark one, so that a dark terminal shows a scannable code even without colors.
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
