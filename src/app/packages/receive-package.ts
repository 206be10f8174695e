import { msBetween } from '../../domain/instant.ts';
import { type ArtifactsSeen, usableHashes } from '../../domain/packages/content/artifact-seen.ts';
import { chainIsWhole } from '../../domain/packages/content/seal-package.ts';
import { type ReceiveReport, receiveReport } from '../../domain/packages/receive-report.ts';
import { isForPerson, isTerminal } from '../../domain/packages/record.ts';
import { isHandoffPackage, latestRevision, type StoredPackage } from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { WorkingDirectory } from '../worktrees/working-directory.ts';
import { type Asking, actorOf, findPackage } from './package-caller.ts';
import { observePackageArtifacts, placeOfPackage, placeOfRevision } from './package-folder.ts';
import { notePackage, recordPackageFact } from './record-package-fact.ts';
import { agentCards } from './seal-package.ts';

export interface Received {
  readonly stored: StoredPackage;
  readonly report: ReceiveReport;
  /** The folder in which the artifacts of the package were checked. */
  readonly folder: string | null;
}

const STALE_MS = 24 * 3_600_000;

/** The observed artifacts of a package, and the folder in which they were observed. */
export interface SeenInPlace {
  readonly artifacts: ArtifactsSeen;
  /** The folder that contains the artifacts; undefined if the project no longer exists. */
  readonly place: WorkingDirectory | undefined;
  /**
   * The files in the caller's own folder that have the same paths as the artifacts (SPEC P32). Absent if the caller
   * works in the folder that contains the artifacts.
   */
  readonly own?: ArtifactsSeen;
  /** The capabilities of the caller's persona (SPEC P16). Absent if the caller has no persona. */
  readonly capabilities?: readonly string[] | undefined;
}

/** Reports what Baton observes about a package now (SPEC P16). The receiver cannot override this report. */
export function reportOn(
  ports: Pick<Ports, 'clock' | 'chance'>,
  stored: StoredPackage,
  seen: SeenInPlace,
): ReceiveReport {
  const { artifacts, place, own, capabilities } = seen;
  const sealed = latestRevision(stored);
  return receiveReport(sealed ?? stored.content, stored.record.type, {
    artifacts: usableHashes(artifacts),
    ...(own === undefined || place === undefined
      ? {}
      : { elsewhere: { where: whereOf(place), own: usableHashes(own) } }),
    ...(capabilities === undefined ? {} : { capabilities }),
    chainIsWhole: chainIsWhole(stored.revisions, ports.chance.sha256),
    ageMs: sealed === undefined ? 0 : msBetween(stored.createdAt, ports.clock.now()),
    staleAfterMs: STALE_MS,
  });
}

const whereOf = ({ folder, worktree }: WorkingDirectory): string =>
  worktree === undefined ? `${folder}, the project's own folder` : `${folder}, on the branch ${worktree.branch}`;

/**
 * Observes a package's artifacts in the folder that contains them. If the caller is an agent that works in another
 * folder, also observes the files with the same paths in that other folder.
 */
export async function observeArtifacts(
  ports: Pick<Ports, 'store' | 'files' | 'packageFiles'>,
  asking: Asking,
  id: string,
): Promise<SeenInPlace | Refusal> {
  const found = ports.store.read((tx) => {
    const known = findPackage(tx, asking, id);
    if (isRefusal(known)) return known;
    const { stored, caller } = known;
    const capabilities = agentCards(tx, stored.projectId).find(({ id: name }) => name === caller.persona)?.capabilities;
    return { stored, place: placeOfPackage(tx, stored), at: placeOfRevision(tx, caller, stored), capabilities };
  });
  if (isRefusal(found)) return found;
  const { stored, place, at, capabilities } = found;
  const artifacts = await observePackageArtifacts(ports, place, stored);
  if (isHandoffPackage(stored) || at === undefined || at.folder === place?.folder)
    return { artifacts, place, capabilities };
  return { artifacts, place, capabilities, own: await observePackageArtifacts(ports, at, stored) };
}

/**
 * Returns the package with its report. Every caller that may see the package may call this function, but only a call of
 * the receiver counts as reading the package.
 */
export async function receivePackage(ports: Ports, asking: Asking, id: string): Promise<Received | Refusal> {
  const seen = await observeArtifacts(ports, asking, id);
  if (isRefusal(seen)) return seen;
  return ports.store.write((tx) => {
    const stored = receiveIn(tx, ports, asking, id, seen);
    return isRefusal(stored)
      ? stored
      : {
          stored,
          report: reportOn(ports, stored, seen),
          folder: isHandoffPackage(stored) ? ports.files.home : (seen.place?.folder ?? null),
        };
  });
}

function receiveIn(tx: Tx, ports: Ports, asking: Asking, id: string, seen: SeenInPlace): StoredPackage | Refusal {
  const found = findPackage(tx, asking, id);
  if (isRefusal(found)) return found;
  const { stored, caller } = found;
  const { record, readRevision } = stored;
  // Reading the package of a handoff run changes no state (SPEC P26).
  const part = isHandoffPackage(stored) ? undefined : actorOf(tx, found, ['receiver']);
  if (part === undefined || isRefusal(part) || part.actor !== 'receiver' || isTerminal(record)) return stored;
  const { agentId } = caller;
  const isNew = readRevision !== record.revision;
  const changes = { readAt: stored.readAt ?? ports.clock.now(), readRevision: record.revision };
  const read = isNew ? notePackage(tx, ports, stored, { note: 'read', agentId, record, changes }) : stored;
  return record.type === 'return' && record.state === 'pending' && !isForPerson(record)
    ? takeReturn(tx, ports, read, { agentId, seen })
    : read;
}

/**
 * Completes a return package that was read, because the package needs no further work. If the report contains a
 * blocking problem, the package is not completed.
 */
function takeReturn(
  tx: Tx,
  ports: Ports,
  read: StoredPackage,
  { agentId, seen }: { readonly agentId: number | null; readonly seen: SeenInPlace },
): StoredPackage | Refusal {
  const report = reportOn(ports, read, seen);
  if (report.blocked) return read;
  const task = `The receiver read the result of ${read.lineage.returnsFor ?? 'the delegation'}.`;
  const acknowledgement = { level: 'full', task, questions: [], blockers: [], starting: true } as const;
  const changes = { receiverAgentId: agentId };
  const taken = recordPackageFact(
    tx,
    ports,
    read,
    { type: 'acknowledged', by: 'receiver', acknowledgement },
    { agentId, report, changes },
  );
  if (isRefusal(taken)) return taken;
  return recordPackageFact(
    tx,
    ports,
    taken,
    { type: 'completed', by: 'receiver', results: [], returned: false },
    { agentId },
  );
}
