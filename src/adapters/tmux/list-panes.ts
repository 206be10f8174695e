import type { PaneStatus } from '../../app/ports/terminal.ts';
import type { Block } from './block-parser.ts';
import { FACTS_FORMAT, parseFacts } from './pane-facts.ts';
import { answersOf, type TmuxSession } from './tmux-session.ts';

/** Tagged panes only. A pane whose window is linked into several sessions is listed once. */
export async function listPanes(session: TmuxSession): Promise<readonly PaneStatus[]> {
  const request = { operation: 'list', target: '', line: `list-panes -a -F ${FACTS_FORMAT}` };
  const blocks = await session.ask(request);
  if (blocks === undefined) return [];
  const [listed] = answersOf(request, blocks, 1) as [Block];
  const panes = new Map<string, PaneStatus>();
  for (const line of listed.lines) {
    const facts = parseFacts(line);
    if (facts === undefined || facts.identity.tag === '' || panes.has(facts.identity.paneId)) continue;
    const { identity, sessionName, dead } = facts;
    panes.set(identity.paneId, { identity, sessionName, dead });
  }
  return [...panes.values()];
}
