import type { Trouble } from '../../engine/health.ts';
import type { Ports } from '../../ports/index.ts';
import type { PackageInBrief, Project } from '../../ports/store.ts';

/** Keeps `state/current.json` of the projects in step with the log. */
export interface StateWriter {
  /** A package of this project has changed. */
  readonly mark: (projectId: number) => void;
  isDue(): boolean;
  /** How many files said something else. Only those that may be written again already, or all of them now. */
  write(when?: 'now'): Promise<number>;
  /** Calls back when the next may be written, if one waits for that. */
  later(callback: () => void): void;
}

/**
 * The file lists all packages of a project, so it costs what there are. It rests so many times longer than it took to write it:
 * whatever happens meanwhile is written once, and a project with many packages takes no more of a core than one with few.
 */
const RESTS = 20;

export function createStateWriter(ports: Ports, trouble: Trouble): StateWriter {
  // The store does not record whether these files were written, so each server writes all of them once.
  const behind = new Set(ports.store.read((tx) => tx.projects()).map(({ id }) => id));
  const restsUntil = new Map<number, number>();
  const now = (): number => ports.clock.monotonicMs();
  const restsFor = (projectId: number): number => Math.max(0, (restsUntil.get(projectId) ?? 0) - now());
  let callOff: (() => void) | undefined;

  const writeOne = async (projectId: number): Promise<number> => {
    const began = now();
    const { project, packages } = ports.store.read((tx) => ({
      project: tx.projectById(projectId),
      packages: tx.packagesInBrief(projectId),
    }));
    behind.delete(projectId);
    if (project === undefined || packages.length === 0) return 0;
    const isOther = await trouble.attempt(writing(project), () =>
      ports.packageFiles.writeState(project, { handoffs: packages.map(stateRow) }),
    );
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

/** The seed's row, and nothing else. */
const stateRow = ({ id, createdAt, from, to, state }: PackageInBrief) => ({
  id,
  timestamp: createdAt,
  from,
  to,
  status: state,
});
