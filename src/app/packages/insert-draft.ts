import { newPackage } from '../../domain/package/advance-package.ts';
import type { Waiver } from '../../domain/package/lint/finding.ts';
import { type PackageInput, type PackageType, packageId } from '../../domain/package/package.ts';
import { lineageOf } from '../../domain/package/package-chain.ts';
import type { PackageCaller } from '../../domain/package/package-parties.ts';
import { packageWorld, recordFields } from '../../domain/package/package-world.ts';
import { ulid } from '../../domain/package/seal-package.ts';
import type { StoredPackage } from '../../domain/package/stored-package.ts';
import type { Tx } from '../ports/store.ts';
import type { WorkPlace } from '../work-place.ts';
import type { Ports } from '../world.ts';
import { notePackage } from './record-package-fact.ts';

export interface NewDraft {
  readonly caller: PackageCaller;
  readonly content: PackageInput;
  readonly type: PackageType;
  readonly parent: StoredPackage | undefined;
  /** Where its artifacts lie. */
  readonly place: WorkPlace;
  readonly waivers?: readonly Waiver[];
  readonly createKey?: StoredPackage['createKey'];
  /** The handoff run that it tells of. */
  readonly runId?: number;
}

/** The one way in which a package comes to be. */
export function insertDraft(tx: Tx, ports: Ports, draft: NewDraft): StoredPackage {
  const { caller, content, type, parent, place, waivers = [], createKey = null, runId } = draft;
  const now = ports.clock.now();
  const id = freeId(tx, ports);
  const uid = ulid(Date.parse(now), ports.chance.sha256(ports.chance.uuid()));
  return notePackage(tx, ports, undefined, {
    note: 'created',
    agentId: caller.agentId,
    record: newPackage(recordFields(id, type, content), packageWorld(content, now)),
    changes: {
      ...NEW,
      uid,
      projectId: place.project.id,
      ...(place.worktree === undefined ? {} : { worktreeId: place.worktree.id }),
      session: caller.agentId === null ? `S-${uid}` : caller.session,
      senderAgentId: caller.agentId,
      content,
      lineage: lineageOf(id, content, parent),
      waivers,
      createKey,
      ...(runId === undefined ? {} : { runId }),
    },
  });
}

const NEW = {
  receiverAgentId: null,
  revisions: [],
  findings: [],
  answers: [],
  results: [],
  readAt: null,
  announced: null,
} as const;

/** A number that stands in the log already is not given again, whatever the counter says. */
function freeId(tx: Tx, ports: Ports): string {
  const year = new Date(ports.clock.now()).getUTCFullYear();
  for (;;) {
    const id = packageId(year, tx.nextPackageNumber(year));
    if (tx.packageById(id) === undefined) return id;
  }
}
