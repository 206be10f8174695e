import type { Effect } from '../../../domain/effects.ts';
import type { Fact } from '../../../domain/facts.ts';
import { refLine } from '../../../domain/handoffs/prompts/prompts.ts';
import type { Ports } from '../../ports/index.ts';

const PATIENCE_MS = 3_000;
const PACE_MS = 30;

/**
 * Reads the transcript until it contains the prompt, the prompt is confirmed in another way, or the time is up. After
 * that, reconcile continues to check.
 */
export async function confirmPrompt(
  ports: Ports,
  { agentId, runId, ref }: Extract<Effect, { kind: 'confirm_prompt' }>,
): Promise<readonly Fact[]> {
  const until = ports.clock.monotonicMs() + PATIENCE_MS;
  const agent = ports.store.read((tx) => tx.agentById(agentId));
  const transcript = agent && ports.runtimes.get(agent.runtime)?.transcript;
  if (!agent?.transcriptPath || transcript === undefined) return [];
  while (isAwaited(ports, runId, ref) && ports.clock.monotonicMs() < until) {
    if (await transcript.holds(agent.transcriptPath, refLine(ref))) {
      return [{ type: 'prompt_found_in_transcript', agentId, ref }];
    }
    await new Promise<void>((resolve) => ports.clock.after(PACE_MS, resolve));
  }
  return [];
}

function isAwaited(ports: Ports, runId: number, ref: string): boolean {
  const delivery = ports.store.read((tx) => tx.runById(runId)?.delivery);
  return delivery?.ref === ref && !delivery.accepted;
}
