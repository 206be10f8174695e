import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../fixtures/hostile/', import.meta.url));

/** What somebody could write who wants the page to do more than show it. A new kind is a file. */
export const PAYLOADS: readonly string[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => JSON.parse(readFileSync(`${FOLDER}${file}`, 'utf8')) as string[]);

const onOneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

/** By line feeds alone: what else may end a line is part of some of them. */
const quoted = (text: string): string =>
  text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');

/**
 * All of them in one text. Each stands in a quote and in a list of its own, which end whatever it leaves open: a comment
 * without an end would hide all that follow otherwise.
 */
export const hostileMarkdown = (): string =>
  PAYLOADS.flatMap((payload, index) => [
    `Payload ${index}, quoted:`,
    quoted(payload),
    `Payload ${index}, listed:`,
    `- ${onOneLine(payload)}`,
    `Payload ${index}, within words: ${onOneLine(payload)} and so on.`,
  ]).join('\n\n');

/** Payloads for the rows of a terminal, a screenful at a time. What one of them opens, the end of its row closes. */
export function screenfuls(rows: number): readonly string[] {
  const lines = PAYLOADS.map((payload) => `${onOneLine(payload).slice(0, 150)}\u001b\\\u001b[0m\u001b(B`);
  const screens: string[] = [];
  for (let at = 0; at < lines.length; at += rows)
    screens.push(`\u001b[2J\u001b[H${lines.slice(at, at + rows).join('\r\n')}\r\nscreenful ${screens.length} is whole`);
  return screens;
}
