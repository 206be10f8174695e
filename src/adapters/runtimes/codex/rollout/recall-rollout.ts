import type { Recollection } from '../../../../domain/handoffs/document/emergency-document.ts';
import type { Line } from './line.ts';

/**
 * Matches a line from which `recallFrom` reads the end of a conversation: a prompt, an answer, a change of files, or a
 * plan.
 */
export const RECALLED =
  /"(?:UserMessage|user_message|AgentMessage|agent_message|FileChange|patch_apply_end|update_plan)"/;

const MAX_MESSAGES = 20;

/**
 * Reads the end of a conversation from the lines of a rollout: prompts and answers, the last plan of the tool
 * `update_plan`, and the files that a patch changed. A subagent has its own rollout, so these lines are the agent's
 * own.
 */
export function recallFrom(lines: readonly Line[]): Recollection {
  const said: { by: 'user' | 'agent'; text: string }[] = [];
  const files = new Set<string>();
  let plan: readonly string[] = [];
  for (const line of lines) {
    for (const by of ['user', 'agent'] as const) {
      const text = saidIn(line, by);
      if (text !== undefined && text.trim() !== '') said.push({ by, text });
    }
    for (const path of changedIn(line)) {
      files.delete(path);
      files.add(path);
    }
    plan = planIn(line) ?? plan;
  }
  return { said: said.slice(-MAX_MESSAGES), plan, files: [...files] };
}

const NAMES = {
  user: { event: 'user_message', item: 'UserMessage' },
  agent: { event: 'agent_message', item: 'AgentMessage' },
} as const;

/**
 * Returns the text of the user or of the agent in a line; undefined for other lines. Older versions write
 * `user_message` and `agent_message` events instead of items.
 */
export function saidIn({ kind, payload }: Line, by: 'user' | 'agent'): string | undefined {
  const { event, item } = NAMES[by];
  if (kind === event) return typeof payload.message === 'string' ? payload.message : undefined;
  if (kind !== 'item_completed') return undefined;
  const { type, content } = (payload.item ?? {}) as { type?: unknown; content?: unknown };
  if (type !== item || !Array.isArray(content)) return undefined;
  return content
    .map((part: { type?: unknown; text?: unknown }) =>
      String(part?.type).toLowerCase() === 'text' ? String(part.text) : '',
    )
    .join('\n');
}

function changedIn({ kind, payload }: Line): readonly string[] {
  const item = kind === 'item_completed' ? (payload.item as Readonly<Record<string, unknown>> | undefined) : payload;
  const isChange = kind === 'patch_apply_end' || (kind === 'item_completed' && item?.type === 'FileChange');
  const isDone = item?.status === 'completed' || item?.success === true;
  return isChange && isDone && typeof item?.changes === 'object' && item.changes !== null
    ? Object.keys(item.changes)
    : [];
}

/** Returns the plan in a call of the tool `update_plan`; undefined for other lines and for unreadable arguments. */
function planIn({ kind, payload }: Line): readonly string[] | undefined {
  if (kind !== 'response_item' || payload.type !== 'function_call' || payload.name !== 'update_plan') return undefined;
  try {
    const { plan } = JSON.parse(String(payload.arguments)) as { plan?: { step?: unknown; status?: unknown }[] };
    return plan?.map(({ step, status }) => `${String(step)} (${String(status)})`);
  } catch {
    return undefined;
  }
}
