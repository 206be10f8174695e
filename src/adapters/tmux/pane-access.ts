import type { PaneIdentity, Screen } from '../../app/ports/terminal.ts';
import type { Block } from './block-parser.ts';
import { checkPaneId } from './checks.ts';
import { ownsForeground } from './foreground.ts';
import {
  type Absence,
  absenceOf,
  FACTS_FORMAT,
  identityCondition,
  isFacts,
  type PaneFacts,
  parseFacts,
  typingCondition,
} from './pane-facts.ts';
import { quote } from './quote.ts';
import { TerminalFault } from './terminal-fault.ts';
import { answersOf, type TmuxSession } from './tmux-session.ts';

export type Look =
  | { readonly here: true; readonly facts: PaneFacts; readonly screen: Screen }
  | { readonly here: false; readonly reason: Absence };

/** Everything that is ever done to one pane. Each member is one command line, so tmux carries it out in one go. */
export interface PaneAccess {
  look(): Promise<Look>;
  inForeground(): Promise<boolean>;
  stage(text: string): Promise<void>;
  /** false: the guard refused, and nothing was typed. */
  paste(deliveryId: string): Promise<boolean>;
  pressEnter(deliveryId: string, literal: boolean): Promise<boolean>;
  end(): Promise<void>;
}

const REFUSED = 'baton-guard-refused';

export function createPaneAccess(session: TmuxSession, pane: PaneIdentity): PaneAccess {
  const target = pane.paneId;
  checkPaneId('look', target);
  const buffer = `baton-${target.slice(1)}`;

  async function look(): Promise<Look> {
    const line = `display-message -p -t ${target} ${FACTS_FORMAT} ; capture-pane -p -t ${target}`;
    const request = { operation: 'look', target, line };
    const blocks = await session.ask(request);
    if (blocks === undefined) return { here: false, reason: 'wrong_server' };
    const facts = blocks[0]?.lines[0] ?? '';
    if (!isFacts(facts)) throw new TerminalFault('failed', 'look', target, `tmux gave an unexpected answer: ${facts}`);
    const reason = absenceOf(pane, facts);
    if (reason !== undefined) return { here: false, reason };
    const [, captured] = answersOf(request, blocks, 2) as [Block, Block];
    return { here: true, ...screenOf(parseFacts(facts) as PaneFacts, captured) };
  }

  async function guarded(operation: string, condition: string, then: string, otherwise: string): Promise<boolean> {
    const line = `if-shell -F -t ${target} ${quote(condition)} ${quote(then)} ${quote(otherwise)}`;
    const blocks = await session.askOnce({ operation, target, line });
    if (blocks === undefined) return false;
    const failed = blocks.find((block) => block.failed);
    if (failed !== undefined) {
      throw new TerminalFault('failed', operation, target, `tmux refused "${operation}": ${failed.lines.join(' ')}`);
    }
    return !blocks.some((block) => block.lines[0] === REFUSED);
  }

  async function stage(text: string): Promise<void> {
    const request = { operation: 'stage', target, line: `set-buffer -b ${buffer} -- ${quote(text)}` };
    const blocks = await session.askOnce(request);
    if (blocks !== undefined) answersOf(request, blocks, 1);
  }

  function paste(id: string): Promise<boolean> {
    const condition = typingCondition(pane, '!=', id);
    const then = `paste-buffer -p -r -d -b ${buffer} -t ${target} ; set-option -p -t ${target} @baton_delivered ${id}`;
    return guarded('paste', condition, then, `delete-buffer -b ${buffer} ; display-message -p ${REFUSED}`);
  }

  function pressEnter(id: string, literal: boolean): Promise<boolean> {
    const keys = literal ? `send-keys -H -t ${target} 0d` : `send-keys -t ${target} Enter`;
    return guarded('enter', typingCondition(pane, '==', id), keys, `display-message -p ${REFUSED}`);
  }

  async function end(): Promise<void> {
    await guarded('end', identityCondition(pane), `kill-pane -t ${target}`, `display-message -p ${REFUSED}`);
  }

  return { look, inForeground: () => ownsForeground(pane.panePid), stage, paste, pressEnter, end };
}

function screenOf(facts: PaneFacts, captured: Block): { facts: PaneFacts; screen: Screen } {
  return { facts, screen: { lines: captured.lines, cursorX: facts.cursorX, cursorY: facts.cursorY } };
}
