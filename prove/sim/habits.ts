import type { PromptPurpose } from '../../src/domain/facts.ts';

/** How one simulated agent behaves. By default it behaves well; each fault changes a habit or two. */
export interface Habits {
  start: 'soon' | 'dialog' | 'ends_at_once' | 'never' | 'fails_to_run';
  sessionStartsAgain: 'no' | 'compact' | 'resume' | 'clear';
  /** How many presses of Enter the client ignores, for each kind of prompt. */
  swallowedEnters: Partial<Record<PromptPurpose, number>>;
  swallowedPastes: Partial<Record<PromptPurpose, number>>;
  /** The kind of prompt that the operator's own hook blocks after Baton's hook has fired. */
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
  /** The agent's pane remains after the process has ended. */
  paneRemains: boolean;
  skillTurn: 'good' | 'api_error' | 'crash' | 'asks' | 'long';
  injectionTurn: 'good' | 'api_error' | 'crash';
  acknowledges: 'yes' | 'never' | 'wrongly' | 'late';
  /** While the agent works, its screen looks idle or cannot be read. */
  hidesWork: 'no' | 'as_rest' | 'unreadably';
  /** The agent's client reports a status; old clients do not. */
  keepsStatus: boolean;
  /** The prompt's line reaches the transcript this long after its hook. */
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
