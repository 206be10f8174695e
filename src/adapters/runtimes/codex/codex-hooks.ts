import { z } from 'zod';
import type { ParsedHook, RawHook } from '../../../app/ports/agent-runtime.ts';
import { parseSessionHook } from '../session-hooks.ts';

/**
 * The fields that only Codex sends. Codex uses the shared hook format, but sends the id of the turn instead of the id
 * of the prompt.
 */
const Own = z.looseObject({
  turn_id: z.string().max(200).nullish().catch(undefined),
  /**
   * The id of the subagent that runs the hook. The field is absent if the agent itself runs the hook. A subagent has
   * its own turns.
   */
  agent_id: z.string().nullish().catch(undefined),
  /**
   * The path of the rollout file. Null in a side conversation (`/side`), because Codex does not store such a
   * conversation.
   */
  transcript_path: z.string().nullish().catch(undefined),
});

export function parseCodexHook({ event, payload }: RawHook): ParsedHook {
  const own = Own.safeParse(payload);
  if (!own.success) return parseSessionHook({ event, payload });
  const { turn_id: turn, agent_id: subagent, transcript_path: path, ...rest } = own.data;
  const shared = { ...rest, ...(turn ? { prompt_id: turn } : {}), ...(path ? { transcript_path: path } : {}) };
  const parsed = parseSessionHook({ event, payload: shared });
  if (parsed.sessionId === null) return parsed;
  return subagent || path === null ? { ...parsed, facts: [] } : parsed;
}
