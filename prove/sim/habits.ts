import type { PromptPurpose } from '../../src/domain/facts.ts';

/** The habits of one simulated agent. By default the agent behaves well, and each fault changes one or two habits. */
export interface Habits {
  start: 'soon' | 'dialog' | 'ends_at_once' | 'never' | 'fails_to_run';
  sessionStartsAgain: 'no' | 'compact' | 'resume' | 'clear';
  /** How many presses of Enter the client ignores, for each purpose of a prompt. */
  swallowedEnters: Partial<Record<PromptPurpose, number>>;
  swallowedPastes: Partial<Record<PromptPurpose, number>>;
  /** The purpose of the prompts that a hook of the operator blocks after Baton's hook has run. */
  blocks: PromptPurpose | undefined;
  handoffTurn:
    | 'good'
    | 'ignores'
    | 'wrong_path'
    | 'empty'
    | 'link'
    | 'folder'
    | 'huge'
    | 'no_marker'
    | 'in_parts'
    | 'in_background'
    | 'after_the_stop'
    | 'api_error'
    | 'crash_before'
    | 'crash_between_parts'
    | 'crash_after'
    | 'hangs';
  asksInHandoffTurn: boolean;
  compacts: boolean;
  exit: 'leaves' | 'ignores' | 'slowly' | 'to_a_shell';
  sessionEnds: boolean;
  /** If true, the agent's pane remains after the agent's process has ended. */
  paneRemains: boolean;
  skillTurn: 'good' | 'api_error' | 'crash' | 'asks' | 'long';
  injectionTurn: 'good' | 'api_error' | 'crash';
  acknowledges: 'yes' | 'never' | 'wrongly' | 'late';
  /** How the screen hides that the agent is working: the screen looks idle, or Baton cannot read the screen. */
  hidesWork: 'no' | 'as_rest' | 'unreadably';
  /** If true, the agent's client reports its status. Old clients report no status. */
  keepsStatus: boolean;
  /** The time between the prompt's hook and the appearance of the prompt in the transcript. */
  transcriptLagMs: number;
}

export const goodHabits = (): Habits => ({
  start: 'soon',
  sessionStartsAgain: 'no',
  swallowedEnters: {},
  swallowedPastes: {},
  blocks: undefined,
  handoffTurn: 'good',
  asksInHandoffTurn: false,
  compacts: false,
  exit: 'leaves',
  sessionEnds: true,
  paneRemains: false,
  skillTurn: 'good',
  injectionTurn: 'good',
  acknowledges: 'yes',
  hidesWork: 'no',
  keepsStatus: true,
  transcriptLagMs: 40,
});
