import type { ArtifactSeen, ArtifactsSeen } from '../../domain/packages/content/artifact-seen.ts';
import { sealName, sealNow } from '../../domain/packages/content/seal-package.ts';
import { mayBeSealed } from '../../domain/packages/lint/lint-package.ts';
import type { ReceiveReport } from '../../domain/packages/receive-report.ts';
import { isHandoffPackage, latestRevision, type StoredPackage } from '../../domain/packages/stored-package.ts';
import { textDiff } from '../../domain/packages/text-diff.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { TextRead } from '../ports/files/package-files.ts';
import type { Ports } from '../ports/index.ts';
import { MAX_KEPT } from './background/keep-artifacts.ts';
import { followPackage } from './follow-package.ts';
import { type Looked, observeProject } from './observe-project.ts';
import { type Asking, callerOf, findPackage, packageNotFound } from './package-caller.ts';
import { placeOfPackage } from './package-folder.ts';
import { observeArtifacts, reportOn } from './receive-package.ts';
import { lintInStore } from './seal-package.ts';

/** An artifact as it is now, compared with its sealed hash. */
export interface ArtifactNow {
  readonly path: string;
  /** The sealed hash of this path; null if the newest revision has no hash for the path. */
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
  /**
   * Identifies the content and the artifacts in their present state. A person's decision names this value. Null for a
   * draft.
   */
  readonly seen: string | null;
}

/**
 * Reports what Baton observes about a package now. Unlike `receivePackage`, this function does not record that the
 * package was read.
 */
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
    seen: nameNow(ports, stored, seenNow.artifacts),
    folder: isHandoffPackage(stored) ? ports.files.home : place.folder,
    report:
      sealed === undefined
        ? lintOf(ports, asking, stored, await observeProject(ports, place, stored.content))
        : reportOn(ports, stored, seenNow),
  };
}

const nameNow = (ports: Ports, { record: { seal } }: StoredPackage, artifacts: ArtifactsSeen): string | null =>
  seal === null ? null : sealName(sealNow(seal, artifacts), ports.chance.sha256);

/** Lints a draft. The report is `blocked` if a finding prevents sealing the draft. */
function lintOf(ports: Ports, asking: Asking, stored: StoredPackage, looked: Looked): ReceiveReport {
  return ports.store.read((tx) => {
    const caller = callerOf(tx, asking);
    const { content, waivers, record } = stored;
    const followed = isRefusal(caller) ? caller : followPackage(tx, caller, content, looked, record.id);
    // Baton cannot find out how this draft relates to other packages, so the draft cannot be sealed. Lint it as if it
    // had no such relations, and report the findings.
    const about = isRefusal(followed)
      ? { content, type: record.type, before: undefined, open: [], workflow: null }
      : followed;
    const report = lintInStore(tx, ports, about, looked, waivers);
    return { findings: report.findings, blocked: !mayBeSealed(report), unusable: [] };
  });
}

export interface ArtifactContents extends Pick<ArtifactNow, 'path' | 'state'> {
  readonly sealed: ShownText;
  readonly now: ShownText;
  /** The changed lines between the sealed text and the present text. Null if one of these texts cannot be shown. */
  readonly diff: string | null;
}

type ShownText = { readonly text: string } | { readonly whyNot: string };

export interface ShownContents extends Pick<PackageNow, 'seen'> {
  readonly artifacts: readonly ArtifactContents[];
  /** Identifies the version of the package that the shown artifacts belong to; null for a draft. */
  readonly packageSeen: string | null;
}

/**
 * Returns the sealed text and the present text of each artifact, without secrets, and the difference between them (SPEC
 * P39).
 */
export async function showContents(ports: Ports, asking: Asking, id: string): Promise<ShownContents | Refusal> {
  const report = await reportOnPackage(ports, asking, id);
  if (isRefusal(report)) return report;
  const { artifacts, folder, seen, stored } = report;
  const shown = await Promise.all(
    artifacts.slice(0, MAX_KEPT).map(async ({ path, sealed: sha256, now: observed, state }) => {
      const found = await ports.packageFiles.readText(folder, path);
      const now = shownNow(ports, found, observed);
      const kept = sha256 === null ? undefined : await ports.packageFiles.keptText(sha256);
      const sealed = state === 'as_sealed' ? now : kept === undefined ? NOT_KEPT : { text: kept };
      const diff = 'text' in sealed && 'text' in now ? textDiff(sealed.text, now.text) : null;
      return { path, state, sealed, now, diff };
    }),
  );
  return { artifacts: shown, seen, packageSeen: sealName(stored.record.seal, ports.chance.sha256) };
}

/**
 * Shows a text only if its file still has the observed hash. Baton records the person's decision for this hash, so the
 * person must not see another text.
 */
function shownNow({ secrets }: Pick<Ports, 'secrets'>, found: TextRead, observed: string | null): ShownText {
  if (!('text' in found)) return found;
  return found.sha256 === observed ? { text: secrets.redact(found.text) } : CHANGED_MEANWHILE;
}

const CHANGED_MEANWHILE: ShownText = { whyNot: 'the file changed while Baton read it' };

const NOT_KEPT: ShownText = {
  whyNot:
    'Baton keeps the sealed content only of small text files, and only in packages that need a decision of a person',
};
