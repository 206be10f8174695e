import { plainText } from './plain-text.ts';

const CODES = { red: 31, green: 32, yellow: 33, cyan: 36, bold: 1, dim: 2, 'white on black': '97;40' } as const;

export type Colour = keyof typeof CODES;

export interface Ink {
  readonly colour: Colour;
  readonly text: string;
}

/**
 * A part of a printed line. The color is stored beside the text, because `render` removes escape sequences from the
 * text.
 */
export type Part = string | Ink;

export const ink = (colour: Colour, text: string): Ink => ({ colour, text });

export const textOf = (part: Part): string => (typeof part === 'string' ? part : part.text);

export function render(parts: readonly Part[], coloured: boolean): string {
  return parts.map((part) => renderOne(part, coloured)).join('');
}

function renderOne(part: Part, coloured: boolean): string {
  const text = plainText(textOf(part));
  if (typeof part === 'string' || !coloured || text === '') return text;
  return `\u001b[${CODES[part.colour]}m${text}\u001b[0m`;
}

export const TICK = ink('green', '✓');
export const CROSS = ink('red', '✗');
export const WARN = ink('yellow', '!');
