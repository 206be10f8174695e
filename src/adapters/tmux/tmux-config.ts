import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export const PANE_COLUMNS = 180;
export const PANE_ROWS = 50;

/**
 * `screen-256color` because older macOS has no terminfo entry for `tmux-256color`.
 * `remain-on-exit off` is a matter of survival: pasting into a dead pane ends the whole server on 3.3a.
 */
const CONFIG = `# Written by Baton at every start. Changes are lost.
set -s exit-empty off
set -s escape-time 0
set -s focus-events off
set -g default-terminal "screen-256color"
set -g default-size ${PANE_COLUMNS}x${PANE_ROWS}
set -g destroy-unattached off
set -g history-limit 5000
set -g set-titles off
set -g status on
set -g status-left "[#{session_name}] "
set -g status-left-length 70
set -g status-right ""
set -g allow-rename off
set -g automatic-rename off
set -g remain-on-exit off
set -g window-size latest
`;

export async function writeTmuxConfig(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}.tmp`;
  await writeFile(draft, CONFIG, { mode: 0o600 });
  await rename(draft, path);
}
