import type { Health } from '../../engine/health.ts';
import type { Ports } from '../../ports/index.ts';
import type { PackageInBrief, Project } from '../../ports/store.ts';

/** Keeps the file `state/current.json` of each project up to date with the log. */
export interface StateWriter {
  /** Call when a package of this project has changed. */
  readonly mark: (projectId: number) => void;
  isDue(): boolean;
  /** Writes outdated files whose pause is over, or with 'now' all of them. Returns how many were different. */
  write(when?: 'now'): Promise<number>;
  /** Calls back when the next pause ends, if an outdated file waits for the end of its pause. */
  later(callback: () => void): void;
}

/**
 * After a write, the file of a project pauses for this many times the duration of the write. In a large project each
 * write takes long; because of the pause, it uses no more CPU than a small project.
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

/** Returns exactly the fields that a row has in the seed. */
const stateRow = ({ id, createdAt, from, to, state }: PackageInBrief) => ({
  id,
  timestamp: createdAt,
  from,
  to,
  status: state,
});
