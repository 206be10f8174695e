import type { Inspection, Place } from '../../app/ports/terminal.ts';
import { hasTerminal, ownsForeground, processMark } from './foreground.ts';
import type { PaneAccess } from './typing/pane-access.ts';

/**
 * Checks the report of an external session, because any program of the operator could have written the report. The pane
 * must exist, and the process must have the terminal of that pane and be in the foreground there.
 */
export async function inspect(access: PaneAccess, { socket, paneId, pid }: Place): Promise<Inspection> {
  const there = await access.whatIsThere();
  if (there === 'no_server') return { found: 'no_server', detail: `there is no tmux server at ${socket}` };
  if (there === 'no_pane') return { found: 'no_pane', detail: `pane ${paneId} no longer exists` };
  const mark = await processMark(pid);
  if (mark === undefined) return { found: 'no_process', detail: `process ${pid} of the session has ended` };
  if (!(await hasTerminal(pid, there.tty)))
    return { found: 'other_terminal', detail: `process ${pid} does not run in pane ${paneId}` };
  if (!(await ownsForeground(pid)))
    return { found: 'not_in_front', detail: `another program has the terminal of pane ${paneId}` };
  const { identity, sessionName } = there.facts;
  return { found: 'pane', pane: { ...identity, outside: { socket, session: sessionName, pid, mark } } };
}
