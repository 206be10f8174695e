import type { SpooledSession } from '../../app/ports/spool.ts';

const HEADER = /^candidate1 ([a-z][a-z0-9-]{0,59}) (\w{1,60}) (\d{0,10})(?: (\d{1,4}))?$/;
const LINE = /^"(\w{1,60})" *: *(".*")$/;
/** The environment variable TMUX as tmux sets it: `socket,pid of the server,session`. */
const TMUX = /^TMUX=(\/[^\p{Cc}]{1,500}),\d+,\d+$/u;
const PANE = /^TMUX_PANE=(%\d{1,9})$/;

type Told = Pick<SpooledSession, 'runtime' | 'event' | 'payload' | 'pid' | 'tmux' | 'hooks'>;

/**
 * Parses the report of an external session. Any program of this user can write such a file, so Baton accepts only
 * exactly the format that the script writes.
 */
export function readExternalSession(text: string): Told | undefined {
  const [header = '', ...lines] = text.split('\n');
  const [, runtime, event, pid, hooks = 1] = HEADER.exec(header) ?? [];
  if (runtime === undefined || event === undefined) return undefined;
  const [socket, pane] = [TMUX, PANE].map((form) => lines.map((line) => form.exec(line)?.[1]).find(Boolean));
  return {
    runtime,
    event,
    pid: Number(pid) > 0 ? Number(pid) : null,
    hooks: Number(hooks),
    tmux: socket === undefined || pane === undefined ? null : { socket, pane },
    // If a key occurs twice, use its first value. The report's own fields come first in the text, before the fields of
    // nested objects.
    payload: Object.fromEntries(
      lines
        .map(readLine)
        .filter((pair) => pair !== undefined)
        .reverse(),
    ),
  };
}

function readLine(line: string): readonly [string, string] | undefined {
  const [, key, value] = LINE.exec(line) ?? [];
  if (key === undefined || value === undefined) return undefined;
  try {
    return [key, JSON.parse(value) as string];
  } catch {
    return undefined;
  }
}
