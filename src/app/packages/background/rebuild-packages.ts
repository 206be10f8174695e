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
  /** Rows that were not what the log says. */
  readonly mended: number;
  /** Files that were missing or said something else. */
  readonly written: number;
}

const PAGE = 1_000;

/** The log is the truth: rows and files are made again from it, and from nothing else. */
export async function rebuildPackages(ports: Ports, writer: PackageWriter): Promise<Rebuilt> {
  // What is being written anyway was neither missing nor wrong; counted here, it would be told as damage.
  await writer.flush();
  const { packages, mended } = await ports.store.write((tx) => {
    const rebuilt = packagesFromLog(tx);
    const wrong = rebuilt.filter((stored) => {
      const row = tx.packageById(stored.record.id);
      return row === undefined || canonicalJson(row) !== canonicalJson(stored);
    });
    for (const stored of wrong) tx.savePackage(stored);
    for (const { record } of rebuilt) tx.packageWritten(record.id, null);
    return { packages: rebuilt.length, mended: wrong.length };
  });
  ports.checkpoint('rebuild:rows');
  return { packages, mended, written: await writer.flush() };
}

export function packagesFromLog(tx: Tx): readonly StoredPackage[] {
  const packages = new Map<string, StoredPackage>();
  for (let page = tx.eventsAfter(0, PAGE); page.length > 0; page = tx.eventsAfter(page.at(-1)?.seq ?? 0, PAGE)) {
    for (const { seq, at, type, data } of page) {
      // A package that was purged is gone: what is left of its events tells nothing.
      if (!isPackageEvent(type) || data.purged === true) continue;
      const told = data as unknown as PackageEventData;
      packages.set(told.packageId, withEvent(packages.get(told.packageId), { seq, at, data: told }));
    }
  }
  return [...packages.values()];
}
