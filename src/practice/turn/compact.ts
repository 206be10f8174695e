import type { Parts } from '../parts.ts';
import { startSession } from '../session/start-session.ts';

/** As the real client: no Stop, the same session id, and SessionStart in the middle. */
export async function compact(parts: Parts, trigger: 'auto' | 'manual'): Promise<void> {
  const { hooks, contextUse, memory, view } = parts;
  await hooks.fire('PreCompact', () => ({ trigger, custom_instructions: null }));
  contextUse.compact();
  await startSession(parts, 'compact');
  const compact_summary = `${memory.done.length} items done, ${memory.nextSteps.length} left.`;
  await hooks.fire('PostCompact', () => ({ trigger, compact_summary }));
  view.add('note', `Compacted (${trigger}). ${compact_summary}`);
}
