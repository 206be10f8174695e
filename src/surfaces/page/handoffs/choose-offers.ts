import type { Run, RunAction } from '../../../contract/resources.ts';
import { ACTION_NAMES } from '../../../contract/words/action-words.ts';

export type Offer = Run['actions'][number];

/**
 * Returns the label of the button for an action on a run. Most actions always have the same label, but the labels of
 * two actions depend on the step. The button's tooltip has the full sentence.
 */
export function actionLabel(action: RunAction, { step, failure }: Pick<Run, 'step' | 'failure'>): string {
  const at = failure?.at ?? step;
  if (action === 'check_again') return at === 'delivering_prompt' ? 'Check for prompt' : 'Check for document';
  if (action === 'force_exit') return at === 'shutting_down' ? 'Kill agent…' : 'Kill successor…';
  return ACTION_NAMES[action];
}

/**
 * Omits `resume` if the server offers `retry` as well. The two actions have the same effect on a run whose document is
 * recorded.
 */
export const chooseOffers = (actions: readonly Offer[]): readonly Offer[] =>
  actions.filter(({ action }) => action !== 'resume' || !actions.some((each) => each.action === 'retry'));

/**
 * True if the hint of a failed run advises to start a successor without a document. The server gives this advice if the
 * agent ended before the agent wrote a document. The run itself does not offer this action, because the action begins a
 * new handoff.
 */
export const needsSuccessor = ({ step, failure }: Pick<Run, 'step' | 'failure'>): boolean =>
  step === 'failed' && failure !== null && / --emergency\b/.test(failure.hint);

/**
 * Returns the action whose button is emphasized: the first action in the server's list that destroys nothing. The list
 * begins with the action that the operator most likely wants.
 */
export const mainOffer = (offers: readonly Offer[]): Offer | undefined =>
  offers.find(({ action, confirm }) => confirm === null && action !== 'cancel');
