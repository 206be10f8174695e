import type { Health } from '../../engine/health.ts';
import type { Ports } from '../../ports/index.ts';
import type { PackageInBrief, Project } from '../../ports/store.ts';

/** Keeps the file `state/current.json` of each project up to date with the log. */
export interface StateWriter {
  /** Marks the state file of this project as out of date. Must be called when a package of the project has changed. */
  readonly mark: (projectId: number) => void;
  isDue(): boolean;
  /**
   * Writes the outdated state files. After each write of a file there is a pause in which this file is not written
   * again. With the argument 'now', there are no pauses. Returns how many files had another content.
   */
  write(when?: 'now'): Promise<number>;
  /**
   * Calls back when the pause after the last write of an outdated file is over, so that the file can be written again.
   */
  later(callback: () => void): void;
}

/**
 * The pause after writing a state file is this many times as long as the writing took. A large project takes longer to
 * write, but because of the longer pause it uses no more CPU than a small project.
 */
const RESTS = 20;

const IN_ONE_TURN = 1_000;

export function createStateWriter(
  ports: Pick<Ports, 'store' | 'packageFiles' | 'clock' | 'checkpoint'>,
  health: Health,
): StateWriter {
  const behind = new Set(ports.store.read((tx) => tx.staleStateFiles()).map(({ projectId }) => projectId));
  const restsUntil = new Map<number, number>();
  const now = (): number => ports.clock.monotonicMs();
  const restsFor = (projectId: number): number => Math.max(0, (restsUntil.get(projectId) ?? 0) - now());
  let callOff: (() => void) | undefined;

  /** Reads the packages in small batches with pauses, because a project may have tens of thousands of packages. */
  const packagesOf = async (projectId: number): Promise<readonly PackageInBrief[]> => {
    const found: PackageInBrief[] = [];
    for (;;) {
      const last = found.at(-1)?.id;
      const some = ports.store.read((tx) => tx.packagesInBrief(projectId, IN_ONE_TURN, last));
      found.push(...some);
      if (some.length < IN_ONE_TURN) return found;
      await new Promise<void>((resolve) => void ports.clock.after(0, resolve));
    }
  };

  const writeOne = async (projectId: number): Promise<number> => {
    const began = now();
    const { project, seq } = ports.store.read((tx) => ({ project: tx.projectById(projectId), seq: tx.lastSeq() }));
    // Clear the project's mark before reading its packages. If a package changes later, the project is marked again,
    // and Baton writes the state file once more.
    behind.delete(projectId);
    const packages = await packagesOf(projectId);
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

/** Returns a package's entry in the state file, with exactly the fields that specification 004 describes. */
const stateRow = ({ id, createdAt, from, to, state }: PackageInBrief) => ({
  id,
  timestamp: createdAt,
  from,
  to,
  status: state,
});
