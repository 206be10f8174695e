import type { Agent, Run } from '../../../contract/resources.ts';
import type { Tone } from '../../../contract/words/tone.ts';

const WORDS: Readonly<Record<Agent['state'], { readonly tone: Tone; readonly word: string }>> = {
  starting: { tone: 'violet', word: 'Starting' },
  idle: { tone: 'green', word: 'Idle' },
  working: { tone: 'blue', word: 'Working' },
  awaiting_input: { tone: 'amber', word: 'Needs you' },
  limited: { tone: 'amber', word: 'Usage limit' },
  unknown: { tone: 'amber', word: 'Unknown' },
  ended: { tone: 'grey', word: 'Ended' },
  lost: { tone: 'red', word: 'Lost' },
};

export const stateInWords = (state: Agent['state']): string => WORDS[state].word;

/**
 * Returns the word and color of an agent's badge. An agent that waits for a decision or is stuck is not shown as merely
 * idle.
 */
export function badgeOf(
  { state, needs }: Pick<Agent, 'state' | 'needs'>,
  run?: Pick<Run, 'step'>,
): { readonly tone: Tone; readonly word: string } {
  if (run?.step === 'failed') return { tone: 'red', word: 'Handoff failed' };
  if (needs?.severity === 'stuck' && state === 'idle') return { tone: 'amber', word: 'Stuck' };
  return needs?.severity === 'decision' && state === 'idle' ? WORDS.awaiting_input : WORDS[state];
}
