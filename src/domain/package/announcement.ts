import { withRef } from '../handoff/messages.ts';
import { HUMAN } from './package.ts';
import type { StoredPackage } from './stored-package.ts';

export interface Announcement {
  /** The name of the agent that must act. */
  readonly to: string;
  /** The same for the same cause: nobody is told twice of it. */
  readonly cause: string;
}

/** Which agent has to be told of this package, and has not been; undefined: none. */
export function announcementOf({ record, announced }: StoredPackage): Announcement | undefined {
  const { state, from, to, revision, round, reminders } = record;
  const whom =
    state === 'pending' || (state === 'delivered' && revision > 1) ? to : state === 'clarifying' ? from : HUMAN;
  if (whom === HUMAN || (state === 'clarifying' && record.owner !== 'sender')) return undefined;
  const cause = `${state}-${revision}-${round}`;
  if (announced === null || !announced.startsWith(cause)) return { to: whom, cause };
  // Nothing of it was typed, and the waiter is late by now: once more, and not again.
  return announced === refusedCause(cause) && reminders > 0 ? { to: whom, cause: `${cause}-again` } : undefined;
}

export const refusedCause = (cause: string): string => `${cause}-refused`;

export const announcementRef = (id: string, agentId: number, cause: string): string =>
  `package-${id.toLowerCase()}-${agentId}-${cause.replaceAll('_', '-')}`;

/** Ids and names only: what the package says is read by whoever fetches it, as data and with the report of the host. */
export function announcementText({ record }: StoredPackage, ref: string): string {
  const { id, type, from, to, state } = record;
  const text =
    state === 'clarifying'
      ? `Baton: ${record.askedBy === 'human' ? 'the operator' : to} asks about your package ${id}. See the questions: baton package show ${id} - then answer all of them: baton package answer ${id} "ID=TEXT"`
      : `Baton: package ${id} (${type}) from ${from} waits for you. Read it and what the host sees of it: baton package receive ${id} - it ends with what you can do next`;
  return withRef(`${text}.`, ref);
}
