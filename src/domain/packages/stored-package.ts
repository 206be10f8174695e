import { after, type Instant } from '../instant.ts';
import type { CheckedResult, PackageInput, PackageType, StepName } from './content/package.ts';
import type { LintFinding, Waiver } from './lint/finding.ts';
import { isEndUnannounced } from './package-end.ts';
import type { PackageFact } from './package-facts.ts';
import { isTerminal, type PackageRecord, readRecord } from './record.ts';

/** What git showed when the package was sealed. `unknown`: why it showed nothing. */
export interface RepoState {
  readonly head: string | null;
  readonly branch: string | null;
  readonly changed: number | null;
  readonly untracked: number | null;
  readonly ahead: number | null;
  readonly behind: number | null;
  readonly unknown: string | null;
}

/** The schema `SealedPackage` of the contract, as plain data. */
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

/** Where a package stands in its chain. The host writes it, from what it knows of the sender. */
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
  /** Who answered, by role: a person's answer for a sender that is gone is not the sender's. */
  readonly by: string;
}

/** P33. The agent that alone has the name a package waits for, and can do nothing about it: it was adopted, so it has no token. */
export interface HeldUp {
  readonly agentId: number;
  readonly runtime: string;
  readonly name: string;
}

/** All that the store keeps of a package: its way (`record`), its content and what belongs to neither. */
export interface StoredPackage {
  readonly record: PackageRecord;
  readonly uid: string;
  readonly projectId: number;
  /** P32. The worktree in which its artifacts lie; null or absent: the project's own folder. */
  readonly worktreeId?: number | null | undefined;
  /** Names the folder of its archive: the sender's session, or one made for a person. */
  readonly session: string;
  /** The sessions that speak for sender and receiver; null: a person, or nobody yet. */
  readonly senderAgentId: number | null;
  readonly receiverAgentId: number | null;
  /** As it was written last. */
  readonly content: PackageInput;
  /** As it was sealed, oldest first. */
  readonly revisions: readonly SealedPackage[];
  readonly lineage: PackageLineage;
  readonly waivers: readonly Waiver[];
  /** What the lint said of the last revision; no error among them. */
  readonly findings: readonly LintFinding[];
  readonly answers: readonly GivenAnswer[];
  readonly results: readonly CheckedResult[];
  readonly readAt: Instant | null;
  /** The revision that the receiver has read last; 0 or absent: none. An event cannot say "absent". */
  readonly readRevision?: number | undefined;
  readonly acceptedAt: Instant | null;
  /** Numbers of the events by which it was accepted, and by which it was over. */
  readonly acceptedSeq: number | null;
  readonly overSeq: number | null;
  /** What its waiter was told last, so that nobody hears the same twice. */
  readonly announced: string | null;
  /** Whoever creates it twice under one key gets the same package. */
  readonly createKey: { readonly key: string; readonly bodyHash: string } | null;
  /** P26. The handoff run that it tells of: it goes as the run goes, and nobody else moves it. */
  readonly runId?: number | undefined;
  /** P28. The step of the workflow that it begins, as the host knew it when it was sealed. */
  readonly step?: { readonly workflow: string; readonly step: StepName } | undefined;
  /** P30. The agent that Baton has started for it, or why it could not. */
  readonly start?: { readonly agentId: number | null; readonly problem: string | null } | undefined;
  /** P33. The adopted agent for which it waits in vain, as it was noted last; null or absent: none. */
  readonly heldUp?: HeldUp | null | undefined;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** The event that changed it last. */
  readonly seq: number;
}

/** What of a package an event may change besides its record; the rest follows from the event itself. */
export type PackageChanges = Partial<
  Omit<StoredPackage, 'record' | 'acceptedAt' | 'acceptedSeq' | 'overSeq' | 'updatedAt' | 'seq'>
>;

/** Facts that move nothing and are logged all the same. */
export type PackageNote = 'created' | 'waived' | 'read' | 'announced' | 'receiver_started' | 'held_up';

/** What is logged of every move: enough to make the package again from the log alone. */
export interface PackageEventData {
  readonly packageId: string;
  readonly fact?: PackageFact;
  /** The words that came with it and decide nothing. */
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

/** The one way in which a package changes, now and when it is rebuilt from the log. */
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

/** In which a package is looked for, in small letters. */
export const wordsOf = ({ record, content }: StoredPackage): string =>
  [record.id, record.from, record.to, content.to.reason, content.context.summary].join('\n').toLowerCase();

export const latestRevision = ({ revisions }: StoredPackage): SealedPackage | undefined => revisions.at(-1);

/** After so long without anybody to tell, it is no news any more that a package is over. */
const NEWS_MS = 24 * 3_600_000;

/** When somebody has to look at it again because of the time; null: only if something happens. */
export function dueAt(stored: StoredPackage): Instant | null {
  const { record, updatedAt } = stored;
  // P26. A run has deadlines of its own.
  if (isHandoffPackage(stored)) return null;
  if (isTerminal(record)) return isEndUnannounced(stored) ? after(updatedAt, NEWS_MS) : null;
  // P19. The waiter was reminded and a person told: more time changes nothing. A person is asked again and again.
  const isTold = record.reminders > 1 && record.waiter !== 'human';
  // P22. A blocking gate does not lapse.
  const lapsesAt = record.gate?.kind === 'blocking' ? null : record.expiresAt;
  const times = [isTold ? null : record.deadlineAt, lapsesAt].filter((at) => at !== null);
  return times.sort()[0] ?? null;
}
