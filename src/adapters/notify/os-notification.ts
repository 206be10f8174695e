import { execFile } from 'node:child_process';
import type { ChannelOutcome } from '../../app/ports/notifier.ts';
import { withoutControls } from '../../domain/plain-text.ts';
import type { Linked } from './plain-notification.ts';

export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

/**
 * Variables that a program needs to reach the operator's desktop session. Baton's tokens and paths are not included.
 */
const SESSION = [
  'PATH',
  'HOME',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'DBUS_SESSION_BUS_ADDRESS',
  'XDG_RUNTIME_DIR',
];

export async function showOnDesktop(notification: Linked, desktop: Desktop): Promise<ChannelOutcome> {
  const { platform, env } = desktop;
  if (platform === 'darwin') return run('osascript', appleScript(notification), desktop);
  if (platform !== 'linux') return unavailable(`Baton cannot show notifications on ${platform}.`);
  if (!env.DBUS_SESSION_BUS_ADDRESS && !env.DISPLAY && !env.WAYLAND_DISPLAY)
    return unavailable('Baton runs outside a desktop session, so it cannot show notifications.');
  return run('notify-send', notifySend(notification), desktop);
}

/**
 * Escapes markup and backslashes, because notify-send reads the body as markup with backslash escapes. Without this, a
 * `\` or `&` in the text could become a hidden character, and Baton allows no hidden characters in a notification.
 */
function notifySend({ title, body, urgency, url }: Linked): readonly string[] {
  const literal = `${body}\n${url}`
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\\/g, '\\\\');
  return ['--app-name=Baton', `--urgency=${urgency}`, '--', title, literal];
}

/**
 * Passes the texts as arguments, never as script source. The first argument is a constant, because osascript may treat
 * a first argument that begins with `-` as an option.
 */
const appleScript = ({ title, body, url }: Linked): readonly string[] => [
  '-e',
  'on run argv',
  '-e',
  'display notification (item 3 of argv) with title (item 2 of argv)',
  '-e',
  'end run',
  'baton',
  title,
  `${body}\n${url}`,
];

/** Runs the program from `/`, so that a relative entry of the PATH does not find a program in the current folder. */
function run(program: string, args: readonly string[], { env, timeoutMs }: Desktop): Promise<ChannelOutcome> {
  const session = Object.fromEntries(SESSION.flatMap((key) => (env[key] ? [[key, env[key]]] : [])));
  const options = {
    cwd: '/',
    env: { ...session, LC_ALL: 'C.UTF-8' },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  } as const;
  return new Promise((resolve) => {
    execFile(program, args, { ...options, encoding: 'utf8' }, (error, _stdout, stderr) => {
      if (error === null) return resolve({ channel: 'os', outcome: 'sent' });
      if (error.code === 'ENOENT' || error.code === 'EACCES')
        return resolve(unavailable(`${program} was not found on the PATH, so Baton cannot show notifications.`));
      resolve(
        failed(error.killed ? `${program} did not finish within ${timeoutMs / 1000} seconds.` : said(program, stderr)),
      );
    });
  });
}

const said = (program: string, stderr: string): string =>
  `${program} could not show the notification: ${withoutControls(stderr.trim().split('\n')[0] ?? '').slice(0, 200) || 'it gave no reason'}`;

const unavailable = (sentence: string): ChannelOutcome => ({ channel: 'os', outcome: 'unavailable', sentence });
const failed = (sentence: string): ChannelOutcome => ({ channel: 'os', outcome: 'failed', sentence });
