import { canonicalJson } from '../../../domain/packages/content/canonical-json.ts';
import type { PackageRecord } from '../../../domain/packages/record.ts';
import { latestRevision, type StoredPackage } from '../../../domain/packages/stored-package.ts';
import { type Acknowledgment, acknowledgmentAsWritten } from '../../../domain/packages/validate-acknowledgment.ts';
import type { Health } from '../../engine/health.ts';
import type { ArchiveFile } from '../../ports/files/package-files.ts';
import type { Ports } from '../../ports/index.ts';
import type { Project } from '../../ports/store.ts';
import { isArchived } from '../package-folder.ts';
import { keepArtifacts } from './keep-artifacts.ts';
import { createStateWriter } from './state-writer.ts';

/** Writes the files of packages from the log and keeps them up to date. Baton never reads these files. */
export interface PackageWriter {
  /** Writes the files of changed packages. Must be called when a package may have changed. */
  wake(): void;
  /**
   * Resolves when every file that can be written is up to date. Returns how many files were missing or had another
   * content.
   */
  flush(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Writes the outdated files of packages. Records for each package the latest event that its files include. After a
 * crash, the same bytes are written again. Two writes never run at the same time, so an older state never overwrites a
 * newer one.
 */
export function createPackageWriter(ports: Ports, health: Health): PackageWriter {
  const states = createStateWriter(ports, health);
  let stopped = false;
  let wanted = false;
  let isUrgent = false;
  let current: Promise<void> | undefined;
  let rewritten = 0;

  const loop = async (): Promise<void> => {
    while (wanted && !stopped) {
      wanted = false;
      rewritten += await writeBehind(ports, health, states.mark);
      const when = isUrgent ? 'now' : undefined;
      isUrgent = false;
      rewritten += await states.write(when);
    }
  };
  const run = (): Promise<void> => {
    wanted = true;
    current ??= loop().finally(() => {
      current = undefined;
      if (!stopped) states.later(() => void run());
    });
    return current;
  };
  return {
    wake: () => {
      const isBehind = (): boolean => ports.store.read((tx) => tx.packagesBehind(1)).length > 0;
      if (!stopped && (states.isDue() || isBehind())) void run();
    },
    flush: async () => {
      const before = rewritten;
      isUrgent = true;
      await run();
      return rewritten - before;
    },
    stop: async () => {
      stopped = true;
      await current;
      await states.write('now');
    },
  };
}

/** Number of packages per batch. The files of a batch are written and recorded before the next batch is read. */
const MAX_AT_ONCE = 100;
/**
 * Number of packages whose files are written at the same time, because the disk can flush several files in the same
 * time as one file.
 */
const SIDE_BY_SIDE = 8;

async function writeBehind(ports: Ports, health: Health, touched: (projectId: number) => void): Promise<number> {
  let written = 0;
  let last: string | undefined;
  for (;;) {
    const behind = ports.store.read((tx) => tx.packagesBehind(MAX_AT_ONCE, last));
    if (behind.length === 0) return written;
    // Begin the next batch after the last package of this batch, even if the files of that package could not be
    // written. Otherwise one package that cannot be written would block all later packages.
    last = behind.at(-1)?.record.id;
    for (const projectId of new Set(behind.map((each) => each.projectId))) {
      const project = ports.store.read((tx) => tx.projectById(projectId));
      if (project === undefined) continue;
      const own = behind.filter((each) => each.projectId === projectId);
      touched(projectId);
      written += (await health.guard(writing(project), () => writeProject(ports, project, own))) ?? 0;
    }
  }
}

const writing = ({ name }: Project): string => `write the packages of ${name}`;

async function writeProject(ports: Ports, project: Project, behind: readonly StoredPackage[]): Promise<number> {
  let written = 0;
  const done: StoredPackage[] = [];
  let fault: unknown;
  const left = [...behind];
  const work = async (): Promise<void> => {
    for (let stored = left.shift(); stored !== undefined; stored = left.shift()) {
      try {
        await keepArtifacts(ports, stored);
        // Add after the await: `written += await …` reads the sum first, so the additions of parallel writes get lost.
        const count = await writeArchive(ports, project, stored);
        written += count;
        done.push(stored);
      } catch (error) {
        // Continue with the other packages: one folder that cannot be written must not block them. The error is thrown
        // at the end.
        fault ??= error;
      }
      ports.checkpoint('package:archived');
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  // Write to the store only if the files of at least one package were written. Each transaction starts this writer
  // again. So if every file failed, a transaction would start an endless loop.
  if (done.length > 0)
    await ports.store.write((tx) => {
      for (const { record, seq } of done) tx.packageWritten(record.id, seq);
      tx.markStateStale(project.id, Math.max(...done.map(({ seq }) => seq)));
    });
  ports.checkpoint('package:noted');
  if (fault !== undefined) throw fault;
  return written;
}

async function writeArchive(ports: Ports, { path: root }: Project, stored: StoredPackage): Promise<number> {
  const files = isArchived(ports, root, stored) ? archiveFiles(stored) : [];
  const { session, uid, record } = stored;
  return files.length === 0 ? 0 : ports.packageFiles.writeArchive({ root, session, id: record.id, uid, files });
}

/**
 * Returns the files of a package. The newest revision is in a file with the name of the package; earlier revisions, the
 * record and the acknowledgment are in separate files. A package that goes back to its sender or to another receiver
 * loses its acknowledgment. A draft has no files.
 */
function archiveFiles(stored: StoredPackage): readonly ArchiveFile[] {
  const { record, revisions } = stored;
  const newest = latestRevision(stored);
  if (newest === undefined) return [];
  return [
    { name: `${record.id}.yaml`, value: { handoff: newest } },
    ...revisions
      .slice(0, -1)
      .map((sealed) => ({ name: `${record.id}.r${sealed.revision}.yaml`, value: { handoff: sealed } })),
    { name: `${record.id}.record.yaml`, value: wayOf(stored) },
    {
      name: `${record.id}.ack.yaml`,
      value: record.acknowledgement === null ? undefined : { acknowledgment: writtenAcknowledgment(record) },
    },
  ];
}

/** Returns the acknowledgment in the format of specification 004. */
const writtenAcknowledgment = ({ acknowledgement, from }: PackageRecord): unknown =>
  acknowledgmentAsWritten(JSON.parse(acknowledgement ?? '{}') as Acknowledgment, from);

const wayOf = ({ record, findings, waivers, answers, results, readAt, acceptedAt }: StoredPackage): unknown => {
  const { acknowledgement: _, ...way } = record;
  return JSON.parse(
    canonicalJson({ record: inSnakeCase({ ...way, readAt, acceptedAt, findings, waivers, answers, results }) }),
  );
};

/** Converts keys to the snake_case of specification 004. The keys in `artifacts` are paths, so they stay unchanged. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      key === 'artifacts' ? inner : inSnakeCase(inner),
    ]),
  );
}
