import type { Agent } from '../../domain/agents/agent.ts';
import type { Effect } from '../../domain/effects.ts';
import type { LoggedEvent } from '../../domain/facts.ts';
import type { Handoff, Run, Step } from '../../domain/handoffs/run.ts';
import type { InboxItem } from '../../domain/inbox/inbox.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PromptText } from '../../domain/messages/sent-prompt.ts';
import type { Mark, PackageMarks } from '../../domain/packages/package-marks.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import type { ExternalSession } from '../../domain/sessions/external-session.ts';
import type { PageSession } from '../../domain/sessions/page-session.ts';
import type { Worktree } from '../../domain/worktrees/worktree.ts';

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  /** The persona of its agents unless another is named. */
  readonly defaultPersonaId: number | null;
  readonly createdAt: Instant;
}

/** A package's parties and state, without its content. */
export interface PackageInBrief {
  readonly id: string;
  readonly createdAt: Instant;
  readonly from: string;
  readonly to: string;
  readonly state: string;
}

/** A piece of a list that is sorted by id. */
export interface Page {
  readonly limit: number;
  /** Only rows with a smaller id. */
  readonly before?: number | undefined;
}

/** Omitted fields do not filter. */
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
  /** Matches anywhere in id, parties, reason or summary, case-insensitively. */
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
  /** An event with the same key is logged only once, ever; null: cannot occur twice. */
  readonly dedupeKey: string | null;
}

/** Omitted fields do not filter. */
export interface EventFilter {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly agentId?: number | undefined;
  readonly runId?: number | undefined;
  /** Events of one package. */
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

/** The store inside a transaction. Every call is synchronous, so no other work can interleave. */
export interface Tx {
  readonly hostId: string;
  /** undefined if an event with this dedupe key already exists. */
  appendEvent(event: NewEvent): LoggedEvent | undefined;
  eventsAfter(seq: number, limit: number): readonly LoggedEvent[];
  events(filter: EventFilter): readonly LoggedEvent[];
  /** The last events of these types about this agent, oldest first. */
  latestEventsOf(agentId: number, types: readonly string[], limit: number): readonly LoggedEvent[];
  lastSeq(): number;

  insertPersona(persona: Omit<Persona, 'id' | 'slug'>, slugFor: (id: number) => string): Persona;
  /** Saves name, role and status; the slug stays. */
  savePersona(persona: Persona): void;
  personaBySlug(slug: string): Persona | undefined;
  personaById(id: number): Persona | undefined;
  personas(): readonly Persona[];

  insertProject(project: Omit<Project, 'id' | 'defaultPersonaId'>): Project;
  /** Saves the default persona; name and path stay. */
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
  /** Oldest first: all of them, or the newest `limit` of those older than the one with this id. */
  agents(page?: Page): readonly Agent[];
  liveAgents(): readonly Agent[];
  /** Lost agents whose restore is still open (`mayBeRestored`), oldest first. */
  agentsToRestore(): readonly Agent[];
  /** Agents with a message or an answer whose outcome is unknown, oldest first. */
  unsettledAgents(): readonly Agent[];
  /** Ids of the agents that have or once had this persona, oldest first: all of them, or the newest of a page. */
  agentIdsOfPersona(personaId: number, page?: Page): readonly number[];
  latestAgentOf(wanted: { readonly personaId: number; readonly projectId?: number | undefined }): Agent | undefined;
  /** The agents whose previous agent it is, oldest first. */
  successorsOf(agentId: number): readonly Agent[];

  /** Throws StoreConflict if a run of that agent is in flight. */
  insertRun(run: Omit<Run, 'id' | 'hostId'>): Run;
  saveRun(run: Run): void;
  runById(id: number): Run | undefined;
  runsOfAgent(agentId: number): readonly Run[];
  runsInFlight(): readonly Run[];
  /** Ids of the runs at this step. Parses no run, so it can be asked after each commit. */
  runIdsAt(step: Step): readonly number[];
  /** The runs in flight with this agent as the outgoing agent or as the successor. */
  runsInFlightOf(agentId: number): readonly Run[];
  /** Newest first. */
  runs(page: Page): readonly Run[];
  /** Flags a run that has moved, so that its package is updated. Idempotent. */
  markRunDirty(id: number): void;
  /** Oldest first. */
  runsToSync(): readonly Run[];
  clearRunDirty(id: number): void;

  /** Throws StoreConflict if the agent has a record already. `createdAt` defaults to the transaction's time. */
  insertHandoff(handoff: Omit<Handoff, 'id' | 'createdAt'> & { readonly createdAt?: Instant }): Handoff;
  /** Saves the document path and the prompt; agent, reason and time stay. */
  saveHandoff(handoff: Handoff): void;
  handoffById(id: number): Handoff | undefined;
  handoffOfAgent(agentId: number): Handoff | undefined;
  /** The records of live agents, so of handoffs that are under way or stopped half-way. */
  handoffsOfLiveAgents(): readonly Handoff[];
  /** The records, newest first; only of agents with this persona, if one is named. */
  handoffs(page: Page, personaId?: number): readonly Handoff[];

  insertInboxItem(item: Omit<InboxItem, 'id' | 'key'>): InboxItem;
  saveInboxItem(item: InboxItem): void;
  inboxItemById(id: number): InboxItem | undefined;
  /**
   * The items whose cause still exists, dismissed or not: of this run, this package, all outages or troubles, or this
   * agent outside of runs.
   */
  currentInboxItems(
    about:
      | { readonly runId: number }
      | { readonly agentId: number }
      | { readonly packageId: string }
      | { readonly of: 'outage' | 'trouble' },
  ): readonly InboxItem[];
  /** Neither over nor dismissed, oldest first. */
  openInboxItems(): readonly InboxItem[];
  /** The open items without a notification. */
  unsentInboxItems(): readonly InboxItem[];
  /** Replaces the one with the same runtime and session, if there is one. */
  saveExternalSessionRow(session: ExternalSession): void;
  /** Latest seen first. */
  externalSessions(): readonly ExternalSession[];
  deleteExternalSession(session: Pick<ExternalSession, 'runtime' | 'sessionId'>): void;

  /** Replaces the one with the same hash, if there is one. */
  savePageSession(session: PageSession): void;
  pageSession(tokenHash: string): PageSession | undefined;
  /** Least recently used first. */
  pageSessions(): readonly PageSession[];
  deletePageSession(tokenHash: string): void;

  /** Replaces the one with the same reference, if there is one. */
  savePromptText(text: PromptText): void;
  promptText(ref: string): PromptText | undefined;
  /** In the order in which they were first saved. */
  promptTextsOf(about: { readonly runId: number } | { readonly agentId: number }): readonly PromptText[];

  /** The next number of this year. A number is never issued twice. */
  nextPackageNumber(year: number): number;
  /** Replaces the one with the same id, if there is one. */
  savePackage(stored: StoredPackage): void;
  packageById(id: string): StoredPackage | undefined;
  packageByKey(key: string): StoredPackage | undefined;
  /** Oldest first. */
  packages(filter: PackageFilter): readonly StoredPackage[];
  /** Packages with a deadline that has passed, the earliest first, at most `limit`. */
  packagesDue(now: Instant, limit: number): readonly StoredPackage[];
  /** Each distinct key that packages have under this mark. The cost depends on the number of keys, not of packages. */
  packageKeys<M extends Mark>(mark: M): readonly NonNullable<PackageMarks[M]>[];
  /** Packages with this key, oldest first; of more than `limit`, the oldest or the newest. */
  packagesMarked<M extends Mark>(
    mark: M,
    key: NonNullable<PackageMarks[M]>,
    limit: number,
    which?: 'oldest' | 'newest',
  ): readonly StoredPackage[];
  /** Projects whose state file lacks changes, with the event of the latest such change. */
  staleStateFiles(): readonly { readonly projectId: number; readonly seq: number }[];
  markStateStale(projectId: number, seq: number): void;
  /** The state file shows all changes up to this event. Keeps the mark of a later change. */
  stateWritten(projectId: number, seq: number): void;
  /** All packages of a project, oldest first, without their content. */
  packagesInBrief(projectId: number): readonly PackageInBrief[];
  /** Packages that changed after their files were written: the oldest `limit`, newer than the one with this id. */
  packagesBehind(limit: number, after?: string): readonly StoredPackage[];
  /** Records that its files show it as of this event; null: they have to be written again. */
  packageWritten(id: string, seq: number | null): void;

  insertEffect(effect: Effect, at: Instant): PendingEffect;
  pendingEffects(): readonly PendingEffect[];
  /** false if another claimant has it: an effect is performed by one at a time. */
  claimEffect(id: number, claimant: string, at: Instant): boolean;
  finishEffect(id: number, at: Instant): void;
  releaseEffect(id: number): void;
  effectsClaimedBy(claimant: string): readonly number[];
  /** Releases the effects that dead servers had claimed; returns how many. */
  releaseEffectsNotOf(claimant: string): number;
}

/** A constraint refused the write: unique index or foreign key. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
}

/** The store itself does not work: locked, full, read-only, damaged. The message says which. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

export interface Store {
  /**
   * Runs `work` in a transaction; resolves after it is durable on disk. All writes of one turn of the event loop share
   * one commit. If `work` throws, its changes are rolled back and the promise rejects.
   */
  write<T>(work: (tx: Tx) => T): Promise<T>;
  read<T>(work: (tx: Tx) => T): T;
  /** After each commit. */
  onCommit(listener: () => void): void;
  close(): void;
}
