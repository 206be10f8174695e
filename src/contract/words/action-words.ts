import type { RunAction } from '../resources.ts';

/**
 * The names of the operator's actions on a handoff. A name ends with an ellipsis if the page asks a question before the
 * action.
 */
export const ACTION_NAMES: Readonly<Record<RunAction, string>> = {
  approve: 'Approve document',
  send_back: 'Send document back…',
  wait: 'Wait longer',
  interrupt: 'Interrupt agent…',
  check_again: 'Check again',
  instruct_again: 'Request document again',
  adopt: 'Use another file…',
  retry: 'Retry step',
  accept: 'Complete anyway',
  nudge: 'Remind successor',
  message: 'Message successor…',
  force_exit: 'Kill…',
  cancel: 'Cancel handoff',
  resume: 'Continue handoff',
  use_recorded: 'Use recorded document…',
  undo: 'Undo handoff…',
};

/**
 * Returns the name of an action. For an action that only a newer version of Baton knows, returns the API name of the
 * action.
 */
export const actionName = (action: string): string =>
  (Object.hasOwn(ACTION_NAMES, action) ? ACTION_NAMES[action as RunAction] : action.replaceAll('_', ' ')).replace(
    '…',
    '',
  );
