import { isLive } from '../../domain/agents/agent.ts';
import { newPackage } from '../../domain/packages/advance-package.ts';
import { chainLimit, lineageOf } from '../../domain/packages/content/lineage.ts';
import { HUMAN, type PackageInput, type PackageType, packageId } from '../../domain/packages/content/package.ts';
import { repoState, sealOf, sealPackage, ulid } from '../../domain/packages/content/seal-package.ts';
import type { AgentCard } from '../../domain/packages/lint/chain.ts';
import type { Waiver } from '../../domain/packages/lint/finding.ts';
import { type LintReport, lintPackage } from '../../domain/packages/lint/lint-package.ts';
import type { Actor } from '../../domain/packages/package-facts.ts';
import type { PackageCaller } from '../../domain/packages/package-parties.ts';
import { recordFields } from '../../domain/packages/record.ts';
import {
  latestRevision,
  type PackageChanges,
  type SealedPackage,
  type StoredPackage,
} from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import type { WorkingDirectory } from '../worktrees/working-directory.ts';
import type { Followed } from './follow-package.ts';
import { changedFiles, type Looked } from './observe-project.ts';
import { numbersOf, roleNames } from './package-caller.ts';
import { notePackage, packageFactContext, recordPackageFact } from './record-package-fact.ts';
import { ROOT } from './validate-authored.ts';

/** The archive folder for all packages that the operator writes. */
const OPERATOR_SESSION = 'operator';

export interface NewDraft {
  readonly caller: PackageCaller;
  readonly content: PackageInput;
  readonly type: PackageType;
  readonly parent: StoredPackage | undefined;
  /** The package that the sender works on. If the new package names no parent, it follows this package in the chain. */
  readonly before?: StoredPackage | undefined;
  /** The folder that contains the artifacts of the package. */
  readonly place: WorkingDirectory;
  readonly waivers?: readonly Waiver[];
  readonly createKey?: StoredPackage['createKey'];
  /** The handoff run that this package describes. */
  readonly runId?: number;
}

/** Stores a new package as a draft. No other function creates packages. */
export function insertDraft(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'settings'>,
  draft: NewDraft,
): StoredPackage {
  const { caller, content, type, parent, before, place, waivers = [], createKey = null, runId } = draft;
  const now = ports.clock.now();
  const id = content.id ?? freeId(tx, ports);
  const uid = ulid(Date.parse(now), ports.chance.sha256(ports.chance.uuid()));
  return notePackage(tx, ports, undefined, {
    note: 'created',
    agentId: caller.agentId,
    record: newPackage(recordFields(id, type, content), packageFactContext(ports, content)),
    changes: {
      ...NEW,
      uid,
      projectId: place.project.id,
      ...(place.worktree === undefined ? {} : { worktreeId: place.worktree.id }),
      session: caller.agentId === null ? OPERATOR_SESSION : caller.session,
      senderAgentId: caller.agentId,
      content,
      lineage: lineageOf(id, { ...content, type }, parent, parent ?? before),
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

/** Returns the next free package id. Skips ids that are already used, even if the counter returns them. */
function freeId(tx: Tx, ports: Pick<Ports, 'clock'>): string {
  const year = new Date(ports.clock.now()).getUTCFullYear();
  for (;;) {
    const id = packageId(year, tx.nextPackageNumber(year));
    if (tx.packageById(id) === undefined) return id;
  }
}

/** Runs all lint rules, including the rules that need the disk, the chain and the agents. */
export function lintInStore(
  tx: Tx,
  ports: Pick<Ports, 'clock'>,
  { content, type, before, open, workflow }: Pick<Followed, 'content' | 'type' | 'before' | 'open' | 'workflow'>,
  looked: Looked,
  waivers: readonly Waiver[] = [],
): LintReport {
  const now = ports.clock.now();
  const { from, to } = content;
  const limit = chainLimit({ kind: type ?? 'delegation', from: from.agent, to: to.agent }, before);
  return lintPackage(
    { value: type === undefined ? content : { ...content, type }, root: ROOT, problems: [] },
    {
      now,
      chain: { openFrames: open, nextAgent: workflow?.next?.agent ?? null, limit, workflow },
      agents: [...agentCards(tx, looked.project.id), ...roleCards(tx)],
      disk: { artifacts: looked.seen, changed: changedFiles(looked) },
      waivers,
    },
  );
}

/** Returns all possible receivers: every active persona, whether or not it has a live agent, and every live session. */
export function agentCards(tx: Tx, projectId: number): readonly AgentCard[] {
  const personas = tx
    .personas()
    .filter(({ status }) => status === 'active')
    .map(({ slug, role }) => ({ id: slug, capabilities: [role] }));
  const agents = tx
    .liveAgents()
    .filter((agent) => agent.projectId === projectId && isLive(agent))
    .flatMap((agent) => numbersOf(tx, agent))
    .map((id) => ({ id, capabilities: [] }));
  return [...personas, ...agents];
}

/**
 * Returns the roles as possible receivers, because a package that is addressed to a role goes to any agent with this
 * role.
 */
const roleCards = (tx: Tx): readonly AgentCard[] =>
  tx
    .personas()
    .filter(({ status }) => status === 'active')
    .flatMap((persona) => roleNames(persona).map((id) => ({ id, capabilities: [persona.role] })));

/** Returns all names to which a package of this project can be addressed. */
export const receiverNames = (tx: Tx, projectId: number): readonly string[] => [
  ...new Set([...agentCards(tx, projectId), ...roleCards(tx)].map(({ id }) => id)),
];

export interface SealWith {
  readonly caller: PackageCaller;
  readonly actor: Actor;
  readonly looked: Looked;
  readonly findings: LintReport['findings'];
  readonly type: PackageType;
  /** Fields of the stored package that change together with the seal. */
  readonly changes?: PackageChanges;
  readonly move?: Followed['move'];
}

/** Seals a draft, so that its state changes from draft to pending. The caller must have checked the gates. */
export function sealIn(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'chance' | 'settings'>,
  draft: StoredPackage,
  given: SealWith,
): StoredPackage | Refusal {
  const { caller, actor, type, findings, move, looked, changes = {} } = given;
  const now = { ...draft, ...changes, record: { ...draft.record, type } };
  const sealed = nextRevision(tx, ports, now, { caller, looked });
  const worktreeId = looked.place.worktree?.id ?? null;
  const after = recordPackageFact(
    tx,
    ports,
    draft,
    { type: 'sealed', seal: sealOf(sealed), by: actor },
    {
      agentId: caller.agentId,
      changes: {
        revisions: [sealed],
        findings,
        // Store the folder of the agent that seals the draft, because this agent may be a successor of the author and
        // work in another folder than the author.
        ...(worktreeId === (draft.worktreeId ?? null) ? {} : { worktreeId }),
        ...changes,
        ...(move === undefined ? {} : { step: { workflow: move.workflow.name, step: move.next.step } }),
      },
      fields: recordFields(draft.record.id, type, now.content),
    },
  );
  if (!isRefusal(after)) supersede(tx, ports, after);
  return after;
}

/** Seals the current content as the next revision. */
export function nextRevision(
  tx: Tx,
  ports: Pick<Ports, 'clock' | 'chance'>,
  stored: StoredPackage,
  { caller, looked }: { readonly caller: PackageCaller; readonly looked: Pick<Looked, 'seen' | 'git'> },
): SealedPackage {
  const { record, content, lineage, uid } = stored;
  const latestOf = (id: string | null): SealedPackage | undefined => {
    const found = id === null ? undefined : tx.packageById(id);
    return found && latestRevision(found);
  };
  const before = latestRevision(stored) ?? latestOf(lineage.parent);
  return sealPackage(
    {
      id: record.id,
      uid,
      revision: record.revision + 1,
      type: record.type,
      content,
      from: fromOf(content, stored, caller),
      lineage,
      answersFor: lineage.returnsFor === null ? undefined : tx.packageById(lineage.returnsFor)?.content,
      seen: looked.seen,
      repo: repoState(looked.git),
      at: ports.clock.now(),
      by: caller.names[0] ?? HUMAN,
      previous: before?.integrity.content_sha256 ?? null,
    },
    ports.chance.sha256,
  );
}

/**
 * Returns the sender with the session that Baton stored with the draft. Adds the caller's persona if the caller is the
 * sending agent. Ignores the session and the persona that the author wrote.
 */
function fromOf({ from }: PackageInput, { session, senderAgentId }: StoredPackage, caller: PackageCaller) {
  const { session: _s, persona: _p, ...rest } = from;
  const persona = caller.agentId === senderAgentId ? caller.persona : null;
  return { ...rest, session, ...(persona === null ? {} : { persona }) };
}

/** Marks the package named in `supersedes` as superseded. If that package has already ended, it stays unchanged. */
function supersede(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'settings'>,
  { lineage, record }: StoredPackage,
): void {
  const old = lineage.supersedes === null ? undefined : tx.packageById(lineage.supersedes);
  if (old !== undefined) recordPackageFact(tx, ports, old, { type: 'superseded', byPackage: record.id });
}
