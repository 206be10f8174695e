const GONE = 'crashed|ended_at_start|server_killed|pane_killed|stopped|forced|left_a_shell';
/**
 * Faults that can last longer than a step's deadline: the operator types or reads, tmux hangs, or a tool seems to run
 * forever.
 */
const IN_THE_WAY = 'operator_types|operator_reads|tmux_hung|left_a_shell|tool_told_late';
/** Reasons why an agent did not accept a prompt that Baton pasted. */
const notTaken = (purpose: string) =>
  `(blocked|enters_swallowed|paste_swallowed|stuck_after_paste):${purpose}|dialog_after_paste`;
const NO_DOCUMENT = 'ignored|wrong_path|late_document|interrupted:instruction|queued:instruction';
const by = (...causes: readonly string[]): RegExp => new RegExp(`^(${causes.join('|')})`);

/**
 * For each failure code, the faults that are allowed to make a run fail with this code. Such a fault concerns the
 * agents of the run or the whole simulated world. A run must survive all other faults, for example kills, lost, late or
 * doubled hooks, a failing store, clock jumps and short absences of tmux.
 */
export const EXPLAINED_BY: Readonly<Record<string, RegExp>> = {
  no_safe_point: by(
    'never_rests',
    'never_started',
    'lost:SessionStart',
    'hangs',
    'blocked',
    'enters_swallowed',
    'stuck_after_paste',
    'rest_untold',
    IN_THE_WAY,
  ),
  instruction_not_accepted: by(notTaken('instruction'), IN_THE_WAY),
  agent_gone: by(GONE),
  agent_error: by('api_error:instruction'),
  // One lost hook can cause this failure in two ways. If the Stop hook is lost and the document is unfinished, only the
  // deadline shows that the turn has ended. If the hook that reports the end of a tool is lost and the client reports no status, the
  // tool seems to run until the deadline.
  document_timeout: by(
    'hangs',
    NO_DOCUMENT,
    'no_marker',
    'empty',
    'not_plain',
    'api_error:instruction',
    'tool_end_untold',
    IN_THE_WAY,
  ),
  turn_interrupted: by('interrupted:instruction'),
  conversation_cleared: by(
    'hangs',
    NO_DOCUMENT,
    'no_marker',
    'empty',
    'not_plain',
    'api_error:instruction',
    IN_THE_WAY,
  ),
  document_missing: by(NO_DOCUMENT, GONE, 'turn_misread', 'operator_looked'),
  document_empty: by('empty'),
  document_not_a_regular_file: by('not_plain'),
  document_reached_through_link: by('not_plain'),
  document_too_large: by('not_plain'),
  successor_cannot_start: by('project_gone'),
  did_not_exit: by('exit_ignored', notTaken('exit'), 'rest_untold', IN_THE_WAY),
  agent_lost: by('server_killed'),
  successor_failed: by(GONE, 'tmux_hung', 'launch_unanswered'),
  successor_not_registered: by('never_started', 'lost:SessionStart'),
  // `rest_untold` means that the client reports no status and its Stop hook was lost. Baton then has no evidence that
  // the turn in which the agent got the skill has ended, and must not type the handoff prompt (H49).
  skill_failed: by('api_error:skill', notTaken('skill'), 'rest_untold', GONE, IN_THE_WAY),
  prompt_not_accepted: by(notTaken('injection'), IN_THE_WAY),
  successor_turn_failed: by('api_error:injection'),
  successor_gone: by(GONE),
  successor_did_not_end: by('tmux_hung'),
};
