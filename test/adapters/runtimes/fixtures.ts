import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSolid } from '../../../src/adapters/tmux/typing/read-styles.ts';
import type { RawHook } from '../../../src/app/ports/agent-runtime.ts';
import type { Screen } from '../../../src/app/ports/terminal.ts';

const FOLDER = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/**
 * Returns the screens of a runtime that were recorded with `tmux capture-pane -p`. The newer screens were recorded with
 * `-e` as well and contain colors. The first line of a file is the cursor position. The file name says what the client
 * was doing.
 */
export function screensOf(runtime: string): readonly { readonly name: string; readonly screen: Screen }[] {
  const folder = `${FOLDER}${runtime}/screens/`;
  return readdirSync(folder).map((file) => {
    const [head = '', ...rows] = readFileSync(`${folder}${file}`, 'utf8').trimEnd().split('\n');
    const [, cursorX, cursorY] = /^cursor (\d+),(\d+)$/.exec(head) ?? [];
    return {
      name: file.replace(/\.txt$/, ''),
      screen: { ...readSolid(rows), cursorX: Number(cursorX), cursorY: Number(cursorY) },
    };
  });
}

export function screenOf(runtime: string, name: string): Screen {
  const found = screensOf(runtime).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no screen ${name} was recorded`);
  return found.screen;
}

/** The hook inputs of one recorded session, in the recorded order. */
export function hooksOf(runtime: string): readonly RawHook[] {
  return readFileSync(`${FOLDER}${runtime}/hooks.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RawHook);
}
