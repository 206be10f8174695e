import type { Event } from '../../../contract/resources.ts';
import { CliFault } from '../cli-fault.ts';
import { getAgent } from '../client/look-up.ts';
import { contextBar } from '../output/context-bar.ts';
import { ink } from '../output/ink.ts';
import { filesIn, newFiles } from './stage/project-files.ts';
import type { Stage } from './stage/stage.ts';

/** Prints each turn of the agent. Returns the first event of the handoff that follows. */
export async function watchWork(stage: Stage, agentId: number, after: number): Promise<Event> {
  const { api, out, project, signal } = stage;
  let files = filesIn(project);
  let tools: string[] | undefined;
  for await (const event of api.follow({ after, signal })) {
    const { agent_id, run_id, type, data } = event;
    if (agent_id !== agentId) continue;
    if (run_id !== null) return event;
    if (endsTheWork(event)) throw new CliFault(event.sentence);
    if (type === 'message_begun') {
      tools = [];
      out.print('  ', ink('cyan', `❯ ${String(data.excerpt)}`));
    }
    // Each use of a tool has two events: one before and one after the use. Only the first event is counted.
    if (type === 'tool_used' && data.phase === 'began') tools?.push(String(data.tool));
    if (type !== 'turn_ended' || tools === undefined) continue;
    const made = newFiles(project, files);
    files = filesIn(project);
    const shown = made.length === 0 ? '' : ink('dim', `   new: ${made.join(', ')}`);
    out.print('    ', tools.join(' → ') || 'no tools', shown);
    const { context } = (await getAgent(api, agentId)).data;
    if (context !== null) out.print('    ', contextBar(context));
  }
  throw new CliFault('The event stream ended before the handoff began.');
}

/**
 * True if this event means that the demo cannot reach its handoff: an agent did not accept a prompt, ended or is lost.
 */
const endsTheWork = ({ type, data }: Event): boolean =>
  (type === 'message_verdict' && data.verdict !== 'accepted') ||
  (type === 'agent_state_changed' && (data.to === 'ended' || data.to === 'lost'));
