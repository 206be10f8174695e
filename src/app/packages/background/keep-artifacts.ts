import { isForPerson } from '../../../domain/packages/record.ts';
import { latestRevision, type StoredPackage } from '../../../domain/packages/stored-package.ts';
import type { Ports } from '../../ports/index.ts';
import { placeOfPackage } from '../package-folder.ts';

/** Maximum number of artifacts of one package whose texts Baton keeps and shows. */
export const MAX_KEPT = 20;

/**
 * Keeps the texts of the artifacts that a person must decide about, with secrets removed (SPEC P39). The kept texts
 * show the person what has changed since the package was sealed. Only text files are kept, and only while they match
 * the sealed version.
 */
export async function keepArtifacts(
  ports: Pick<Ports, 'store' | 'packageFiles' | 'secrets'>,
  stored: StoredPackage,
): Promise<void> {
  if (stored.record.state !== 'pending' || !isForPerson(stored.record)) return;
  const folder = ports.store.read((tx) => placeOfPackage(tx, stored))?.folder;
  const artifacts = (latestRevision(stored)?.context.artifacts ?? []).slice(0, MAX_KEPT);
  for (const { path, sha256 } of folder === undefined ? [] : artifacts) {
    if (sha256 === undefined || (await ports.packageFiles.keptText(sha256)) !== undefined) continue;
    const found = await ports.packageFiles.readText(folder ?? '', path);
    if ('text' in found && found.sha256 === sha256)
      await ports.packageFiles.keepText(sha256, ports.secrets.redact(found.text));
  }
}
