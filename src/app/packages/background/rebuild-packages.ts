import { canonicalJson } from '../../../domain/packages/content/canonical-json.ts';
import {
  isPackageEvent,
  type PackageEventData,
  type StoredPackage,
  withEvent,
} from '../../../domain/packages/stored-package.ts';
import type { Ports } from '../../ports/index.ts';
import type { Tx } from '../../ports/store.ts';
import type { PackageWriter } from './package-writer.ts';

export interface Rebuilt {
  readonly packages: number;
  /** Number of rows that differed from the log. */
  readonly mended: number;
  /** Number of files that were missing or had another content. */
  readonly written: number;
}

const PAGE = 1_000;

/** Rebuilds the rows and files of packages from the log, which is the only source of truth. */
export async function rebuildPackages(
  ports: Pick<Ports, 'store' | 'checkpoint'>,
  writer: PackageWriter,
): Promise<Rebuilt> {
  // Write pending files first. Otherwise a file that only waits to be written would be counted as damaged.
  await writer.flush();
  const { packages, mended } = await ports.store.write((tx) => {
    const rebuilt = packagesFromLog(tx);
    const wrong = rebuilt.filter((stored) => {
      const row = tx.packageById(stored.record.id);
      return row === undefined || canonicalJson(row) !== canonicalJson(stored);
    });
    for (const stored of wrong) tx.savePackage(stored);
    for (const { record } of rebuilt) tx.packageWritten(record.id, null);
    // Also rebuild the search index from the log. This transaction only marks the whole log as not indexed. Afterwards
    // Baton fills the index in small steps.
    tx.saveSearchBacklog({ next: tx.lastSeq(), last: 1 });
    return { packages: rebuilt.length, mended: wrong.length };
  });
  ports.checkpoint('rebuild:rows');
  return { packages, mended, written: await writer.flush() };
}

export function packagesFromLog(tx: Tx): readonly StoredPackage[] {
  const packages = new Map<string, StoredPackage>();
  for (let page = tx.eventsAfter(0, PAGE); page.length > 0; page = tx.eventsAfter(page.at(-1)?.seq ?? 0, PAGE)) {
    for (const { seq, at, type, data } of page) {
      // Skip purged packages, because their events have no content.
      if (!isPackageEvent(type) || data.purged === true) continue;
      const told = data as unknown as PackageEventData;
      packages.set(told.packageId, withEvent(packages.get(told.packageId), { seq, at, data: told }));
    }
  }
  return [...packages.values()];
}
