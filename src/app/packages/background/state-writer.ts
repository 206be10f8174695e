import type { Health } from '../../engine/health.ts';
import type { Ports } from '../../ports/index.ts';
import type { PackageInBrief, Project } from '../../ports/store.ts';

/** Keeps `state/current.json` of the projects in step with the log. */
export interface StateWriter {
  /** A package of this project has changed. */
  readonly mark: (projectId: number) => void;
  isDue(): boolean;
  /** Returns how many files were different. Writes only those whose pause is over, or with 'now' all of them. */
  write(when?: 'now'): Promise<number>;
  /** Calls back when the next pause ends, if a file waits for that. */
  later(callback: () => void): void;
}

/**
 * Each file lists all packages of its project, so a large project takes long to write. After a write the file pauses
 * for this many times as long as the write took: changes in between are written once, and a large project uses no more
 * CPU than a small one.
 */
const RESTS = 20;

export function createStateWriter(
  ports: Pick<Ports, 'store' | 'packageFiles' | 'clock' | 'checkpoint'>,
  health: Health,
): StateWriter {
  const behind = new Set(ports.store.read((tx) => tx.staleStateFiles()).map(({ projectId }) => projectId));
  const restsUntil = new Map<number, number>();
  const now = (): number => ports.clock.monotonicMs();
  const restsFor = (projectId: number): number => Math.max(0, (restsUntil.get(projectId) ?? 0) - now());
  let callOff: (() => void) | undefined;

  const writeOne = async (projectId: number): Promise<number> => {
    const began = now();
    const { project, packages, seq } = ports.store.read((tx) => ({
      project: tx.projectById(projectId),
      packages: tx.packagesInBrief(projectId),
      seq: tx.lastSeq(),
    }));
    behind.delete(projectId);
    if (project === undefined || packages.length === 0) return 0;
    const isOther = await health.guard(writing(project), async () => {
      const isNew = await ports.packageFiles.writeState(project, { handoffs: packages.map(stateRow) });
      await ports.store.write((tx) => tx.stateWritten(projectId, seq));
      return isNew;
    });
    if (isOther === undefined) behind.add(projectId);
    restsUntil.set(projectId, now() + RESTS * (now() - began));
    ports.checkpoint('package:stated');
    return isOther === true ? 1 : 0;
  };

  return {
    mark: (projectId) => void behind.add(projectId),
    isDue: () => [...behind].some((projectId) => restsFor(projectId) === 0),
    write: async (when) => {
      let written = 0;
      for (const projectId of [...behind])
        if (when === 'now' || restsFor(projectId) === 0) written += await writeOne(projectId);
      return written;
    },
    later: (callback) => {
      callOff?.();
      const waits = [...behind].map(restsFor).filter((ms) => ms > 0);
      callOff = waits.length === 0 ? undefined : ports.clock.after(Math.min(...waits), callback);
    },
  };
}

const writing = ({ name }: Project): string => `write the state of ${name}`;

/** Exactly the fields of the seed's row. */
const stateRow = ({ id, createdAt, from, to, state }: PackageInBrief) => ({
  id,
  timestamp: createdAt,
  from,
  to,
  status: state,
});
