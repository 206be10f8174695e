import { createHash } from 'node:crypto';
import { parseSessionHook } from '../../src/adapters/runtimes/session-hooks.ts';
import type { RawHook } from '../../src/app/ports/agent-runtime.ts';
import type { AgentFact } from '../../src/domain/facts.ts';
import { instantFromMs } from '../../src/domain/instant.ts';
import type { Message } from '../../src/domain/messages/operator-message.ts';
import { trackMessages } from '../../src/domain/messages/track-messages.ts';
import { comparable } from '../../src/domain/plain-text.ts';
import type { Receipts } from './judge-receipt.ts';

export interface Watch {
  receipts(): Receipts;
  awaitReceipts(withinMs: number): Promise<Receipts>;
}

const AGENT = 1;
const REF = 'delivery';
const hashOf = (text: string): string => createHash('sha256').update(comparable(text)).digest('hex');

/**
 * Decides what hooks and transcript lines prove about a delivered text. Uses the rule by which Baton itself judges
 * messages (src/domain/messages/track-messages.ts).
 */
export function receiptsIn(text: string, hooks: readonly RawHook[], lines: readonly (string | undefined)[]): Receipts {
  const textHash = hashOf(text);
  const facts = hooks
    .flatMap((hook) => parseSessionHook(hook).facts)
    .map((fact) => ({ ...fact, agentId: AGENT }) as AgentFact);
  const found = lines.some((line) => line !== undefined && hashOf(line) === textHash);
  if (found) facts.push({ type: 'prompt_found_in_transcript', agentId: AGENT, ref: REF });
  const begun = { type: 'message_begun', agentId: AGENT, ref: REF, textHash, excerpt: '', sentBy: '' } as const;
  const track = (messages: readonly Message[], fact: AgentFact) =>
    trackMessages({ id: AGENT, turnPromptId: null, messages }, fact, instantFromMs(0));
  const [message] = facts.reduce(track, track([], { ...begun, transcript: null }));
  return { submitted: message?.submitted != null, accepted: message?.verdict?.verdict === 'accepted' };
}
