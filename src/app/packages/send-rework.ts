import type { ArtifactsSeen } from '../../domain/package/artifact-seen.ts';
import { mayBeSealed } from '../../domain/package/lint/lint-package.ts';
import type { PackageCaller } from '../../domain/package/package-parties.ts';
import { reworkContent, wantsRework } from '../../domain/package/rework.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import { insertDraft } from './insert-draft.ts';
import { lintInStore } from './lint-in-store.ts';
import { placeOfPackage } from './package-place.ts';
import { sealIn } from './seal-in-store.ts';

/**
 * P31. In the transaction of the decision, so there is one for each. What cannot be sealed (the author is gone) stays a draft of the
 * person, who can address it to another.
 */
export function sendRework(
  tx: Tx,
  ports: Ports,
  rejected: StoredPackage,
  { caller, seen }: { readonly caller: PackageCaller; readonly seen: ArtifactsSeen },
): void {
  const place = placeOfPackage(tx, rejected);
  if (!wantsRework(rejected) || place === undefined) return;
  const git = { kind: 'unknown', why: 'failed', sentence: 'nobody looked' } as const;
  const looked = { project: place.project, place, seen, gates: {}, git, workflow: { kind: 'none' } as const };
  const written = [false, true].map((quoted) => {
    const content = reworkContent(rejected, seen, quoted);
    const about = { content, parent: rejected, looked, waivers: [], workflow: null };
    return { content, report: lintInStore(tx, ports, about) };
  });
  const [plain] = written;
  const fit = written.find(({ report }) => mayBeSealed(report));
  const chosen = fit ?? plain;
  if (chosen === undefined) return;
  const { content, report } = chosen;
  const draft = insertDraft(tx, ports, {
    caller,
    content,
    type: 'sequential',
    parent: rejected,
    place,
  });
  if (fit !== undefined) sealIn(tx, ports, draft, { caller, actor: 'sender', epoch: 1, looked, report });
}
