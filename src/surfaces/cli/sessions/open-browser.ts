import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CliDeps } from '../cli-deps.ts';

/**
 * How long Baton waits for the program that opens the browser, such as xdg-open. Some of these programs run as long as
 * the browser. If the program still runs after this time, it counts as successful.
 */
const FAILS_WITHIN_MS = 2000;

export type BrowserOpener = 'open' | 'wslview' | 'xdg-open';

/**
 * Returns the program that opens the browser on this machine; undefined over SSH and on a machine without a display.
 */
export function browserOpener(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): BrowserOpener | undefined {
  if (env.SSH_CONNECTION) return undefined;
  if (platform === 'darwin') return 'open';
  if (env.WSL_DISTRO_NAME) return 'wslview';
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined;
}

/**
 * Opens the address in the operator's browser. Resolves to false if the browser could not be opened. The opener gets
 * only the path of a file that redirects to the address, because the address contains a login code and other users can
 * read the arguments of a process.
 */
export async function openBrowser({ homePath, env }: CliDeps, opener: BrowserOpener, url: string): Promise<boolean> {
  const file = join(homePath, 'open-page.html');
  rmSync(file, { force: true });
  writeFileSync(file, redirectTo(url), { mode: 0o600, flag: 'wx' });
  return new Promise((resolve) => {
    const child = spawn(opener, [file], { env, stdio: 'ignore', detached: true });
    const timer = setTimeout(() => resolve(true), FAILS_WITHIN_MS);
    const end = (isOpen: boolean): void => {
      clearTimeout(timer);
      resolve(isOpen);
    };
    child.on('error', () => end(false));
    child.on('exit', (code) => end(code === 0));
    child.unref();
  });
}

function redirectTo(url: string): string {
  const safe = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${safe}">
<title>Baton</title>
<a href="${safe}">Open Baton</a>
`;
}
