import { normalised, type WrittenAcknowledgement } from '../../domain/package/judge-acknowledgement.ts';
import type { DeclineCode } from '../../domain/package/package-facts.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import { theTool } from '../../domain/package/tools.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../world.ts';
import { refuseText } from './judge-authored.ts';
import { type Asking, actorOf, findPackage } from './package-caller.ts';
import { lookAtArtifacts, reportOn } from './receive-package.ts';
import { recordPackageFact } from './record-package-fact.ts';

export interface Said {
  readonly acknowledgment: WrittenAcknowledgement & {
    readonly from?: string | undefined;
    readonly action?: string | undefined;
  };
  /** Of the revision that was read. */
  readonly content: string;
  readonly coveredIds: readonly string[];
}

/** P17. The receiver says what it understood; whether that is enough is for the table to judge. The first one wins. */
export async function acknowledgePackage(
  ports: Ports,
  asking: Asking,
  id: string,
  said: Said,
): Promise<StoredPackage | Refusal> {
  const unfit = refuseText(ports, { ...said.acknowledgment });
  if (unfit !== undefined) return unfit;
  const seen = await lookAtArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen;
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const { stored, caller } = found;
    const part = actorOf(tx, found, ['receiver']);
    if (isRefusal(part)) return part;
    const refusal = refuseSaid(stored, said);
    if (refusal !== undefined) return refusal;
    const acknowledgement = normalised(said.acknowledgment, { content: said.content, coveredIds: said.coveredIds });
    const isFirst = stored.record.state === 'delivered' && stored.receiverAgentId !== caller.agentId;
    return recordPackageFact(
      tx,
      ports,
      stored,
      { type: 'acknowledged', by: part.actor, acknowledgement },
      {
        agentId: caller.agentId,
        report: reportOn(ports, stored, seen),
        ...(isFirst ? { changes: { receiverAgentId: caller.agentId } } : {}),
      },
    );
  });
}

function refuseSaid({ record }: StoredPackage, { acknowledgment: { from, action } }: Said): Refusal | undefined {
  if (record.state === 'pending')
    return {
      code: 'package_not_possible',
      sentence: `${record.id} was not read yet, so it cannot be acknowledged.`,
      hint: `Read it first: baton package receive ${record.id}`,
    };
  if (action === 'decline')
    return {
      code: 'bad_request',
      sentence: `An acknowledgement does not decline ${record.id}, so nothing was done.`,
      hint: `Decline it with ${theTool('handoff_decline')}, or by command: baton package decline ${record.id} --code capability --reason WHY`,
    };
  if (from !== undefined && from !== record.from)
    return { code: 'bad_request', sentence: `${record.id} is from ${record.from}, not from ${from}.` };
  return undefined;
}

/** P18. Questions are a partial acknowledgement. */
export const askAboutPackage = (ports: Ports, asking: Asking, id: string, { questions, content }: Asked) =>
  acknowledgePackage(ports, asking, id, {
    acknowledgment: { understood: 'partial', questions, starting: false },
    content,
    coveredIds: [],
  });

export interface Asked {
  readonly questions: readonly string[];
  readonly content: string;
}

export interface Declined {
  readonly code: DeclineCode;
  readonly reason?: string | undefined;
}

export function declinePackage(
  ports: Ports,
  asking: Asking,
  id: string,
  { code, reason }: Declined,
): Promise<StoredPackage | Refusal> {
  return ports.store.write((tx) => {
    const found = findPackage(tx, asking, id);
    if (isRefusal(found)) return found;
    const part = actorOf(tx, found, ['receiver']);
    const unfit = refuseText(ports, { reason });
    if (isRefusal(part) || unfit !== undefined) return isRefusal(part) ? part : (unfit as Refusal);
    const { agentId } = found.caller;
    return recordPackageFact(
      tx,
      ports,
      found.stored,
      { type: 'declined', by: part.actor, code, ...(reason === undefined ? {} : { reason }) },
      { agentId, said: reason },
    );
  });
}
