import { isOpen } from '../messages/operator-message.ts';
import type { Agent } from './agent.ts';
import { isBeingGiven } from './question.ts';

/** True while the outcome of one of the agent's messages or answers is unknown. */
export const isUnsettled = ({ messages, answers }: Pick<Agent, 'messages' | 'answers'>): boolean =>
  messages.some(isOpen) || answers.some(isBeingGiven);
