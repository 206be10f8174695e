import type { Refusal } from '../refusals.ts';
import type { Actor } from './package-facts.ts';
import type { PackageRecord, Party } from './record.ts';

const ACTS_FOR: Readonly<Record<Actor, Party>> = {
  sender: 'sender',
  receiver: 'receiver',
  operator: 'human',
  host: 'orchestrator',
};

interface Write {
  readonly by: Actor;
  readonly epoch: number;
}

/** P15. Only the owner writes, and only under the epoch in which he came to own it. */
export function refuseWrite(record: PackageRecord, { by, epoch }: Write): Refusal | undefined {
  if (epoch !== record.epoch)
    return {
      code: 'stale_epoch',
      sentence: `${record.id} has changed hands since: it is owned by the ${record.owner} now (epoch ${record.epoch}).`,
      hint: 'Read the package again before you write.',
    };
  if (ACTS_FOR[by] !== record.owner)
    return {
      code: 'not_the_owner',
      sentence: `${record.id} is owned by the ${record.owner}, not by the ${by}.`,
    };
  return undefined;
}
