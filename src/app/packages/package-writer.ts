import { canonicalJson } from '../../domain/package/canonical-json.ts';
import { latestRevision, type StoredPackage } from '../../domain/package/stored-package.ts';
import type { ArchiveFile } from '../ports/package-files.ts';
import type { PackageInBrief, Project } from '../ports/store.ts';
import type { Trouble } from '../trouble.ts';
import type { Ports } from '../world.ts';

/** Keeps the files that tell of packages in step with the log. They are written from it, and never read. */
export interface PackageWriter {
  /** A package may have changed. */
  wake(): void;
  /** Resolves once all files that can be written are; how many were not there as they are. */
  flush(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Intent, effect, observation: a package is behind, its files are written, and it is noted what they tell of. After a crash in
 * between they are written again, to the same bytes. One writer at a time, so that no older state overtakes a newer one.
 */
export function createPackageWriter(ports: Ports, trouble: Trouble): PackageWriter {
  let stopped = false;
  let wanted = false;
  let current: Promise<void> | undefined;
  let rewritten = 0;

  const loop = async (): Promise<void> => {
    while (wanted && !stopped) {
      wanted = false;
      rewritten += await writeBehind(ports, trouble);
    }
  };
  const run = (): Promise<void> => {
    wanted = true;
    current ??= loop().finally(() => {
      current = undefined;
    });
    return current;
  };
  return {
    wake: () => {
      if (!stopped && ports.store.read((tx) => tx.packagesBehind(1)).length > 0) void run();
    },
    flush: async () => {
      const before = rewritten;
      await run();
      return rewritten - before;
    },
    stop: async () => {
      stopped = true;
      await current;
    },
  };
}

async function writeBehind(ports: Ports, trouble: Trouble): Promise<number> {
  const behind = ports.store.read((tx) => tx.packagesBehind(Number.MAX_SAFE_INTEGER));
  let written = 0;
  for (const projectId of new Set(behind.map((each) => each.projectId))) {
    const project = ports.store.read((tx) => tx.projectById(projectId));
    const own = behind.filter((each) => each.projectId === projectId);
    if (project === undefined) continue;
    const count = await trouble.attempt(`write the packages of ${project.name}`, () =>
      writeProject(ports, project, own),
    );
    written += count ?? 0;
  }
  return written;
}

async function writeProject(ports: Ports, project: Project, behind: readonly StoredPackage[]): Promise<number> {
  let written = 0;
  const done: StoredPackage[] = [];
  let fault: unknown;
  for (const stored of behind) {
    try {
      written += await writeArchive(ports, project, stored);
      done.push(stored);
    } catch (error) {
      // One folder that cannot be written keeps neither the others nor the state from being so.
      fault ??= error;
    }
    ports.checkpoint('package:archived');
  }
  // Of all of them as they are now: the one that changed meanwhile is behind again and comes next.
  const all = ports.store.read((tx) => tx.packagesInBrief(project.id));
  if (await ports.packageFiles.writeState(project, { handoffs: all.map(stateRow) })) written += 1;
  ports.checkpoint('package:stated');
  // Nothing to note is no commit: each wakes this writer, and what cannot be written would be tried for ever.
  if (done.length > 0)
    await ports.store.write((tx) => {
      for (const { record, seq } of done) tx.packageWritten(record.id, seq);
    });
  ports.checkpoint('package:noted');
  if (fault !== undefined) throw fault;
  return written;
}

async function writeArchive(ports: Ports, { path: root }: Project, stored: StoredPackage): Promise<number> {
  const files = archiveFiles(stored);
  return files.length === 0 ? 0 : ports.packageFiles.writeArchive({ root, session: stored.session, files });
}

/** The seed's row, and nothing else. */
const stateRow = ({ id, createdAt, from, to, state }: PackageInBrief) => ({
  id,
  timestamp: createdAt,
  from,
  to,
  status: state,
});

/** The newest revision under the package's own name, earlier ones and what became of it beside it. A draft is not archived. */
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
  ];
}

const wayOf = ({ record, findings, waivers, answers, results, readAt, acceptedAt }: StoredPackage): unknown =>
  JSON.parse(
    canonicalJson({
      record: {
        ...record,
        acknowledgement: record.acknowledgement === null ? null : JSON.parse(record.acknowledgement),
        read_at: readAt,
        accepted_at: acceptedAt,
        findings,
        waivers,
        answers,
        results,
      },
    }),
  );
