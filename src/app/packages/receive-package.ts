import { msBetween } from '../../domain/instant.ts';
import { type ArtifactsSeen, usableHashes } from '../../domain/package/artifact-seen.ts';
import { type ReceiveReport, receiveReport } from '../../domain/package/receive-report.ts';
import { chainIsWhole } from '../../domain/package/seal-package.ts';
import { latestRevision, type StoredPackage, tellsOfRun } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import type { WorkPlace } from '../work-place.ts';
import type { Ports } from '../world.ts';
import { type Asking, actorOf, findPackage } from './package-caller.ts';
import { lookForPackage, placeOfPackage, placeOfRevision } from './package-place.ts';
import { notePackage, recordPackageFact } from './record-package-fact.ts';

export interface Received {
  readonly stored: StoredPackage;
  readonly report: ReceiveReport;
  /** Where its artifacts were looked at. */
  readonly folder: string | null;
}

const STALE_MS = 24 * 3_600_000;

/** What was looked at, and where. */
export interface SeenInPlace {
  readonly artifacts: ArtifactsSeen;
  /** Where they lie; undefined: its project is gone. */
  readonly place: WorkPlace | undefined;
  /** P32. Of a caller who works elsewhere: what stands at the same paths there. */
  readonly own?: ArtifactsSeen;
}

/** P16. What the host sees of a package now; the receiver cannot say otherwise. */
export function reportOn(ports: Ports, stored: StoredPackage, { artifacts, place, own }: SeenInPlace): ReceiveReport {
  const sealed = latestRevision(stored);
  return receiveReport(sealed ?? stored.content, stored.record.type, {
    artifacts: usableHashes(artifacts),
    ...(own === undefined || place === undefined
      ? {}
      : { elsewhere: { where: whereOf(place), own: usableHashes(own) } }),
    stepDefinesDeliverable: false,
    chainIsWhole: chainIsWhole(stored.revisions, ports.chance.sha256),
    ageMs: sealed === undefined ? 0 : msBetween(stored.createdAt, ports.clock.now()),
    staleAfterMs: STALE_MS,
  });
}

const whereOf = ({ folder, worktree }: WorkPlace): string =>
  worktree === undefined ? `${folder}, the project's own folder` : `${folder}, on the branch ${worktree.branch}`;

/** Looks at the artifacts of a package where they lie, and for an agent that works elsewhere also there. */
export async function lookAtArtifacts(ports: Ports, asking: Asking, id: string): Promise<SeenInPlace | Refusal> {
  const found = ports.store.read((tx) => {
    const known = findPackage(tx, asking, id);
    if (isRefusal(known)) return known;
    const { stored, caller } = known;
    return { stored, place: placeOfPackage(tx, stored), at: placeOfRevision(tx, caller, stored) };
  });
  if (isRefusal(found)) return found;
  const { stored, place, at } = found;
  const artifacts = await lookForPackage(ports, place, stored);
  if (tellsOfRun(stored) || at === undefined || at.folder === place?.folder) return { artifacts, place };
  return { artifacts, place, own: await lookForPackage(ports, at, stored) };
}

/** The package with its report. In the hands of its receiver it is delivered. */
export async function receivePackage(ports: Ports, asking: Asking, id: string): Promise<Received | Refusal> {
  const seen = await lookAtArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen;
  return ports.store.write((tx) => {
    const stored = receiveIn(tx, ports, asking, id);
    return isRefusal(stored)
      ? stored
      : {
          stored,
          report: reportOn(ports, stored, seen),
          folder: tellsOfRun(stored) ? ports.files.home : (seen.place?.folder ?? null),
        };
  });
}

function receiveIn(tx: Tx, ports: Ports, asking: Asking, id: string): StoredPackage | Refusal {
  const found = findPackage(tx, asking, id);
  if (isRefusal(found)) return found;
  const { stored, caller } = found;
  // P26. It can be read, and that moves nothing.
  if (tellsOfRun(stored)) return stored;
  const part = actorOf(tx, found, ['receiver']);
  if (isRefusal(part)) return part;
  const { record, readAt } = stored;
  if (part.actor !== 'receiver') return stored;
  if (record.state === 'draft') return { code: 'package_not_possible', sentence: `${id} is not sealed yet.` };
  const read =
    readAt === null
      ? notePackage(tx, ports, stored, {
          note: 'read',
          agentId: caller.agentId,
          record,
          changes: { readAt: ports.clock.now() },
        })
      : stored;
  return record.state === 'pending'
    ? recordPackageFact(tx, ports, read, { type: 'delivery_seen', verdict: 'delivered' }, { agentId: caller.agentId })
    : read;
}
