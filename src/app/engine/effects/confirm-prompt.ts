import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { refLine } from '../../../domain/handoffs/prompts/prompts.ts';
import { awaitNews } from '../../await-news.ts';
import type { Ports } from '../../ports/index.ts';

const PATIENCE_MS = 3_000;
/**
 * The delay before the second read of the transcript. The delay is short, because a client usually writes the prompt at
 * once.
 */
const FIRST_PACE_MS = 5;
const MAX_PACE_MS = 30;

/**
 * Reads the transcript repeatedly until it contains the prompt, a hook confirms the prompt, or the time is up. Once the
 * time is up, only reconcile continues to check.
 */
export async function confirmPrompt(
  ports: Ports,
  { agentId, runId, ref }: Extract<Effect, { kind: 'confirm_prompt' }>,
): Promise<readonly Fact[]> {
  const until = ports.clock.monotonicMs() + PATIENCE_MS;
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  const transcript = agent && ports.runtimes.get(agent.runtime)?.transcript;
  if (!agent?.transcriptPath || transcript === undefined) return [];
  let paceMs = FIRST_PACE_MS;
  while (isAwaited(ports, runId, ref) && ports.clock.monotonicMs() < until) {
    if (await transcript.holds(agent.transcriptPath, refLine(ref))) {
      return [{ type: 'prompt_found_in_transcript', agentId, ref }];
    }
    const waitMs = paceMs;
    await awaitNews(ports, waitMs);
    paceMs = Math.min(MAX_PACE_MS, paceMs * 2);
  }
  return [];
}

function isAwaited(ports: Ports, runId: number, ref: string): boolean {
  const delivery = ports.store.read((tx) => tx.runById(runId)?.delivery);
  return delivery?.ref === ref && !delivery.accepted;
}
