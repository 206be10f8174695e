import { after, type Instant } from '../instant.ts';
import type { CheckedResult, PackageInput, PackageType, StepName } from './content/package.ts';
import type { LintFinding, Waiver } from './lint/finding.ts';
import { isEndUnannounced } from './package-end.ts';
import type { PackageFact } from './package-facts.ts';
import { isTerminal, type PackageRecord, readRecord } from './record.ts';

/** The state of git when the package was sealed. `unknown` says why git could not determine the state. */
export interface RepoState {
  readonly head: string | null;
  readonly branch: string | null;
  readonly changed: number | null;
  readonly untracked: number | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly unknown: string | null;
}

/** A sealed package. The compiler checks the contract's schema of the same name against this type. */
export interface SealedPackage extends PackageInput {
  readonly protocol: 'handoff/1';
  readonly id: string;
  readonly uid: string;
  readonly revision: number;
  readonly timestamp: string;
  readonly type: PackageType;
  readonly lineage: NonNullable<PackageInput['lineage']> & { readonly root: string; readonly hop: number };
  readonly repo?: RepoState | undefined;
  readonly integrity: {
    readonly content_sha256: string;
    readonly sealed_at: string;
    readonly sealed_by: string;
    readonly prev_sha256: string | null;
  };
}

/**
 * The position of a package in its chain. The host determines the position itself; the sender's statements about it are
 * not used.
 */
export interface PackageLineage {
  readonly parent: string | null;
  readonly root: string;
  readonly hop: number;
  readonly supersedes: string | null;
  readonly returnsFor: string | null;
}

export interface GivenAnswer {
  readonly id: string;
  readonly question: string;
  readonly answer: string;
  /** The role of the party that answered the question. If the sender has ended, a person may answer in its place. */
  readonly by: string;
}

/**
 * The adopted agent that holds a package up (SPEC P33). The package waits for a name that only this agent has. An
 * adopted agent has no token, so it cannot act on packages.
 */
export interface HeldUp {
  readonly agentId: number;
  readonly runtime: string;
  readonly name: string;
}

/** Describes where a workflow stopped: one step is complete, but the next step never began (SPEC P38). */
export interface StoppedStep {
  readonly workflow: string;
  readonly step: string;
  readonly nextStep: string;
  /** The agent of the next step. */
  readonly nextAgent: string;
}

/** All stored data of a package: its state (`record`), its content and further data. */
export interface StoredPackage {
  readonly record: PackageRecord;
  readonly uid: string;
  readonly projectId: number;
  /**
   * The worktree with the package's artifacts (SPEC P32). If it is null or absent, the artifacts are in the project's
   * own folder.
   */
  readonly worktreeId?: number | null | undefined;
  /** The name of the archive folder: the sender's session or, if a person is the sender, a generated name. */
  readonly session: string;
  /** The agents that act as sender and receiver; null for a person, or if there is no such agent yet. */
  readonly senderAgentId: number | null;
  readonly receiverAgentId: number | null;
  /** The latest content, as the author wrote it. */
  readonly content: PackageInput;
  /** The sealed revisions, oldest first. */
  readonly revisions: readonly SealedPackage[];
  readonly lineage: PackageLineage;
  readonly waivers: readonly Waiver[];
  /** Lint findings of the last revision. They contain no errors, because errors prevent sealing. */
  readonly findings: readonly LintFinding[];
  readonly answers: readonly GivenAnswer[];
  readonly results: readonly CheckedResult[];
  readonly readAt: Instant | null;
  /**
   * The last revision that the receiver has read; 0 or absent if the receiver has read none. An event resets the value
   * to 0 and not to undefined, because JSON leaves out undefined values.
   */
  readonly readRevision?: number | undefined;
  readonly acceptedAt: Instant | null;
  /**
   * `acceptedSeq` is the number of the event that accepted the package. `overSeq` is the number of the event that ended
   * the package.
   */
  readonly acceptedSeq: number | null;
  readonly overSeq: number | null;
  /** The cause of the last announcement. Baton stores this cause so that it does not announce the same cause twice. */
  readonly announced: string | null;
  /**
   * The agent that Baton notified last, the name by which Baton addressed this agent, and the time (SPEC P37). Absent
   * in packages of older versions.
   */
  readonly told?:
    | { readonly agentId: number; readonly label: string; readonly name: string; readonly at: Instant }
    | null
    | undefined;
  /**
   * The operator's last request to notify the agent again (SPEC P37). `count` is the number of the request, and `cause`
   * is the cause of the announcement that is repeated.
   */
  readonly remind?: { readonly count: number; readonly cause: string } | null | undefined;
  /** Set if this package ended a workflow step and the work was not passed on to the next step (SPEC P38). */
  readonly stopped?: StoppedStep | null | undefined;
  /** Idempotency key: a second create call with the same key returns this package. */
  readonly createKey: { readonly key: string; readonly bodyHash: string } | null;
  /** The handoff run that this package describes (SPEC P26). Only the run changes the state of the package. */
  readonly runId?: number | undefined;
  /** The workflow step that this package begins, as determined when the package was sealed (SPEC P28). */
  readonly step?: { readonly workflow: string; readonly step: StepName } | undefined;
  /** The agent that Baton started for the package, or why the start failed (SPEC P30). */
  readonly start?: { readonly agentId: number | null; readonly problem: string | null } | undefined;
  /** The adopted agent that holds the package up, as last recorded (SPEC P33). Null or absent if there is none. */
  readonly heldUp?: HeldUp | null | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** The number of the last event that changed the package. */
  readonly seq: number;
}

/**
 * The fields of a package whose changes an event can list. The field `record` is not one of them, because the event
 * contains it separately. The other omitted fields are derived from the record, the time and the number of the event.
 */
export type PackageChanges = Partial<
  Omit<StoredPackage, 'record' | 'acceptedAt' | 'acceptedSeq' | 'overSeq' | 'updatedAt' | 'seq'>
>;

/** Facts about a package that are logged but do not change its state. */
export type PackageNote =
  | 'created'
  | 'waived'
  | 'read'
  | 'announced'
  | 'receiver_started'
  | 'held_up'
  | 'reminded'
  | 'stopped';

/**
 * The data that is logged with every change of a package. With this data, Baton can rebuild the package from the log
 * alone.
 */
export interface PackageEventData {
  readonly packageId: string;
  readonly fact?: PackageFact;
  /** The text that the caller sent with the action. No decision depends on this text. */
  readonly said?: string;
  readonly record: PackageRecord;
  readonly changes: PackageChanges;
}

export interface PackageEvent {
  readonly seq: number;
  readonly at: Instant;
  readonly data: PackageEventData;
}

export const isPackageEvent = (type: string): boolean => type.startsWith('package_');

/**
 * Applies an event to a package. No other code changes a package, not even when Baton rebuilds the package from the
 * log.
 */
export function withEvent(before: StoredPackage | undefined, { seq, at, data }: PackageEvent): StoredPackage {
  const { changes } = data;
  const record = readRecord(data.record);
  const isAccepted = record.state === 'accepted' && (before?.acceptedSeq ?? null) === null;
  return {
    ...((before ?? changes) as StoredPackage),
    ...changes,
    record,
    acceptedAt: isAccepted ? at : (before?.acceptedAt ?? null),
    acceptedSeq: isAccepted ? seq : (before?.acceptedSeq ?? null),
    overSeq: isTerminal(record) ? (before?.overSeq ?? seq) : null,
    createdAt: before?.createdAt ?? at,
    updatedAt: at,
    seq,
  };
}

export const isHandoffPackage = ({ runId }: Pick<StoredPackage, 'runId'>): boolean => runId !== undefined;

/** Returns the text of a package for the search, in lower case. */
export const wordsOf = ({ record, content }: StoredPackage): string =>
  [record.id, record.from, record.to, content.to.reason, content.context.summary].join('\n').toLowerCase();

export const latestRevision = ({ revisions }: StoredPackage): SealedPackage | undefined => revisions.at(-1);

/**
 * How long Baton searches for a live agent that can be notified that a package has ended. After this time, Baton gives
 * up and notifies no agent.
 */
const NEWS_MS = 24 * 3_600_000;

/**
 * If an agent must act, Baton sends one reminder to the agent and later one notification to the operator (SPEC P19).
 * If a person must decide, the person gets a reminder after every deadline.
 */
const sendsReminder = ({ reminders, waiter }: PackageRecord): boolean => reminders <= 1 || waiter === 'human';

/**
 * Returns whether Baton waits for the deadline of this package. False for the package of a handoff run, which has no
 * deadline (P26).
 */
export const hasReminderDue = (stored: StoredPackage): boolean =>
  !isHandoffPackage(stored) && !isTerminal(stored.record) && sendsReminder(stored.record);

/**
 * Returns the next time at which the package changes by itself, for example at a deadline; null if only a fact can
 * change the package.
 */
export function dueAt(stored: StoredPackage): Instant | null {
  const { record, updatedAt } = stored;
  // A handoff run has its own deadlines, so the package of a run has no deadline (SPEC P26).
  if (isHandoffPackage(stored)) return null;
  if (isTerminal(record)) return isEndUnannounced(stored) ? after(updatedAt, NEWS_MS) : null;
  // A blocking gate does not expire (SPEC P22).
  const lapsesAt = record.gate?.kind === 'blocking' ? null : record.expiresAt;
  const times = [sendsReminder(record) ? record.deadlineAt : null, lapsesAt].filter((at) => at !== null);
  return times.sort()[0] ?? null;
}
