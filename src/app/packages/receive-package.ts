import { msBetween } from '../../domain/instant.ts';
import { type ArtifactsSeen, usableHashes } from '../../domain/package/artifact-seen.ts';
import { type ReceiveReport, receiveReport } from '../../domain/package/receive-report.ts';
import { chainIsWhole } from '../../domain/package/seal-package.ts';
import { latestRevision, type StoredPackage, tellsOfRun } from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { type Asking, actorOf, findPackage } from './package-caller.ts';
import { notePackage, recordPackageFact } from './record-package-fact.ts';

export interface Received {
  readonly stored: StoredPackage;
  readonly report: ReceiveReport;
}

const STALE_MS = 24 * 3_600_000;

/** P16. What the host sees of a package now; the receiver cannot say otherwise. */
export function reportOn(ports: Ports, stored: StoredPackage, seen: ArtifactsSeen): ReceiveReport {
  const sealed = latestRevision(stored);
  return receiveReport(sealed ?? stored.content, stored.record.type, {
    artifacts: usableHashes(seen),
    stepDefinesDeliverable: false,
    chainIsWhole: chainIsWhole(stored.revisions, ports.chance.sha256),
    ageMs: sealed === undefined ? 0 : msBetween(stored.createdAt, ports.clock.now()),
    staleAfterMs: STALE_MS,
  });
}

/** Looks at the artifacts of a package where it lies. */
export async function lookAtArtifacts(ports: Ports, asking: Asking, id: string): Promise<ArtifactsSeen | Refusal> {
  const found = ports.store.read((tx) => {
    const known = findPackage(tx, asking, id);
    return isRefusal(known) ? known : { ...known, project: tx.projectById(known.stored.projectId) };
  });
  if (isRefusal(found)) return found;
  const { stored, project } = found;
  const paths = new Set([
    ...(stored.content.context.artifacts ?? []).map(({ path }) => path),
    ...Object.keys(stored.record.seal?.artifacts ?? {}),
  ]);
  // The document of a handoff lies in Baton's home, where its persona has it.
  const root = tellsOfRun(stored) ? ports.files.home : project?.path;
  return root === undefined ? {} : ports.packageFiles.look(root, [...paths]);
}

/** The package with its report. In the hands of its receiver it is delivered. */
export async function receivePackage(ports: Ports, asking: Asking, id: string): Promise<Received | Refusal> {
  const seen = await lookAtArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen as Refusal;
  return ports.store.write((tx) => {
    const stored = receiveIn(tx, ports, asking, id);
    return isRefusal(stored) ? stored : { stored, report: reportOn(ports, stored, seen) };
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
