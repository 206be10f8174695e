import { readFileSync, writeFileSync } from 'node:fs';

/**
 * For tests only: `BATON_CRASH_AT=launch_agent:performed#2` kills this process when it reaches the point
 * `launch_agent:performed` for the second time. An absolute path names a file with one point per line. Only the first
 * line is active, and a crash removes it.
 */
export function crashPoint(wanted: string | undefined): (name: string) => void {
  if (wanted === undefined || wanted === '') return () => undefined;
  const file = wanted.startsWith('/') ? wanted : undefined;
  let armed = '';
  let point = '';
  let left = 0;
  return (name) => {
    const next = file === undefined ? wanted : (linesOf(file)[0] ?? '');
    if (next !== armed) {
      armed = next;
      const [named = '', nth = '1'] = next.split('#');
      point = named;
      left = Number(nth);
    }
    if (name !== point || --left !== 0) return;
    if (file !== undefined) writeFileSync(file, linesOf(file).slice(1).join('\n'));
    process.kill(process.pid, 'SIGKILL');
    // Stay in an endless loop until SIGKILL ends this process, so that no code after the crash point runs.
    for (;;);
  };
}

/**
 * Converts a log message of the typing code to the name of a crash point, such as `instruction:pasted` or
 * `instruction:enter pressed`.
 */
export const typingPoint = (message: string, deliveryId: string): string =>
  `${/-(skill|instruction|injection|exit)\b/.exec(deliveryId)?.[1] ?? (deliveryId.startsWith('package-') ? 'announcement' : '')}:${message}`;

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
