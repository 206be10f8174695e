import type { AgentState, StateCause } from './agent.ts';

/**
 * Baton 0.1.0 stored the reason of an agent's state as a sentence, but not the cause. So the first words of that
 * sentence must identify the cause.
 */
const OLD_REASONS: readonly (readonly [AgentState | null, string, StateCause])[] = [
  [null, 'tmux has not said whether it was started', 'launch_unknown'],
  ['starting', 'was started, but its session has not begun', 'start_overdue'],
  ['ended', 'could not be started: ', 'launch_failed'],
  ['awaiting_input', 'another program has its terminal', 'terminal_taken'],
  ['awaiting_input', 'a menu is open in its terminal', 'menu_open'],
  ['idle', 'its turn was interrupted', 'interrupted'],
  ['idle', 'a prompt from Baton stands in its composer, unsent', 'prompt_returned'],
  ['idle', 'its turn failed: ', 'turn_failed'],
];

/**
 * Returns the cause of an agent's state for a row of Baton 0.1.0, which stored no cause. Returns null if Baton does not
 * recognize the stored reason by its beginning.
 */
export const causeInOldRow = (state: AgentState, stateReason: string): StateCause | null =>
  OLD_REASONS.find(([of, words]) => (of ?? state) === state && stateReason.startsWith(words))?.[2] ?? null;
