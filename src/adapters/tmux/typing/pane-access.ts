import type { PaneIdentity, Picture, Screen } from '../../../app/ports/terminal.ts';
import type { ProgramEnd } from '../../../domain/agents/program-end.ts';
import type { Block } from '../connection/block-parser.ts';
import { quote } from '../connection/quote.ts';
import { TerminalFault } from '../connection/terminal-fault.ts';
import { ownsForeground, processMark } from '../foreground.ts';
import {
  type Absence,
  absenceOf,
  apiCondition,
  apiMark,
  apiMarkCondition,
  type Cursor,
  claimCondition,
  END_FORMAT,
  enterCondition,
  FACTS_FORMAT,
  identityCondition,
  isFacts,
  keyCondition,
  markDelivered,
  markForApi,
  type PaneFacts,
  parseFacts,
  pasteCondition,
  SIZE_FORMAT,
  setMarks,
  TTY_FORMAT,
} from '../pane-facts.ts';
import { answersOf, type TmuxSession } from '../tmux-session.ts';
import { checkName, checkPaneId } from './checks.ts';
import { readSolid, readStyles } from './read-styles.ts';
import type { Sabotage } from './sabotage.ts';

export type Look =
  | { readonly here: true; readonly facts: PaneFacts; readonly screen: Screen }
  | { readonly here: false; readonly reason: Absence };

/** All operations on one pane. Each operation is one command line, so that tmux runs no other command in between. */
export interface PaneAccess {
  look(): Promise<Look>;
  /**
   * Reads the screen with its colors; undefined if this pane no longer exists. Another pane with the same id does not
   * count.
   */
  picture(): Promise<Picture | undefined>;
  inForeground(): Promise<boolean>;
  /**
   * Pastes the text and returns true. Returns false and pastes nothing if the pane or its screen has changed, or if the
   * text with this id was pasted before. If tmux does not take the text, throws TerminalFault with the operation
   * `stage`, and nothing is pasted either.
   */
  paste(deliveryId: string, cursor: Cursor, text: string): Promise<boolean>;
  /**
   * Writes the id of a delivery onto the pane, before the text is given to the client's control API. Returns false, and
   * writes nothing, if the pane has changed or has this id already.
   */
  markForApi(deliveryId: string): Promise<boolean>;
  /** Removes the marks of a delivery that the API refused, if these marks are the newest ones of the pane. */
  unmarkForApi(deliveryId: string): Promise<void>;
  pressEnter(deliveryId: string, cursor: Cursor, key: EnterKey): Promise<boolean>;
  /**
   * Presses one digit. The pane gets the same mark as for a paste, so Baton presses only one digit for each answer id.
   */
  pressDigit(answerId: string, cursor: Cursor, digit: number): Promise<boolean>;
  pressEscape(): Promise<boolean>;
  programEnd(): Promise<ProgramEnd | undefined>;
  closeAtExit(): Promise<void>;
  end(): Promise<void>;
  /**
   * Returns the facts and the terminal of a pane that Baton has not claimed yet. If the pane is not found, returns
   * whether the server or only the pane is missing.
   */
  whatIsThere(): Promise<{ readonly facts: PaneFacts; readonly tty: string } | 'no_server' | 'no_pane'>;
  /** Sets Baton's tag on the pane. Returns false if the pane has another tag. */
  claim(): Promise<boolean>;
  /** Removes Baton's tag and delivery marks from the pane. */
  release(): Promise<void>;
}

/**
 * How Enter is sent: as a named key or as a literal carriage return. tmux 3.7b was reported to ignore the named key and
 * to accept the literal carriage return.
 */
export type EnterKey = 'named' | 'literal';

const REFUSED = 'baton-guard-refused';

/**
 * Sends SIGCHLD to the tmux server, so that the server reaps its ended children. tmux can miss the end of a child while
 * tmux removes a terminal from utmp. Without the signal, tmux would then never learn the exit code.
 */
function collectEnded(serverPid: number): void {
  try {
    process.kill(serverPid, 'SIGCHLD');
  } catch {
    // The tmux server has ended, so it can no longer report an exit code.
  }
}

/** How many lines are read after a program has ended. The program may have printed more lines than fit on a screen. */
const END_HISTORY_LINES = 50;
/**
 * Matches the note that tmux 3.2 writes into a dead pane. The note may be on the same line as the program's last
 * output.
 */
const DEAD_NOTE = /Pane is dead(?: \([^()]{0,80}\))?$/;

export function createPaneAccess(session: TmuxSession, pane: PaneIdentity, sabotage: Sabotage = {}): PaneAccess {
  const target = pane.paneId;
  checkPaneId('look', target);
  const buffer = `baton-${target.slice(1)}`;

  async function look(): Promise<Look> {
    const line = `display-message -p -t ${target} ${FACTS_FORMAT} ; capture-pane -e -p -t ${target}`;
    const request = { operation: 'look', target, line };
    const blocks = await session.ask(request);
    if (blocks === undefined) return { here: false, reason: 'wrong_server' };
    const facts = blocks[0]?.lines[0] ?? '';
    if (!isFacts(facts)) throw new TerminalFault('failed', 'look', target, `tmux gave an unexpected answer: ${facts}`);
    const reason = absenceOf(pane, facts);
    if (reason !== undefined) return { here: false, reason };
    const [, captured] = answersOf(request, blocks, 2) as [Block, Block];
    return seen(parseFacts(facts) as PaneFacts, captured);
  }

  async function picture(): Promise<Picture | undefined> {
    const ask = `display-message -p -t ${target}`;
    const line = `${ask} ${FACTS_FORMAT} ; ${ask} ${SIZE_FORMAT} ; capture-pane -e -N -p -t ${target}`;
    const request = { operation: 'look', target, line };
    const blocks = await session.ask(request);
    const facts = blocks?.[0]?.lines[0] ?? '';
    if (blocks === undefined || (isFacts(facts) && absenceOf(pane, facts) !== undefined)) return undefined;
    const [, size, captured] = answersOf(request, blocks, 3) as [Block, Block, Block];
    const [columns = 0, rows = 0, shown = 0] = (size.lines[0] ?? '').split('|').map(Number);
    const cursor = shown === 0 ? null : (parseFacts(facts)?.cursor ?? null);
    return { columns, rows, lines: readStyles(captured.lines.slice(0, rows), columns), cursor };
  }

  function guardedLine(condition: string, then: string, otherwise: string): string {
    return `if-shell -F -t ${target} ${quote(condition)} ${quote(then)} ${quote(otherwise)}`;
  }

  async function guarded(operation: string, line: string, ask = session.askOnce): Promise<boolean> {
    return isDone(operation, await ask({ operation, target, line }));
  }

  function isDone(operation: string, blocks: readonly Block[] | undefined): boolean {
    if (blocks === undefined) return false;
    const failed = blocks.find((block) => block.failed);
    if (failed !== undefined) {
      throw new TerminalFault('failed', operation, target, `tmux refused "${operation}": ${failed.lines.join(' ')}`);
    }
    return !blocks.some((block) => block.lines[0] === REFUSED);
  }

  /**
   * Sets the buffer and pastes it with one line of commands. If tmux refuses `set-buffer`, tmux also skips the rest of
   * the line, so an older text is never pasted.
   */
  async function paste(id: string, cursor: Cursor, text: string): Promise<boolean> {
    const stage = `set-buffer -b ${buffer} -- ${quote(text)}`;
    const type = `paste-buffer -p -r -d -b ${buffer} -t ${target}`;
    const mark = markDelivered(target, id);
    const { withoutGuard, beforeMark } = sabotage;
    const then = beforeMark === undefined ? `${type} ; ${mark}` : type;
    const otherwise = `delete-buffer -b ${buffer} ; display-message -p ${REFUSED}`;
    const line = withoutGuard ? then : guardedLine(pasteCondition(pane, cursor, id), then, otherwise);
    const blocks = await session.askOnce({ operation: 'paste', target, line: `${stage} ; ${line}` });
    const pasted = isDone(blocks?.[0]?.failed ? 'stage' : 'paste', blocks);
    if (beforeMark === undefined || !pasted) return pasted;
    await beforeMark();
    return guarded('mark', mark);
  }

  function mark(id: string): Promise<boolean> {
    const line = guardedLine(apiCondition(pane, id), markForApi(target, id), `display-message -p ${REFUSED}`);
    return guarded('mark', line);
  }

  async function unmark(id: string): Promise<void> {
    const found = await look();
    if (!found.here) return;
    const marks = found.facts.delivered.filter((each) => each !== id && each !== apiMark(id));
    const then = setMarks(target, marks);
    await guarded('mark', guardedLine(apiMarkCondition(pane, id), then, `display-message -p ${REFUSED}`));
  }

  /** Presses the Enter key in the tmux pane, but only if the pane and its cursor have not changed. */
  function pressEnter(id: string, cursor: Cursor, key: EnterKey): Promise<boolean> {
    const then = key === 'literal' ? `send-keys -H -t ${target} 0d` : `send-keys -t ${target} Enter`;
    const condition = enterCondition(pane, cursor, id);
    return guarded('enter', guardedLine(condition, then, `display-message -p ${REFUSED}`));
  }

  async function pressDigit(id: string, cursor: Cursor, digit: number): Promise<boolean> {
    if (!Number.isInteger(digit) || digit < 1 || digit > 9)
      throw new TerminalFault('invalid', 'answer', target, `${digit} is not a digit key from 1 to 9`);
    const then = `send-keys -l -t ${target} ${digit} ; ${markDelivered(target, id)}`;
    const condition = pasteCondition(pane, cursor, id);
    return guarded('answer', guardedLine(condition, then, `display-message -p ${REFUSED}`));
  }

  function pressEscape(): Promise<boolean> {
    const line = guardedLine(keyCondition(pane), `send-keys -t ${target} Escape`, `display-message -p ${REFUSED}`);
    return guarded('escape', line);
  }

  async function end(): Promise<void> {
    const line = guardedLine(identityCondition(pane), `kill-pane -t ${target}`, `display-message -p ${REFUSED}`);
    await guarded('end', line, session.ask);
  }

  async function programEnd(): Promise<ProgramEnd | undefined> {
    const ask = `display-message -p -t ${target}`;
    const capture = `capture-pane -p -J -S -${END_HISTORY_LINES} -t ${target}`;
    const request = { operation: 'look', target, line: `${ask} ${FACTS_FORMAT} ; ${ask} ${END_FORMAT} ; ${capture}` };
    const blocks = await session.ask(request);
    const line = blocks?.[0]?.lines[0] ?? '';
    const facts = parseFacts(line);
    // Continue only if the pane is still the same and its program has ended.
    if (blocks === undefined || facts?.dead !== true || !isSamePane(facts.identity)) return undefined;
    const [, how, captured] = answersOf(request, blocks, 3) as [Block, Block, Block];
    const [exitCode, signal] = (how.lines[0] ?? '').split('|').map((text) => (text === '' ? null : Number(text)));
    if ((exitCode ?? signal ?? null) === null) collectEnded(pane.serverPid);
    const lines = captured.lines.map((text) => text.replace(DEAD_NOTE, '').trimEnd()).filter((text) => text !== '');
    return { exitCode: exitCode ?? null, signal: signal ?? null, lines };
  }

  const isSamePane = ({ serverPid, serverStartedAt, panePid, tag }: PaneIdentity): boolean =>
    serverPid === pane.serverPid &&
    serverStartedAt === pane.serverStartedAt &&
    panePid === pane.panePid &&
    tag === pane.tag;

  async function closeAtExit(): Promise<void> {
    const unset = `set-option -p -u -q -t ${target}`;
    const then = `${unset} remain-on-exit ; ${unset} remain-on-exit-format`;
    const line = guardedLine(identityCondition(pane), then, `display-message -p ${REFUSED}`);
    await guarded('close-at-exit', line, session.ask);
  }

  async function whatIsThere() {
    const ask = `display-message -p -t ${target}`;
    const request = { operation: 'look', target, line: `${ask} ${FACTS_FORMAT} ; ${ask} ${TTY_FORMAT}` };
    const blocks = await session.ask(request);
    if (blocks === undefined) return 'no_server';
    const [first, second] = answersOf(request, blocks, 2) as [Block, Block];
    const facts = parseFacts(first.lines[0] ?? '');
    return facts === undefined || facts.dead ? 'no_pane' : { facts, tty: second.lines[0] ?? '' };
  }

  async function claim(): Promise<boolean> {
    checkName('claim', 'tag', pane.tag);
    const then = `set-option -p -t ${target} @baton_tag ${pane.tag}`;
    return guarded('claim', guardedLine(claimCondition(pane), then, `display-message -p ${REFUSED}`), session.ask);
  }

  async function release(): Promise<void> {
    const then = `set-option -p -u -t ${target} @baton_delivered ; set-option -p -u -t ${target} @baton_tag`;
    const line = guardedLine(identityCondition(pane), then, `display-message -p ${REFUSED}`);
    await guarded('release', line, session.ask);
  }

  async function inForeground(): Promise<boolean> {
    const { outside, panePid } = pane;
    if (outside === undefined) return ownsForeground(panePid);
    return (await processMark(outside.pid)) === outside.mark && ownsForeground(outside.pid);
  }

  return {
    look,
    picture,
    inForeground,
    paste,
    markForApi: mark,
    unmarkForApi: unmark,
    pressEnter,
    pressDigit,
    pressEscape,
    programEnd,
    closeAtExit,
    end,
    whatIsThere,
    claim,
    release,
  };
}

function seen(facts: PaneFacts, captured: Block): Look {
  const { x: cursorX, y: cursorY } = facts.cursor;
  return { here: true, facts, screen: { ...readSolid(captured.lines), cursorX, cursorY } };
}
