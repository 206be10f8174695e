import type { Agent } from '../../domain/agents/agent.ts';
import type { Effect } from '../../domain/effects.ts';
import type { LoggedEvent } from '../../domain/facts.ts';
import type { Handoff, Run } from '../../domain/handoffs/run.ts';
import type { InboxItem } from '../../domain/inbox/inbox.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PromptText } from '../../domain/messages/sent-prompt.ts';
import type { Mark, PackageMarks } from '../../domain/packages/package-marks.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import type { Candidate } from '../../domain/sessions/external-session.ts';
import type { PageSession } from '../../domain/sessions/page-session.ts';
import type { Worktree } from '../../domain/worktrees/worktree.ts';

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  /** What its agents wear unless another persona is named. */
  readonly defaultPersonaId: number | null;
  readonly createdAt: Instant;
}

/** Where a package stands, without what it says. */
export interface PackageInBrief {
  readonly id: string;
  readonly createdAt: Instant;
  readonly from: string;
  readonly to: string;
  readonly state: string;
}

/** What is absent does not narrow. */
export interface PackageFilter {
  readonly projectId?: number | undefined;
  /** All of one chain. */
  readonly root?: string | undefined;
  /** From or to one of these names. */
  readonly party?: readonly string[] | undefined;
  /** Those that are not over. */
  readonly inFlight?: boolean | undefined;
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  /** Somewhere in id, parties, reason or summary, in whatever case. */
  readonly text?: string | undefined;
  /** Older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

export interface NewEvent {
  readonly at: Instant;
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The same key is logged once for ever; null = cannot come twice. */
  readonly dedupeKey: string | null;
}

/** What is absent does not narrow. */
export interface EventFilter {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly agentId?: number | undefined;
  readonly runId?: number | undefined;
  /** The way of one package. */
  readonly packageId?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly newestFirst?: boolean | undefined;
  readonly limit: number;
}

export interface PendingEffect {
  readonly id: number;
  readonly effect: Effect;
  readonly attempts: number;
}

/** Given inside a transaction. Every call is synchronous: nothing can come in between. */
export interface Tx {
  readonly hostId: string;
  /** undefined if an event with this dedupe key is there already. */
  appendEvent(event: NewEvent): LoggedEvent | undefined;
  eventsAfter(seq: number, limit: number): readonly LoggedEvent[];
  events(filter: EventFilter): readonly LoggedEvent[];
  /** The last events of these types about this agent, oldest first. */
  latestEventsOf(agentId: number, types: readonly string[], limit: number): readonly LoggedEvent[];
  lastSeq(): number;
  /** The number of the first event whose hash does not follow from the one before it; undefined if the chain is whole. */
  firstBrokenEvent(): number | undefined;

  insertPersona(persona: Omit<Persona, 'id' | 'slug'>, slugFor: (id: number) => string): Persona;
  /** Name, role and status; its slug stays. */
  savePersona(persona: Persona): void;
  personaBySlug(slug: string): Persona | undefined;
  personaById(id: number): Persona | undefined;
  personas(): readonly Persona[];

  insertProject(project: Omit<Project, 'id' | 'defaultPersonaId'>): Project;
  /** Its default persona; name and path stay. */
  saveProject(project: Project): void;
  projectById(id: number): Project | undefined;
  projectByPath(path: string): Project | undefined;
  projects(): readonly Project[];

  /** Throws StoreConflict if the project has one of that name that is not removed. */
  insertWorktree(worktree: Omit<Worktree, 'id'>): Worktree;
  saveWorktree(worktree: Worktree): void;
  worktreeById(id: number): Worktree | undefined;
  /** Those that are not removed, oldest first. */
  worktrees(): readonly Worktree[];

  insertAgent(agent: Omit<Agent, 'id' | 'hostId' | 'tmuxSession'>): Agent;
  saveAgent(agent: Agent): void;
  agentById(id: number): Agent | undefined;
  agentByTokenHash(hash: string): Agent | undefined;
  agents(): readonly Agent[];
  liveAgents(): readonly Agent[];
  lostAgents(): readonly Agent[];
  /** Those that name it as their previous agent, oldest first. */
  successorsOf(agentId: number): readonly Agent[];
  /** Takes its handoff record with it, as seed 003 says; successors keep living without a predecessor. */
  deleteAgent(id: number): void;

  /** Throws StoreConflict if a run of that agent is in flight. */
  insertRun(run: Omit<Run, 'id' | 'hostId'>): Run;
  saveRun(run: Run): void;
  runById(id: number): Run | undefined;
  runsOfAgent(agentId: number): readonly Run[];
  runsInFlight(): readonly Run[];
  runs(limit: number): readonly Run[];
  /** It has moved; whoever keeps its package has to look at it. Marked twice is marked. */
  markRunDirty(id: number): void;
  /** Oldest first. */
  runsToSync(): readonly Run[];
  clearRunDirty(id: number): void;

  /** Throws StoreConflict if the agent has a record already. `createdAt` defaults to the transaction's time. */
  insertHandoff(handoff: Omit<Handoff, 'id' | 'createdAt'> & { readonly createdAt?: Instant }): Handoff;
  /** The document that it names and the prompt; agent, reason and time stay. */
  saveHandoff(handoff: Handoff): void;
  handoffById(id: number): Handoff | undefined;
  handoffOfAgent(agentId: number): Handoff | undefined;
  /** The records of agents that live: of handoffs that are under way, or stopped half-way. */
  handoffsOfLiveAgents(): readonly Handoff[];
  /** The records, newest first; of agents that wear this persona, if one is named. */
  handoffs(limit: number, personaId?: number): readonly Handoff[];

  insertInboxItem(item: Omit<InboxItem, 'id'>): InboxItem;
  saveInboxItem(item: InboxItem): void;
  inboxItemById(id: number): InboxItem | undefined;
  /** What still is so about this run, this package, this kind of thing, or about this agent outside of runs; dismissed or not. */
  currentInboxItems(
    about:
      | { readonly runId: number }
      | { readonly agentId: number }
      | { readonly packageId: string }
      | { readonly keyPrefix: string },
  ): readonly InboxItem[];
  /** Neither over nor dismissed, oldest first. */
  openInboxItems(): readonly InboxItem[];
  /** Those of them that the operator was not notified of. */
  unsentInboxItems(): readonly InboxItem[];
  /** In the place of one with the same runtime and session, if there is one. */
  saveExternalSessionRow(candidate: Candidate): void;
  /** Latest seen first. */
  candidates(): readonly Candidate[];
  deleteExternalSession(candidate: Pick<Candidate, 'runtime' | 'sessionId'>): void;

  /** In the place of one with the same hash, if there is one. */
  savePageSession(session: PageSession): void;
  pageSession(tokenHash: string): PageSession | undefined;
  /** The longest unused first. */
  pageSessions(): readonly PageSession[];
  deletePageSession(tokenHash: string): void;

  /** In the place of one with the same reference, if there is one. */
  savePromptText(text: PromptText): void;
  promptText(ref: string): PromptText | undefined;
  /** In the order in which they were first saved. */
  promptTextsOf(about: { readonly runId: number } | { readonly agentId: number }): readonly PromptText[];

  /** The next of this year. A number that was given is never given again. */
  nextPackageNumber(year: number): number;
  /** In the place of one with the same id, if there is one. */
  savePackage(stored: StoredPackage): void;
  packageById(id: string): StoredPackage | undefined;
  packageByKey(key: string): StoredPackage | undefined;
  /** Oldest first. */
  packages(filter: PackageFilter): readonly StoredPackage[];
  /** Those with a time that has come, the earliest first; so many of them. */
  packagesDue(now: Instant, limit: number): readonly StoredPackage[];
  /** Each key that packages have under this mark, once. Costs what there are keys, however many packages have them. */
  packageKeys<M extends Mark>(mark: M): readonly NonNullable<PackageMarks[M]>[];
  /** Those that have this key, oldest first; the oldest or the newest so many. */
  packagesMarked<M extends Mark>(
    mark: M,
    key: NonNullable<PackageMarks[M]>,
    limit: number,
    which?: 'oldest' | 'newest',
  ): readonly StoredPackage[];
  /** All of a project, oldest first, without their texts. */
  packagesInBrief(projectId: number): readonly PackageInBrief[];
  /** Those that have changed since their files were written; the oldest so many, newer than the one with this id. */
  packagesBehind(limit: number, after?: string): readonly StoredPackage[];
  /** Its files say what it was at this event; null: they have to be written again. */
  packageWritten(id: string, seq: number | null): void;

  insertEffect(effect: Effect, at: Instant): PendingEffect;
  pendingEffects(): readonly PendingEffect[];
  /** false if somebody else has it: an effect is performed by one claimant at a time. */
  claimEffect(id: number, claimant: string, at: Instant): boolean;
  finishEffect(id: number, at: Instant): void;
  releaseEffect(id: number): void;
  effectsClaimedBy(claimant: string): readonly number[];
  /** What a dead server had claimed goes back; returns how many. */
  releaseEffectsNotOf(claimant: string): number;
}

/** The world did not allow what was asked: unique index, foreign key. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
}

/** The store itself is out of order: locked, full, read-only, damaged. The sentence says which. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

export interface Store {
  /**
   * Runs `work` in a transaction; resolves after it is durable on disk. All that is asked for in one turn of the event
   * loop shares one commit. If `work` throws, nothing of it is kept and the promise rejects.
   */
  write<T>(work: (tx: Tx) => T): Promise<T>;
  read<T>(work: (tx: Tx) => T): T;
  /** After each commit. */
  onCommit(listener: () => void): void;
  close(): void;
}
