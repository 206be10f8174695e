import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from './quote.ts';

export const PANE_COLUMNS = 180;
export const PANE_ROWS = 50;

/**
 * Baton's options for tmux. `screen-256color` is used because older macOS has no terminfo entry for `tmux-256color`.
 * `remain-on-exit` is off, because on tmux 3.3a a paste into a dead pane ends the whole server; `launch` turns this
 * option on only until the session has begun.
 */
const HEADER = '# Written by Baton at every start. Changes are lost.';

const DEFAULTS = `${HEADER}
set -s escape-time 0
set -s focus-events off
set -g default-terminal "screen-256color"
set -g history-limit 5000
set -g set-titles off
set -g status on
set -g status-left "[#{session_name}] "
set -g status-left-length 70
set -g status-right ""
`;

/**
 * Options without which Baton could not read screens or would lose agents. Baton sets these options after the
 * operator's own options, so that the operator's options cannot override them.
 */
const NEEDED = `set -s exit-empty off
set -g default-size ${PANE_COLUMNS}x${PANE_ROWS}
set -g destroy-unattached off
set -g allow-rename off
set -g automatic-rename off
set -g remain-on-exit off
set -g window-size latest
`;

/**
 * @param ownPath the file with the operator's own options. tmux reads this file between the two parts of Baton's
 * options. If the file contains a mistake, tmux reports the mistake and continues.
 */
export async function writeTmuxConfig(path: string, ownPath?: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const own = ownPath === undefined ? '' : `source-file -q ${quote(ownPath)}\n`;
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, `${DEFAULTS}${own}${NEEDED}`, { mode: 0o600 });
  await rename(draft, path);
  if (ownPath !== undefined) await removeOurs(ownPath);
}

/**
 * Removes the file for the operator's own tmux options if an earlier version of Baton wrote it. Such a file contains
 * Baton's options and not the operator's.
 */
async function removeOurs(ownPath: string): Promise<void> {
  const text = await readFile(ownPath, 'utf8').catch(() => '');
  if (text.startsWith(HEADER)) await rm(ownPath);
}
