import type { PaneStatus, Panes } from '../../app/ports/terminal.ts';
import type { Block } from './connection/block-parser.ts';
import { FACTS_FORMAT, parseFacts, parseServer, SERVER_FORMAT } from './pane-facts.ts';
import { answersOf, type TmuxSession } from './tmux-session.ts';

/** Lists tagged panes only. A pane whose window is linked into several sessions is listed once. */
export async function listPanes(session: TmuxSession): Promise<Panes> {
  const line = `display-message -p ${SERVER_FORMAT} ; list-panes -a -F ${FACTS_FORMAT}`;
  const request = { operation: 'list', target: '', line };
  const blocks = await session.ask(request);
  if (blocks === undefined) return { server: undefined, panes: [] };
  const [server, listed] = answersOf(request, blocks, 2) as [Block, Block];
  const panes = new Map<string, PaneStatus>();
  for (const facts of listed.lines.map(parseFacts)) {
    if (facts === undefined || facts.identity.tag === '' || panes.has(facts.identity.paneId)) continue;
    const { identity, sessionName, dead, staysAtExit } = facts;
    panes.set(identity.paneId, { identity, sessionName, dead, staysAtExit });
  }
  return { server: parseServer(server.lines[0] ?? ''), panes: [...panes.values()] };
}
