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
  /** The persona that agents of this project get unless another one is named. */
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

/** One page of a list that is sorted by id. */
export interface Page {
  readonly limit: number;
  /** Only rows with a smaller id. */
  readonly before?: number | undefined;
}

/** Omitted fields do not filter. */
export interface PackageFilter {
  readonly projectId?: number | undefined;
  /** Only packages of the chain with this root. */
  readonly root?: string | undefined;
  /** Only packages from or to one of these names. */
  readonly party?: readonly string[] | undefined;
  /** true: only packages that are not over. */
  readonly inFlight?: boolean | undefined;
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  /** Only packages with this text in id, parties, reason or summary; upper and lower case are the same. */
  readonly text?: string | undefined;
  /** Only packages older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

export interface NewEvent {
  readonly at: Instant;
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** An event with the same key is logged only once. null for an event that cannot occur twice. */
  readonly dedupeKey: string | null;
}

/** Omitted fields do not filter. */
export interface EventFilter {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly agentId?: number | undefined;
  readonly runId?: number | undefined;
  /** Only events of this package. */
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
  /** Returns undefined, and logs nothing, if an event with this dedupe key already exists. */
  appendEvent(event: NewEvent): LoggedEvent | undefined;
  eventsAfter(seq: number, limit: number): readonly LoggedEvent[];
  events(filter: EventFilter): readonly LoggedEvent[];
  /** Returns the last events of these types about this agent, oldest first. */
  latestEventsOf(agentId: number, types: readonly string[], limit: number): readonly LoggedEvent[];
  lastSeq(): number;

  insertPersona(persona: Omit<Persona, 'id' | 'slug'>, slugFor: (id: number) => string): Persona;
  /** Saves name, role and status; does not change the slug. */
  savePersona(persona: Persona): void;
  personaBySlug(slug: string): Persona | undefined;
  personaById(id: number): Persona | undefined;
  personas(): readonly Persona[];

  insertProject(project: Omit<Project, 'id' | 'defaultPersonaId'>): Project;
  /** Saves the default persona; does not change name and path. */
  saveProject(project: Project): void;
  projectById(id: number): Project | undefined;
  projectByPath(path: string): Project | undefined;
  projects(): readonly Project[];

  /** Throws StoreConflict if the project already has a worktree of that name that is not removed. */
  insertWorktree(worktree: Omit<Worktree, 'id'>): Worktree;
  saveWorktree(worktree: Worktree): void;
  worktreeById(id: number): Worktree | undefined;
  /** Returns the worktrees that are not removed, oldest first. */
  worktrees(): readonly Worktree[];

  insertAgent(agent: Omit<Agent, 'id' | 'hostId' | 'tmuxSession'>): Agent;
  saveAgent(agent: Agent): void;
  agentById(id: number): Agent | undefined;
  agentByTokenHash(hash: string): Agent | undefined;
  /** Returns agents, oldest first: all agents or, with `page`, only the newest ones before its cursor. */
  agents(page?: Page): readonly Agent[];
  liveAgents(): readonly Agent[];
  /** Returns lost agents whose restore is still open (`mayBeRestored`), oldest first. */
  agentsToRestore(): readonly Agent[];
  /** Returns agents with a message or an answer whose outcome is unknown, oldest first. */
  unsettledAgents(): readonly Agent[];
  /** Returns the ids of agents that have or once had this persona, oldest first; with `page`, only the newest ones. */
  agentIdsOfPersona(personaId: number, page?: Page): readonly number[];
  latestAgentOf(wanted: { readonly personaId: number; readonly projectId?: number | undefined }): Agent | undefined;
  /** Returns the agents that have this agent as their previous agent, oldest first. */
  successorsOf(agentId: number): readonly Agent[];

  /** Throws StoreConflict if a run of that agent is in flight. */
  insertRun(run: Omit<Run, 'id' | 'hostId'>): Run;
  saveRun(run: Run): void;
  runById(id: number): Run | undefined;
  runsOfAgent(agentId: number): readonly Run[];
  runsInFlight(): readonly Run[];
  /** Returns the ids of the runs at this step. Does not parse the runs, so it can be called after each commit. */
  runIdsAt(step: Step): readonly number[];
  /** Returns the runs in flight in which this agent is the outgoing agent or the successor. */
  runsInFlightOf(agentId: number): readonly Run[];
  /** Returns runs, newest first. */
  runs(page: Page): readonly Run[];
  /** Marks a run that has advanced, so that its package will be updated. Idempotent. */
  markRunDirty(id: number): void;
  /** Oldest first. */
  runsToSync(): readonly Run[];
  clearRunDirty(id: number): void;

  /** Throws StoreConflict if the agent already has a record. `createdAt` defaults to the time of the transaction. */
  insertHandoff(handoff: Omit<Handoff, 'id' | 'createdAt'> & { readonly createdAt?: Instant }): Handoff;
  /** Saves the document path and the prompt; does not change agent, reason and time. */
  saveHandoff(handoff: Handoff): void;
  handoffById(id: number): Handoff | undefined;
  handoffOfAgent(agentId: number): Handoff | undefined;
  /** Returns the handoff records of live agents; their handoffs are under way or were stopped halfway. */
  handoffsOfLiveAgents(): readonly Handoff[];
  /** Returns handoff records, newest first; with `personaId`, only those of agents with this persona. */
  handoffs(page: Page, personaId?: number): readonly Handoff[];

  insertInboxItem(item: Omit<InboxItem, 'id' | 'key'>): InboxItem;
  saveInboxItem(item: InboxItem): void;
  inboxItemById(id: number): InboxItem | undefined;
  /**
   * Returns the inbox items whose cause still exists, dismissed or not. The items are about this run, about this
   * package, about this agent outside of runs, or about all outages or troubles.
   */
  currentInboxItems(
    about:
      | { readonly runId: number }
      | { readonly agentId: number }
      | { readonly packageId: string }
      | { readonly of: 'outage' | 'trouble' },
  ): readonly InboxItem[];
  /** Returns the inbox items that are neither over nor dismissed, oldest first. */
  openInboxItems(): readonly InboxItem[];
  /** Returns the open inbox items for which no notification was sent. */
  unsentInboxItems(): readonly InboxItem[];
  /** Saves a session; replaces the row with the same runtime and session id, if there is one. */
  saveExternalSessionRow(session: ExternalSession): void;
  /** Returns the external sessions, those seen latest first. */
  externalSessions(): readonly ExternalSession[];
  deleteExternalSession(session: Pick<ExternalSession, 'runtime' | 'sessionId'>): void;

  /** Saves a session; replaces the row with the same hash, if there is one. */
  savePageSession(session: PageSession): void;
  pageSession(tokenHash: string): PageSession | undefined;
  /** Returns the page sessions, the least recently used first. */
  pageSessions(): readonly PageSession[];
  deletePageSession(tokenHash: string): void;

  /** Saves a text; replaces the row with the same reference, if there is one. */
  savePromptText(text: PromptText): void;
  promptText(ref: string): PromptText | undefined;
  /** Returns texts in the order in which they were first saved. */
  promptTextsOf(about: { readonly runId: number } | { readonly agentId: number }): readonly PromptText[];

  /** Returns the next package number of this year. No number is returned twice. */
  nextPackageNumber(year: number): number;
  /** Saves a package; replaces the row with the same id, if there is one. */
  savePackage(stored: StoredPackage): void;
  packageById(id: string): StoredPackage | undefined;
  packageByKey(key: string): StoredPackage | undefined;
  /** Oldest first. */
  packages(filter: PackageFilter): readonly StoredPackage[];
  /** Returns at most `limit` packages whose deadline has passed, the earliest deadline first. */
  packagesDue(now: Instant, limit: number): readonly StoredPackage[];
  /**
   * Returns each distinct key that packages have under this mark. The cost depends on the number of keys, not on the
   * number of packages.
   */
  packageKeys<M extends Mark>(mark: M): readonly NonNullable<PackageMarks[M]>[];
  /** Returns packages with this key, oldest first; if there are more than `limit`, the oldest or the newest of them. */
  packagesMarked<M extends Mark>(
    mark: M,
    key: NonNullable<PackageMarks[M]>,
    limit: number,
    which?: 'oldest' | 'newest',
  ): readonly StoredPackage[];
  /** Returns the projects whose state file is out of date, each with the event number of its latest change. */
  staleStateFiles(): readonly { readonly projectId: number; readonly seq: number }[];
  markStateStale(projectId: number, seq: number): void;
  /** Records that the state file is current up to this event. After a later change, it stays marked as stale. */
  stateWritten(projectId: number, seq: number): void;
  /** Returns all packages of a project, oldest first, without their content. */
  packagesInBrief(projectId: number): readonly PackageInBrief[];
  /** Returns packages that changed after their files were written: the oldest `limit` of those newer than `after`. */
  packagesBehind(limit: number, after?: string): readonly StoredPackage[];
  /** Records that the files of this package are current up to this event. null: the files have to be written again. */
  packageWritten(id: string, seq: number | null): void;

  insertEffect(effect: Effect, at: Instant): PendingEffect;
  pendingEffects(): readonly PendingEffect[];
  /** Returns false if another claimant has the effect, because two servers must not perform it at the same time. */
  claimEffect(id: number, claimant: string, at: Instant): boolean;
  finishEffect(id: number, at: Instant): void;
  releaseEffect(id: number): void;
  effectsClaimedBy(claimant: string): readonly number[];
  /** Releases all effects claimed by other servers, which are dead; returns how many. */
  releaseEffectsNotOf(claimant: string): number;
}

/** A constraint of the database (a unique index or a foreign key) refused the write. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
}

/** The store itself does not work, because it is locked, full, read-only or damaged. The message says which. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

export interface Store {
  /**
   * Runs `work` in a transaction. Resolves after the changes are safely on disk. All writes of one turn of the event
   * loop share one commit. If `work` throws, its changes are rolled back and the promise rejects.
   */
  write<T>(work: (tx: Tx) => T): Promise<T>;
  read<T>(work: (tx: Tx) => T): T;
  /** Calls the listener after each commit. */
  onCommit(listener: () => void): void;
  close(): void;
}
