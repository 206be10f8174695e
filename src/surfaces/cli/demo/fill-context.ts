import { MessageVerdict } from '../../../contract/requests.ts';
import { PATHS } from '../../../contract/routes.ts';
import { DEMO_STORY } from '../../../contract/sample-project.ts';
import { CliFault } from '../cli-fault.ts';
import { lastSeq } from '../client/look-up.ts';
import { awaitAgent } from '../handoffs/watch/await-agent.ts';
import { contextBar } from '../output/context-bar.ts';
import { ink } from '../output/ink.ts';
import { filesIn, newFiles } from './stage/sample-project.ts';
import type { Stage } from './stage/stage.ts';

const FULL_PERCENT = 80;
const IDLE_MS = 20_000;

/** Gives the agent work, one prompt after another, until its context is nearly full. */
export async function fillContext(stage: Stage, agentId: number): Promise<void> {
  const { api, out, places, signal } = stage;
  for (let turn = 1; turn <= DEMO_STORY.maxPrompts; turn += 1) {
    const before = filesIn(places.project);
    out.print('  ', ink('cyan', `❯ ${DEMO_STORY.prompt}`));
    const tools = await haveTurn(stage, agentId);
    const made = newFiles(places.project, before);
    out.print(
      '    ',
      tools.join(' → ') || 'no tools',
      made.length === 0 ? '' : ink('dim', `   new: ${made.join(', ')}`),
    );
    const agent = await awaitAgent(api, agentId, ({ state }) => state === 'idle', {
      timeoutMs: IDLE_MS,
      what: 'idle',
      signal,
    });
    const percent = agent.context?.used_percent ?? 0;
    if (agent.context !== null) out.print('    ', contextBar(agent.context));
    if (percent >= FULL_PERCENT) return;
  }
}

/**
 * Sends a prompt, waits for the end of the turn and returns the tools used, in order. Only events show the end, because
 * right after typing the agent still looks idle.
 */
async function haveTurn({ api, signal }: Stage, agentId: number): Promise<string[]> {
  const after = await lastSeq(api);
  const { verdict, sentence } = (await api.post(PATHS.messages(agentId), { text: DEMO_STORY.prompt }, MessageVerdict))
    .data;
  if (verdict !== 'accepted') throw new CliFault(sentence);
  const tools: string[] = [];
  for await (const { agent_id, type, data } of api.follow({ after, signal })) {
    if (agent_id !== agentId) continue;
    // Each tool use has two events, one before it and one after; only the first is counted.
    if (type === 'tool_used' && data.phase === 'began') tools.push(String(data.tool));
    if (type === 'turn_failed') throw new CliFault(`The agent's turn failed: ${String(data.error)}`);
    if (type === 'turn_ended') break;
  }
  return tools;
}
