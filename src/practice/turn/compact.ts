import type { Parts } from '../parts.ts';
import { startSession } from '../session/start-session.ts';

/** The number of subagents with which the real client writes the summary. Each of them fires a hook when it ends. */
const HELPERS = 2;

/** Compacts like the real client: without Stop, with the same session id, and with SessionStart in the middle. */
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
