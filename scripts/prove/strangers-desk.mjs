import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What leads to the files, the desktop or the agents of whoever runs the tests. */
const HIS_OWN = [
  /^XDG_/,
  /^(ZDOTDIR|BASH_ENV|ENV|CDPATH)$/,
  /^(DISPLAY|WAYLAND_DISPLAY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK)$/,
  /^GIT_/,
  /^(TMUX|TMUX_PANE|CLAUDE_CONFIG_DIR|CODEX_HOME)$/,
  /^BATON_(HOME|AGENT_.*|CLAUDE)$/,
];

/**
 * From here on this process and what it starts belong to somebody with an empty home and no desktop. Agents get the
 * operator's login environment: without this every proof would run his shell's files (pyenv's wait for each other), and
 * tell him of practice agents on his screen.
 *
 * @returns {() => void} removes the home
 */
export function sitAtStrangersDesk() {
  const home = mkdtempSync(join(tmpdir(), 'bt-desk-'));
  for (const name of Object.keys(process.env)) if (HIS_OWN.some((own) => own.test(name))) delete process.env[name];
  process.env.HOME = home;
  // A machine's /etc/gitconfig may trust every folder, rename the first branch or sign commits.
  process.env.GIT_CONFIG_NOSYSTEM = '1';
  return () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
