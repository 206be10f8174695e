import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../fixtures/hostile/', import.meta.url));

/** Hostile texts, which try to make the page run or load something. Each fixture file contains one kind of attack. */
export const PAYLOADS: readonly string[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as string[]);

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** Quotes each line of a text. Splits at line feeds only, because some payloads contain other line separators. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/**
 * Returns all payloads in one text. Each payload occurs in a quote, in a list and in a sentence. The end of a quote or
 * list also ends unclosed markup, so an unclosed comment cannot hide the later payloads.
 */
export const hostileMarkdown = (): string =>
  PAYLOADS.flatMap((payload, index) => [
    `Payload ${index}, quoted:`,
    quoted(payload),
    `Payload ${index}, listed:`,
    `- ${onOneLine(payload)}`,
    `Payload ${index}, within words: ${onOneLine(payload)} and so on.`,
  ]).join('\n\n');

/**
 * Returns all payloads as terminal rows, split into screens. Each row ends with escape sequences that undo the
 * payload's escape sequences.
 */
export function screenfuls(rows: number): readonly string[] {
  const lines = PAYLOADS.map((payload) => `${onOneLine(payload).slice(0, 150)}\u001b\\\u001b[0m\u001b(B`);
  const screens: string[] = [];
  for (let at = 0; at < lines.length; at += rows)
    screens.push(`\u001b[2J\u001b[H${lines.slice(at, at + rows).join('\r\n')}\r\nscreenful ${screens.length} is whole`);
  return screens;
}
