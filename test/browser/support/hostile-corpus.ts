import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../fixtures/hostile/', import.meta.url));

/** Texts that try to make the page do more than show them. Each fixture file holds one kind of attack. */
export const PAYLOADS: readonly string[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as string[]);

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** Splits at line feeds only, because some payloads contain other line separators. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/**
 * All payloads in one text. Each is in its own quote and list, which close the markup it leaves open; otherwise an
 * unclosed comment would hide all payloads after it.
 */
export const hostileMarkdown = (): string =>
  PAYLOADS.flatMap((payload, index) => [
    `Payload ${index}, quoted:`,
    quoted(payload),
    `Payload ${index}, listed:`,
    `- ${onOneLine(payload)}`,
    `Payload ${index}, within words: ${onOneLine(payload)} and so on.`,
  ]).join('\n\n');

/** Payloads as terminal rows, one screenful at a time. Each row ends with escapes that undo the payload's escapes. */
export function screenfuls(rows: number): readonly string[] {
  const lines = PAYLOADS.map((payload) => `${onOneLine(payload).slice(0, 150)}\u001b\\\u001b[0m\u001b(B`);
  const screens: string[] = [];
  for (let at = 0; at < lines.length; at += rows)
    screens.push(`\u001b[2J\u001b[H${lines.slice(at, at + rows).join('\r\n')}\r\nscreenful ${screens.length} is whole`);
  return screens;
}
