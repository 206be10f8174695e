/** One event of a machine's log, identified by its number and by the hash of the log up to this event. */
export interface LogMark {
  readonly seq: number;
  readonly hash: string;
}

/** The position before the first event of a log. */
export const LOG_START: LogMark = { seq: 0, hash: '' };

/**
 * How the log of this machine relates to the events that the hub has. `continues`: the hub has the beginning of this
 * log. `went_back`: the hub has events that this log does not have. `differs`: an event with the same number has
 * different contents.
 */
export type LogRelation =
  | { readonly is: 'continues'; readonly after: number }
  | { readonly is: 'went_back'; readonly hubSeq: number; readonly ownSeq: number }
  | { readonly is: 'differs'; readonly seq: number };

/**
 * Compares this machine's own log with the last event that the hub has.
 *
 * @param ownHashAt returns the hash of the event that has this number in the machine's own log
 */
export function compareLogs(
  hub: LogMark,
  own: { readonly lastSeq: number },
  ownHashAt: (seq: number) => string | undefined,
): LogRelation {
  if (hub.seq === 0) return { is: 'continues', after: 0 };
  if (hub.seq > own.lastSeq) return { is: 'went_back', hubSeq: hub.seq, ownSeq: own.lastSeq };
  return ownHashAt(hub.seq) === hub.hash ? { is: 'continues', after: hub.seq } : { is: 'differs', seq: hub.seq };
}

/** The reason why a machine stopped forwarding its log. */
export interface FleetHalt {
  readonly code: 'log_went_back' | 'identity_in_use' | 'not_a_member';
  readonly sentence: string;
  readonly hint: string;
}

/**
 * Returns the reason why this machine must not forward its log to the hub. Returns undefined if the log continues the
 * events that the hub has of this machine. If another Baton uses this machine's identity right now (`isOtherAlive`),
 * the home was copied. If not, the home was probably restored from an older copy.
 */
export function haltFor(machine: string, relation: LogRelation, isOtherAlive: boolean): FleetHalt | undefined {
  if (relation.is === 'continues') return undefined;
  if (isOtherAlive) return identityInUse(machine);
  const what =
    relation.is === 'went_back'
      ? `the hub has event ${relation.hubSeq} of ${machine}, but the log of this Baton ends at ${relation.ownSeq}`
      : `event ${relation.seq} of this Baton is not the event that the hub has of ${machine}`;
  return {
    code: 'log_went_back',
    sentence: `This Baton no longer reports to the fleet: ${what}. This Baton's home was probably restored from an older copy`,
    hint: `To start a new history of ${machine} in the fleet, run on ${machine}: baton fleet leave; then on the hub: baton fleet invite ${machine} --replace; then on ${machine}: baton fleet join CODE`,
  };
}

export const identityInUse = (machine: string): FleetHalt => ({
  code: 'identity_in_use',
  sentence: `This Baton no longer reports to the fleet: another Baton reports as ${machine}. One of the two homes is a copy of the other`,
  hint: `On the machine with the copied home, run: baton fleet leave. To add the copy under another name, run on the hub: baton fleet invite OTHER-NAME, and on the copy: baton fleet join CODE. If the original machine still does not report two minutes after you gave these commands, run on the original: baton fleet leave, then on the hub: baton fleet invite ${machine} --replace, then on the original: baton fleet join CODE`,
});
