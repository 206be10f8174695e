import type { LintReport } from '../../domain/package/lint/lint-package.ts';
import { HUMAN, type PackageInput } from '../../domain/package/package.ts';
import type { Actor } from '../../domain/package/package-facts.ts';
import type { PackageCaller } from '../../domain/package/package-parties.ts';
import { repoState, sealOf, sealPackage } from '../../domain/package/seal-package.ts';
import {
  latestRevision,
  type PackageChanges,
  type SealedPackage,
  type StoredPackage,
} from '../../domain/package/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Standing } from '../../domain/workflow/standing.ts';
import type { Tx } from '../ports/store.ts';
import type { Ports } from '../world.ts';
import type { Looked } from './look-at-project.ts';
import { recordPackageFact } from './record-package-fact.ts';

export interface SealWith {
  readonly caller: PackageCaller;
  readonly actor: Actor;
  readonly epoch: number;
  readonly looked: Looked;
  readonly report: LintReport;
  /** What it has become since it was a draft. */
  readonly changes?: PackageChanges;
  /** The step of the workflow that it passes on. */
  readonly move?: Standing | undefined;
}

/** draft → pending, and on to a person at once where it goes to one. Its gates have been passed, and it is sealed as given. */
export function sealIn(tx: Tx, ports: Ports, draft: StoredPackage, given: SealWith): StoredPackage | Refusal {
  const { caller, actor, epoch, report, move } = given;
  // A draft may have become something else while it was written.
  const type = report.type ?? draft.record.type;
  const sealed = nextRevision(tx, ports, { ...draft, record: { ...draft.record, type } }, given);
  const after = recordPackageFact(
    tx,
    ports,
    draft,
    { type: 'sealed', seal: sealOf(sealed), errors: 0, by: actor, epoch },
    {
      agentId: caller.agentId,
      changes: {
        revisions: [sealed],
        findings: report.findings,
        ...placeIn(draft, given),
        ...given.changes,
        ...(move === undefined ? {} : { step: { workflow: move.workflow.name, step: move.next.step } }),
      },
      fields: { type, to: draft.content.to.agent },
    },
  );
  if (isRefusal(after)) return after;
  supersede(tx, ports, after);
  return goesToHuman(after) ? recordPackageFact(tx, ports, after, { type: 'gate_opened' }) : after;
}

/** A draft may be sealed by a successor of its author who works elsewhere. */
const placeIn = ({ worktreeId = null }: StoredPackage, { looked }: SealWith): PackageChanges => {
  const now = looked.place.worktree?.id ?? null;
  return now === worktreeId ? {} : { worktreeId: now };
};

const goesToHuman = ({ record }: StoredPackage): boolean => record.to === HUMAN || record.gate !== null;

/** The next sealed revision of what the package says now. */
export function nextRevision(
  tx: Tx,
  ports: Ports,
  stored: StoredPackage,
  { caller, looked }: Pick<SealWith, 'caller'> & { readonly looked: Pick<Looked, 'seen' | 'git'> },
): SealedPackage {
  const { record, content, lineage, uid } = stored;
  const returned = lineage.returnsFor === null ? undefined : tx.packageById(lineage.returnsFor);
  const before = latestRevision(stored) ?? (lineage.parent === null ? undefined : latestOf(tx, lineage.parent));
  return sealPackage(
    {
      id: record.id,
      uid,
      revision: record.revision + 1,
      type: record.type,
      content,
      from: fromOf(content, stored, caller),
      lineage,
      answersFor: returned?.content,
      seen: looked.seen,
      repo: repoState(looked.git),
      at: ports.clock.now(),
      by: caller.names[0] ?? HUMAN,
      previous: before?.integrity.content_sha256 ?? null,
    },
    ports.chance.sha256,
  );
}

const latestOf = (tx: Tx, id: string): SealedPackage | undefined => {
  const found = tx.packageById(id);
  return found && latestRevision(found);
};

/** Who it is from is known by token; what the author says about session and persona is not asked. */
function fromOf({ from }: PackageInput, { session, senderAgentId }: StoredPackage, caller: PackageCaller) {
  const { session: _s, persona: _p, ...rest } = from;
  const persona = caller.agentId === senderAgentId ? caller.persona : null;
  return { ...rest, session, ...(persona === null ? {} : { persona }) };
}

/** What is over cannot be superseded any more; the new package names it all the same. */
function supersede(tx: Tx, ports: Ports, { lineage, record }: StoredPackage): void {
  const old = lineage.supersedes === null ? undefined : tx.packageById(lineage.supersedes);
  if (old !== undefined) recordPackageFact(tx, ports, old, { type: 'superseded', byPackage: record.id });
}
