import type { Run } from '../../../contract/resources.ts';

export type Offer = Run['actions'][number];

/** Resume is the retry of a run with a record, by another name. */
export const chooseOffers = (actions: readonly Offer[]): readonly Offer[] =>
  actions.filter(({ action }) => action !== 'resume' || !actions.some((each) => each.action === 'retry'));

/** One button stands out: the first that destroys nothing and leads on. Cancelling leads nowhere. */
export const mainOffer = (offers: readonly Offer[]): Offer | undefined =>
  offers.find(({ action, confirm }) => confirm === null && action !== 'cancel' && action !== 'wait') ??
  offers.find(({ action }) => action === 'wait');
