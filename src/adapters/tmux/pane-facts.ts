import type { PaneIdentity, PaneStatus } from '../../app/ports/terminal.ts';
import { quote } from './connection/quote.ts';

export interface PaneFacts extends PaneStatus {
  readonly staysAtExit: boolean;
  readonly inMode: boolean;
  /** Ids of the latest deliveries that were pasted into this pane (at least 50), the newest last. */
  readonly delivered: readonly string[];
  readonly cursor: Cursor;
}

export interface Cursor {
  readonly x: number;
  readonly y: number;
}

export type Absence = 'pane_gone' | 'agent_gone' | 'wrong_server';

/** The session name comes last, because an operator may rename a session to anything, even with the separator in it. */
const FIELDS = [
  'pid',
  'start_time',
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_in_mode',
  'cursor_x',
  'cursor_y',
  'remain-on-exit',
  '@baton_tag',
  '@baton_delivered',
  'session_name',
];

function formatOf(fields: readonly string[]): string {
  return fields.map((field) => `#{${field}}`).join('|');
}

/** tmux does not expand the value of a plain `#{@option}` again (3.3a), but would expand that of `#{E:@option}`. */
export const FACTS_FORMAT = quote(formatOf(FIELDS));
export const SERVER_FORMAT = quote(formatOf(['pid', 'start_time']));

export const END_FORMAT = quote(formatOf(['pane_dead_status', 'pane_dead_signal']));

export const SIZE_FORMAT = quote(formatOf(['pane_width', 'pane_height', 'cursor_flag']));

/** True if the line has all fields. The server's fields are filled even if the pane does not exist. */
export function isFacts(line: string): boolean {
  return /^\d+\|\d+\|/.test(line) && line.split('|').length >= FIELDS.length;
}

/**
 * Returns `undefined` if the pane does not exist, because `display-message -t` then answers with empty fields and no
 * error.
 */
export function parseFacts(line: string): PaneFacts | undefined {
  const [, , paneId, panePid, dead, inMode, cursorX, cursorY, remains, tag, delivered, ...name] = line.split('|');
  if (!paneId || tag === undefined || delivered === undefined) return undefined;
  return {
    identity: { ...parseServer(line), paneId, panePid: Number(panePid), tag },
    sessionName: name.join('|'),
    dead: dead !== '0',
    staysAtExit: remains !== 'off' && remains !== '0',
    inMode: inMode !== '0',
    delivered: parseDelivered(delivered),
    cursor: { x: Number(cursorX), y: Number(cursorY) },
  };
}

/**
 * Splits the list of ids. tmux cuts off old ids at the front, so this drops the partial id that the cut may have left.
 */
function parseDelivered(marks: string): readonly string[] {
  return marks
    .replace(/^[^/]+/, '')
    .split('/')
    .filter((id) => id !== '');
}

export const TTY_FORMAT = quote(formatOf(['pane_tty']));

/** A tmux condition that is true for exactly this pane, if the pane has no tag yet or already has ours. */
export function claimCondition(pane: PaneIdentity): string {
  const { serverPid, serverStartedAt, paneId, panePid, tag } = pane;
  const same = `#{==:${formatOf(['pid', 'start_time', 'pane_id', 'pane_pid'])},${[serverPid, serverStartedAt, paneId, panePid].join('|')}}`;
  return `#{&&:${same},#{||:#{==:#{@baton_tag},},#{==:#{@baton_tag},${tag}}}}`;
}

/** Also accepts a line that continues with the facts of a pane. */
export function parseServer(line: string): Pick<PaneIdentity, 'serverPid' | 'serverStartedAt'> {
  const [pid, startedAt] = line.split('|');
  return { serverPid: Number(pid), serverStartedAt: Number(startedAt) };
}

/** Returns why the pane that answered is not the pane we mean; `undefined` if it is. */
export function absenceOf(pane: PaneIdentity, line: string): Absence | undefined {
  const { serverPid, serverStartedAt } = parseServer(line);
  if (serverPid !== pane.serverPid || serverStartedAt !== pane.serverStartedAt) return 'wrong_server';
  const facts = parseFacts(line);
  if (facts === undefined) return 'pane_gone';
  const { panePid, tag } = facts.identity;
  return panePid === pane.panePid && tag === pane.tag && !facts.dead ? undefined : 'agent_gone';
}

/**
 * A tmux condition that is true for exactly this pane. For operations that do not type, so copy mode does not matter.
 */
export function identityCondition(pane: PaneIdentity): string {
  const fields = formatOf(['pid', 'start_time', 'pane_id', 'pane_pid', '@baton_tag']);
  const { serverPid, serverStartedAt, paneId, panePid, tag } = pane;
  return `#{==:${fields},${[serverPid, serverStartedAt, paneId, panePid, tag].join('|')}}`;
}

/**
 * If the pane is missing, `if-shell -F -t` evaluates with empty fields and no error, so the condition compares the pane
 * id itself. The cursor must be where it was when the screen was read, because a dialog that opened since has moved it.
 */
function typingCondition(pane: PaneIdentity, cursor: Cursor, mark: string): string {
  const quiet = `#{==:#{pane_dead}|#{pane_in_mode}|#{cursor_x}|#{cursor_y},0|0|${cursor.x}|${cursor.y}}`;
  return `#{&&:${identityCondition(pane)},#{&&:${quiet},${mark}}}`;
}

/** For a key that is pressed while the agent works. The cursor is not compared, because it moves all the time. */
export function keyCondition(pane: PaneIdentity): string {
  return `#{&&:${identityCondition(pane)},#{==:#{pane_dead}|#{pane_in_mode},0|0}}`;
}

const wasDelivered = (pattern: string): string => `#{m:${pattern},#{@baton_delivered}}`;

export function pasteCondition(pane: PaneIdentity, cursor: Cursor, deliveryId: string): string {
  return typingCondition(pane, cursor, `#{==:${wasDelivered(`*/${deliveryId}/*`)},0}`);
}

export function enterCondition(pane: PaneIdentity, cursor: Cursor, deliveryId: string): string {
  return typingCondition(pane, cursor, wasDelivered(`*/${deliveryId}/`));
}

/** Space for the 50 latest ids of maximum length (128 and two slashes), and for many more of the usual length. */
const MAX_MARKS = 50 * 130;

/**
 * Appends the id and drops the oldest ones. An id must not be pasted twice even if others came in between, and the
 * option must stay short because it is read with every screen. tmux itself shortens it, in the same line as the paste.
 */
export function markDelivered(paneId: string, deliveryId: string): string {
  const kept = `#{=-${MAX_MARKS - deliveryId.length - 2}:@baton_delivered}`;
  return `set-option -F -p -t ${paneId} @baton_delivered "${kept}/${deliveryId}/"`;
}
