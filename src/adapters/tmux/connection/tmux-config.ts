import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { quote } from './quote.ts';

export const PANE_COLUMNS = 180;
export const PANE_ROWS = 50;

/**
 * Uses `screen-256color`, because older macOS has no terminfo entry for `tmux-256color`. `remain-on-exit off` is
 * essential, because pasting into a dead pane ends the whole server on 3.3a. Only the pane of an agent whose session
 * has not begun stays when its program ends (`launch`), and every paste is guarded.
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

/** Set after the operator's own options, because without these Baton could not read screens, or would lose agents. */
const NEEDED = `set -s exit-empty off
set -g default-size ${PANE_COLUMNS}x${PANE_ROWS}
set -g destroy-unattached off
set -g allow-rename off
set -g automatic-rename off
set -g remain-on-exit off
set -g window-size latest
`;

/**
 * @param ownPath the operator's own options, sourced between our two parts; tmux reports a mistake in them and
 * continues.
 */
export async function writeTmuxConfig(path: string, ownPath?: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const own = ownPath === undefined ? '' : `source-file -q ${quote(ownPath)}\n`;
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, `${DEFAULTS}${own}${NEEDED}`, { mode: 0o600 });
  await rename(draft, path);
  if (ownPath !== undefined) await removeOurs(ownPath);
}

/** Removes the file at this path if an earlier Baton wrote it, because it does not contain the operator's options. */
async function removeOurs(ownPath: string): Promise<void> {
  const text = await readFile(ownPath, 'utf8').catch(() => '');
  if (text.startsWith(HEADER)) await rm(ownPath);
}
