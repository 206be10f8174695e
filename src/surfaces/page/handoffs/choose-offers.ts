import type { Run } from '../../../contract/resources.ts';

export type Offer = Run['actions'][number];

/** Hides `resume` beside `retry`: for a run with a record both do the same. */
export const chooseOffers = (actions: readonly Offer[]): readonly Offer[] =>
  actions.filter(({ action }) => action !== 'resume' || !actions.some((each) => each.action === 'retry'));

/** The offer whose button stands out: the first that destroys nothing and continues the run. */
export const mainOffer = (offers: readonly Offer[]): Offer | undefined =>
  offers.find(({ action, confirm }) => confirm === null && action !== 'cancel' && action !== 'wait') ??
  offers.find(({ action }) => action === 'wait');
