import { readFileSync, writeFileSync } from 'node:fs';

/**
 * For proofs only: `BATON_CRASH_AT=launch_agent:performed#2` kills this process, as kill -9 would, when it passes that
 * point for the second time. An absolute path names a file with such points, one per line. Only the first line counts,
 * and it is removed when it kills. So a point can be set while the server runs, and the next server dies at the next
 * point. This is not a security risk, because a user who can set our environment can kill us anyway.
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
    // Do nothing until the signal arrives.
    for (;;);
  };
}

/**
 * The crash point for a message that the terminal logs while it types: `instruction:pasted`, then `instruction:enter
 * pressed`.
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
