import type { PromptPurpose } from '../../src/domain/facts.ts';

/** How one simulated agent behaves. The default is a good one; each fault changes a habit or two. */
export interface Habits {
  start: 'soon' | 'dialog' | 'ends_at_once' | 'never' | 'fails_to_run';
  sessionStartsAgain: 'no' | 'compact' | 'resume' | 'clear';
  /** Enters that go by unnoticed, for each kind of prompt. */
  swallowedEnters: Partial<Record<PromptPurpose, number>>;
  swallowedPastes: Partial<Record<PromptPurpose, number>>;
  /** A hook of the user's own that blocks the prompt after ours has fired. */
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
  /** Its pane is kept after its process has ended. */
  paneRemains: boolean;
  skillTurn: 'good' | 'api_error' | 'crash' | 'asks' | 'long';
  injectionTurn: 'good' | 'api_error' | 'crash';
  acknowledges: 'yes' | 'never' | 'wrongly' | 'late';
  /** While it works its screen looks as it does at rest, or as nobody can read it. */
  hidesWork: 'no' | 'as_rest' | 'unreadably';
  /** Its client says of itself what it does; old ones do not. */
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
