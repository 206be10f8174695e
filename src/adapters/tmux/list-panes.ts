import type { PaneStatus, Panes } from '../../app/ports/terminal.ts';
import type { Block } from './connection/block-parser.ts';
import { LIST_FORMAT, parseListed, parseServer, SERVER_FORMAT } from './pane-facts.ts';
import { answersOf, type TmuxSession } from './tmux-session.ts';

/** Lists only panes with Baton's tag. A pane whose window is linked into several sessions is listed once. */
export async function listPanes(session: TmuxSession): Promise<Panes> {
  const asked = `display-message -p ${SERVER_FORMAT} ; list-panes -a -F ${LIST_FORMAT}`;
  const request = { operation: 'list', target: '', line: asked };
  const askedAtMs = Date.now();
  const blocks = await session.ask(request);
  if (blocks === undefined) return { server: undefined, panes: [] };
  const [server, listed] = answersOf(request, blocks, 2) as [Block, Block];
  const panes = new Map<string, PaneStatus>();
  for (const line of listed.lines) {
    const status = parseListed(line, askedAtMs);
    if (status !== undefined && !panes.has(status.identity.paneId)) panes.set(status.identity.paneId, status);
  }
  return { server: parseServer(server.lines[0] ?? ''), panes: [...panes.values()] };
}
