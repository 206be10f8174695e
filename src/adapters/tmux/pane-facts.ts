import type { PaneIdentity, PaneStatus } from '../../app/ports/terminal.ts';
import { quote } from './connection/quote.ts';

export interface PaneFacts extends PaneStatus {
  readonly staysAtExit: boolean;
  readonly inMode: boolean;
  /**
   * Ids of the latest deliveries that were pasted into this pane, the newest last. At least the latest 50 are listed.
   */
  readonly delivered: readonly string[];
  readonly cursor: Cursor;
}

/**
 * Fields that show whether a pane's screen has changed. Output of the program changes `window_activity`; the fields in
 * this list change when tmux itself changes the screen, for example its size.
 */
const DRAWN = ['cursor_x', 'cursor_y', 'pane_width', 'pane_height', 'history_size', 'alternate_on', 'pane_in_mode'];
const IDENTITY = ['pid', 'start_time', 'pane_id', 'pane_pid'];
const LISTED = [...IDENTITY, ...DRAWN, 'window_activity', 'pane_dead', 'remain-on-exit', '@baton_tag', 'session_name'];

export interface Cursor {
  readonly x: number;
  readonly y: number;
}

export type Absence = 'pane_gone' | 'agent_gone' | 'wrong_server';

/**
 * The fields of a pane. The session name is the last field, because an operator may rename a session to any name, even
 * to one that contains the separator.
 */
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

/**
 * Use plain `#{@option}`, whose value tmux 3.3a does not expand again. With `#{E:@option}`, tmux would expand the value
 * as a format.
 */
export const FACTS_FORMAT = quote(formatOf(FIELDS));
export const SERVER_FORMAT = quote(formatOf(['pid', 'start_time']));

export const LIST_FORMAT = quote(formatOf(LISTED));

export const END_FORMAT = quote(formatOf(['pane_dead_status', 'pane_dead_signal']));

export const SIZE_FORMAT = quote(formatOf(['pane_width', 'pane_height', 'cursor_flag']));

/**
 * True if a line of tmux's output has all fields of a pane, and begins with the pid and the start time of the server.
 * This does not prove that the pane exists: tmux prints such a line for a missing pane, too.
 */
export function isFacts(line: string): boolean {
  return /^\d+\|\d+\|/.test(line) && line.split('|').length >= FIELDS.length;
}

/**
 * Parses the facts of a pane. Returns `undefined` if the pane does not exist: for such a pane, `display-message -t`
 * reports no error and answers with empty fields.
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
 * Parses one line of the list of panes. `askedAtMs` is the time right before Baton requested the list. tmux reports the
 * time of the last output (`window_activity`) in whole seconds. So `drawn` is set only if that second was over before
 * the request.
 */
export function parseListed(line: string, askedAtMs: number): PaneStatus | undefined {
  const values = line.split('|');
  const [activity, dead, remains, tag, ...name] = values.slice(IDENTITY.length + DRAWN.length);
  const [, , paneId, panePid] = values;
  if (!paneId || tag === undefined || tag === '') return undefined;
  const drawn = values.slice(0, IDENTITY.length + DRAWN.length + 1).join('|');
  return {
    identity: { ...parseServer(line), paneId, panePid: Number(panePid), tag },
    sessionName: name.join('|'),
    dead: dead !== '0',
    staysAtExit: remains !== 'off' && remains !== '0',
    ...(Number(activity) < Math.floor(askedAtMs / 1_000) ? { drawn } : {}),
  };
}

/**
 * Splits the list of delivery ids. tmux truncates the list at the front, which may leave a part of an id. This function
 * drops such a part.
 */
function parseDelivered(marks: string): readonly string[] {
  return marks
    .replace(/^[^/]+/, '')
    .split('/')
    .filter((id) => id !== '');
}

export const TTY_FORMAT = quote(formatOf(['pane_tty']));

/**
 * Returns a tmux condition that is true only for exactly this pane, and only if the pane has either no tag or already
 * Baton's tag.
 */
export function claimCondition(pane: PaneIdentity): string {
  const { serverPid, serverStartedAt, paneId, panePid, tag } = pane;
  const same = `#{==:${formatOf(['pid', 'start_time', 'pane_id', 'pane_pid'])},${[serverPid, serverStartedAt, paneId, panePid].join('|')}}`;
  return `#{&&:${same},#{||:#{==:#{@baton_tag},},#{==:#{@baton_tag},${tag}}}}`;
}

/**
 * Reads the server's pid and start time from the beginning of a line of tmux's output. The line may continue with the
 * facts of a pane.
 */
export function parseServer(line: string): Pick<PaneIdentity, 'serverPid' | 'serverStartedAt'> {
  const [pid, startedAt] = line.split('|');
  return { serverPid: Number(pid), serverStartedAt: Number(startedAt) };
}

/** Returns `undefined` if the facts in this line belong to the expected pane, and otherwise the reason why not. */
export function absenceOf(pane: PaneIdentity, line: string): Absence | undefined {
  const { serverPid, serverStartedAt } = parseServer(line);
  if (serverPid !== pane.serverPid || serverStartedAt !== pane.serverStartedAt) return 'wrong_server';
  const facts = parseFacts(line);
  if (facts === undefined) return 'pane_gone';
  const { panePid, tag } = facts.identity;
  return panePid === pane.panePid && tag === pane.tag && !facts.dead ? undefined : 'agent_gone';
}

/**
 * Returns a tmux condition that is true only for exactly this pane. The condition allows copy mode, because it is used
 * for operations that type nothing.
 */
export function identityCondition(pane: PaneIdentity): string {
  const fields = formatOf(['pid', 'start_time', 'pane_id', 'pane_pid', '@baton_tag']);
  const { serverPid, serverStartedAt, paneId, panePid, tag } = pane;
  return `#{==:${fields},${[serverPid, serverStartedAt, paneId, panePid, tag].join('|')}}`;
}

/**
 * Returns the tmux condition for typing. The condition compares the pane id, because for a missing pane tmux reports no
 * error and uses empty fields. The cursor must not have moved since the screen was read, because an open dialog would
 * have moved it.
 */
function typingCondition(pane: PaneIdentity, cursor: Cursor, mark: string): string {
  const quiet = `#{==:#{pane_dead}|#{pane_in_mode}|#{cursor_x}|#{cursor_y},0|0|${cursor.x}|${cursor.y}}`;
  return `#{&&:${identityCondition(pane)},#{&&:${quiet},${mark}}}`;
}

/**
 * Returns the tmux condition for a key that is pressed while the agent is busy. The condition does not compare the
 * cursor, because the cursor of a busy agent moves all the time.
 */
export function keyCondition(pane: PaneIdentity): string {
  return `#{&&:${identityCondition(pane)},#{==:#{pane_dead}|#{pane_in_mode},0|0}}`;
}

const wasDelivered = (pattern: string): string => `#{m:${pattern},#{@baton_delivered}}`;

export function pasteCondition(pane: PaneIdentity, cursor: Cursor, deliveryId: string): string {
  return typingCondition(pane, cursor, `#{==:${wasDelivered(`*/${deliveryId}/*`)},0}`);
}

/**
 * Returns the condition under which tmux writes a delivery id onto a pane before the text goes to the client's control
 * API. The pane must be exactly the expected one, its program must still run, and the pane must not have this delivery
 * id yet.
 */
export function apiCondition(pane: PaneIdentity, deliveryId: string): string {
  const isFresh = `#{==:${wasDelivered(`*/${deliveryId}/*`)},0}`;
  return `#{&&:${identityCondition(pane)},#{&&:#{==:#{pane_dead},0},${isFresh}}}`;
}

/**
 * Returns the tmux condition for removing the marks of a text that went to the control API. The condition is true if
 * these marks are the newest ones of exactly this pane.
 */
export function apiMarkCondition(pane: PaneIdentity, deliveryId: string): string {
  return `#{&&:${identityCondition(pane)},${wasDelivered(`*/${apiMark(deliveryId)}//${deliveryId}/`)}}`;
}

export function enterCondition(pane: PaneIdentity, cursor: Cursor, deliveryId: string): string {
  return typingCondition(pane, cursor, wasDelivered(`*/${deliveryId}/`));
}

/**
 * Maximum length of the list of delivered ids. At least 50 ids fit: an id has at most 128 characters, plus two slashes.
 */
const MAX_MARKS = 50 * 130;

/**
 * Returns the tmux command that appends a delivery id to the pane's list. The list keeps many ids, because no text may
 * be pasted twice. The list must also stay short, because it is read with every screen. So tmux itself drops the oldest
 * ids.
 */
export function markDelivered(paneId: string, deliveryId: string): string {
  return appendMarks(paneId, `/${deliveryId}/`);
}

/**
 * The second mark of a delivery whose text was given to the control API. No delivery id looks like this mark, because a
 * delivery id never contains `=`.
 */
export const apiMark = (deliveryId: string): string => `api=${deliveryId}`;

/**
 * Returns the tmux command that sets two marks on the pane before a text is given to the control API. The delivery id
 * marks the text as pasted, so that Baton never types the text. The second mark says that the text goes through the
 * API.
 */
export function markForApi(paneId: string, deliveryId: string): string {
  return appendMarks(paneId, `/${apiMark(deliveryId)}//${deliveryId}/`);
}

function appendMarks(paneId: string, marks: string): string {
  const kept = `#{=-${MAX_MARKS - marks.length}:@baton_delivered}`;
  return `set-option -F -p -t ${paneId} @baton_delivered "${kept}${marks}"`;
}

/** Returns the tmux command that replaces the marks of the pane with the given ones. */
export function setMarks(paneId: string, marks: readonly string[]): string {
  return `set-option -p -t ${paneId} @baton_delivered "${marks.map((mark) => `/${mark}/`).join('')}"`;
}
