import type { Agent } from '../../../contract/resources.ts';
import { Badge, type Tone } from '../parts/badge.tsx';

const WORDS: Readonly<Record<Agent['state'], { readonly tone: Tone; readonly word: string }>> = {
  starting: { tone: 'violet', word: 'Starting' },
  idle: { tone: 'green', word: 'Idle' },
  working: { tone: 'blue', word: 'Working' },
  awaiting_input: { tone: 'amber', word: 'Needs you' },
  unknown: { tone: 'amber', word: 'Unknown' },
  ended: { tone: 'grey', word: 'Ended' },
  lost: { tone: 'red', word: 'Lost' },
};

export const stateInWords = (state: Agent['state']): string => WORDS[state].word;

export const StateBadge = ({ state }: { readonly state: Agent['state'] }) => (
  <Badge tone={WORDS[state].tone}>{stateInWords(state)}</Badge>
);
