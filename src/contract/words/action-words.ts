import type { RunAction } from '../resources.ts';

/** The names of the actions on a handoff. An ellipsis means that the page asks a question before it acts. */
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
  force_exit: 'Kill…',
  cancel: 'Cancel handoff',
  resume: 'Continue handoff',
  use_recorded: 'Use recorded document…',
  undo: 'Undo handoff…',
};

/** The name of an action in the log. An action that only a newer server knows is shown by its wire name. */
export const actionName = (action: string): string =>
  (Object.hasOwn(ACTION_NAMES, action) ? ACTION_NAMES[action as RunAction] : action.replaceAll('_', ' ')).replace(
    '…',
    '',
  );
