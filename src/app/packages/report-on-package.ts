import type { ArtifactSeen } from '../../domain/packages/content/artifact-seen.ts';
import { mayBeSealed } from '../../domain/packages/lint/lint-package.ts';
import type { ReceiveReport } from '../../domain/packages/receive-report.ts';
import { isHandoffPackage, latestRevision, type StoredPackage } from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import { followPackage } from './follow-package.ts';
import { type Looked, observeProject } from './observe-project.ts';
import { type Asking, callerOf, findPackage, packageNotFound } from './package-caller.ts';
import { placeOfPackage } from './package-folder.ts';
import { observeArtifacts, reportOn } from './receive-package.ts';
import { lintInStore } from './seal-package.ts';

/** An artifact as it is now, compared with its sealed hash. */
export interface ArtifactNow {
  readonly path: string;
  /** null if the newest revision has no hash for this path. */
  readonly sealed: string | null;
  readonly now: string | null;
  readonly state: 'as_sealed' | 'changed' | 'not_sealed' | Exclude<ArtifactSeen['kind'], 'file' | 'folder'>;
}

export interface PackageNow {
  readonly stored: StoredPackage;
  readonly report: ReceiveReport;
  readonly artifacts: readonly ArtifactNow[];
  /** The folder in which the artifacts were checked. */
  readonly folder: string;
}

/** Reports what the host observes about a package now. Unlike receiving, this records nothing. */
export async function reportOnPackage(ports: Ports, asking: Asking, id: string): Promise<PackageNow | Refusal> {
  const found = ports.store.read((tx) => {
    const known = findPackage(tx, asking, id);
    if (isRefusal(known)) return known;
    const { stored } = known;
    const place = placeOfPackage(tx, stored);
    return place === undefined ? packageNotFound(id) : { stored, place };
  });
  if (isRefusal(found)) return found;
  const { stored, place } = found;
  const seenNow = await observeArtifacts(ports, asking, id);
  if (isRefusal(seenNow)) return seenNow;
  const sealed = latestRevision(stored);
  const artifacts = ((sealed ?? stored.content).context.artifacts ?? []).map(({ path, sha256 = null }): ArtifactNow => {
    const seen = seenNow.artifacts[path];
    if (seen?.kind !== 'file' && seen?.kind !== 'folder')
      return { path, sealed: sha256, now: null, state: seen?.kind ?? 'missing' };
    const same = seen.sha256 === sha256 ? 'as_sealed' : 'changed';
    return { path, sealed: sha256, now: seen.sha256, state: sha256 === null ? 'not_sealed' : same };
  });
  return {
    stored,
    artifacts,
    folder: isHandoffPackage(stored) ? ports.files.home : place.folder,
    report:
      sealed === undefined
        ? lintOf(ports, asking, stored, await observeProject(ports, place, stored.content))
        : reportOn(ports, stored, seenNow),
  };
}

/** Lints a draft. The report is `blocked` if the findings prevent its seal. */
function lintOf(ports: Ports, asking: Asking, stored: StoredPackage, looked: Looked): ReceiveReport {
  return ports.store.read((tx) => {
    const caller = callerOf(tx, asking);
    const { content, waivers, record } = stored;
    const followed = isRefusal(caller) ? caller : followPackage(tx, caller, content, looked, record.id);
    // If the relations of the draft cannot be determined, lint it without them; sealing would refuse it.
    const about = isRefusal(followed)
      ? { content, type: record.type, before: undefined, open: [], workflow: null }
      : followed;
    const report = lintInStore(tx, ports, about, looked, waivers);
    return { findings: report.findings, blocked: !mayBeSealed(report), unusable: [] };
  });
}
