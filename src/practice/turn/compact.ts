import type { Parts } from '../parts.ts';
import { startSession } from '../session/start-session.ts';

/**
 * The number of subagents that write the summary, as in the real client. Each of them ends with a SubagentStop hook.
 */
const HELPERS = 2;

/**
 * Compacts the conversation like the real client, and keeps the session id. Fires PreCompact, SubagentStop,
 * SessionStart and PostCompact in this order, but no Stop.
 */
export async function compact(parts: Parts, trigger: 'auto' | 'manual'): Promise<void> {
  const { hooks, contextUse, memory, view } = parts;
  await hooks.fire('PreCompact', () => ({ trigger, custom_instructions: null }));
  for (let helper = 0; helper < HELPERS; helper += 1) {
    await hooks.fire('SubagentStop', () => ({ background_tasks: [], last_assistant_message: 'Summarised.' }));
  }
  contextUse.compact();
  await startSession(parts, 'compact');
  const compact_summary = `${memory.done.length} items done, ${memory.nextSteps.length} left.`;
  await hooks.fire('PostCompact', () => ({ trigger, compact_summary }));
  view.add('note', `Compacted (${trigger}). ${compact_summary}`);
}
