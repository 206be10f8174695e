import type { PaneIdentity, PaneStatus } from '../../app/ports/terminal.ts';
import { quote } from './quote.ts';

export interface PaneFacts extends PaneStatus {
  readonly inMode: boolean;
  /** Id of the last delivery that was pasted into this pane. */
  readonly delivered: string;
  readonly cursorX: number;
  readonly cursorY: number;
}

export type Absence = 'pane_gone' | 'agent_gone' | 'wrong_server';

/** The session name stands last: an operator may rename a session to anything, the separator included. */
const FIELDS = [
  'pid',
  'start_time',
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_in_mode',
  'cursor_x',
  'cursor_y',
  '@baton_tag',
  '@baton_delivered',
  'session_name',
];

/** Plain `#{@option}` is not expanded again (3.3a), `#{E:@option}` would be. */
export const FACTS_FORMAT = quote(FIELDS.map((field) => `#{${field}}`).join('|'));

/** The server's part is there even if the pane is not. */
export function isFacts(line: string): boolean {
  return /^\d+\|\d+\|/.test(line) && line.split('|').length >= FIELDS.length;
}

/** `undefined` for a pane that is not there: `display-message -t` answers with empty fields instead of an error. */
export function parseFacts(line: string): PaneFacts | undefined {
  const [pid, startedAt, paneId, panePid, dead, inMode, cursorX, cursorY, tag, delivered, ...name] = line.split('|');
  if (!paneId || tag === undefined || delivered === undefined) return undefined;
  return {
    identity: { ...server(pid, startedAt), paneId, panePid: Number(panePid), tag },
    sessionName: name.join('|'),
    dead: dead !== '0',
    inMode: inMode !== '0',
    delivered,
    cursorX: Number(cursorX),
    cursorY: Number(cursorY),
  };
}

function server(pid: string | undefined, startedAt: string | undefined) {
  return { serverPid: Number(pid), serverStartedAt: Number(startedAt) };
}

/** Why the pane that answered is not the pane we mean; `undefined` if it is. */
export function absenceOf(pane: PaneIdentity, line: string): Absence | undefined {
  const [pid, startedAt] = line.split('|');
  const { serverPid, serverStartedAt } = server(pid, startedAt);
  if (serverPid !== pane.serverPid || serverStartedAt !== pane.serverStartedAt) return 'wrong_server';
  const facts = parseFacts(line);
  if (facts === undefined) return 'pane_gone';
  const { panePid, tag } = facts.identity;
  return panePid === pane.panePid && tag === pane.tag && !facts.dead ? undefined : 'agent_gone';
}

/** Is it that very pane? For verbs that do not type, so a mode does not matter. */
export function identityCondition(pane: PaneIdentity): string {
  const fields = ['pid', 'start_time', 'pane_id', 'pane_pid', '@baton_tag'].map((field) => `#{${field}}`).join('|');
  const { serverPid, serverStartedAt, paneId, panePid, tag } = pane;
  return `#{==:${fields},${[serverPid, serverStartedAt, paneId, panePid, tag].join('|')}}`;
}

/** `if-shell -F -t` of a missing pane evaluates with empty fields and no error, so the pane id itself is compared. */
export function typingCondition(pane: PaneIdentity, delivered: '==' | '!=', deliveryId: string): string {
  const quiet = '#{==:#{pane_dead}|#{pane_in_mode},0|0}';
  const mark = `#{${delivered}:#{@baton_delivered},${deliveryId}}`;
  return `#{&&:${identityCondition(pane)},#{&&:${quiet},${mark}}}`;
}
