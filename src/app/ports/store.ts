import type { Agent } from '../../domain/agents/agent.ts';
import type { Effect } from '../../domain/effects.ts';
import type { LoggedEvent } from '../../domain/facts.ts';
import type { HandoffPolicy } from '../../domain/handoffs/policy/policy.ts';
import type { Handoff, Run, RunState, Step } from '../../domain/handoffs/run.ts';
import type { InboxItem } from '../../domain/inbox/inbox.ts';
import type { Instant } from '../../domain/instant.ts';
import type { PromptText } from '../../domain/messages/sent-prompt.ts';
import type { Mark, PackageMarks } from '../../domain/packages/package-marks.ts';
import type { StoredPackage } from '../../domain/packages/stored-package.ts';
import type { Persona } from '../../domain/personas/persona.ts';
import type { RunsOn } from '../../domain/personas/runs-on.ts';
import type { NewSearchEntry, SearchBacklog, SearchEntry, SearchFilter } from '../../domain/search/search-entry.ts';
import type { SearchQuery } from '../../domain/search/search-query.ts';
import type { ExternalSession } from '../../domain/sessions/external-session.ts';
import type { PageSession } from '../../domain/sessions/page-session.ts';
import type { Worktree } from '../../domain/worktrees/worktree.ts';
import type { AgentFilter } from '../agents/agent-filter.ts';
import type { UsageTx } from '../usage/usage-store.ts';
import type { FleetTx } from './fleet/fleet-store.ts';
import type { KnowledgeTx } from './knowledge-store.ts';

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  /** The persona that agents of this project get unless the operator names another persona. */
  readonly defaultPersonaId: number | null;
  /**
   * The programs that agents of this project run on, the first choice first. For an agent whose persona has its own
   * list, only the persona's list counts.
   */
  readonly runsOn?: readonly RunsOn[];
  /** The handoff policy of the agents of this project. Absent if the operator set none. */
  readonly policy?: HandoffPolicy;
  readonly createdAt: Instant;
}

/** The parties and the state of a package, without its content. */
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
  /** If set, the page contains only rows whose ids are smaller than this id. */
  readonly before?: number | undefined;
}

/** A filter for packages. Fields that are omitted do not restrict the result. */
export interface PackageFilter {
  readonly projectId?: number | undefined;
  /** Matches only packages of the chain with this root. */
  readonly root?: string | undefined;
  /** Matches only packages from or to one of these names. */
  readonly party?: readonly string[] | undefined;
  /** If true, matches only packages that are still open. */
  readonly inFlight?: boolean | undefined;
  readonly state?: string | undefined;
  readonly type?: string | undefined;
  /** Matches only packages with this text in id, parties, reason or summary. Upper and lower case do not matter. */
  readonly text?: string | undefined;
  /** Matches only packages that are older than the package with this id. */
  readonly before?: string | undefined;
  readonly limit?: number | undefined;
}

export interface NewEvent {
  readonly at: Instant;
  readonly agentId: number | null;
  readonly runId: number | null;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** The dedupe key. A second event with the same key is not logged. Null for an event that cannot occur twice. */
  readonly dedupeKey: string | null;
}

/** A filter for events. Fields that are omitted do not restrict the result. */
export interface EventFilter {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly agentId?: number | undefined;
  readonly runId?: number | undefined;
  /** Matches only events of this package. */
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

/** The store inside a transaction. Every call is synchronous, so no other work can run between two calls. */
export interface Tx extends FleetTx, KnowledgeTx, UsageTx {
  readonly hostId: string;
  /** Logs an event. Returns undefined, and logs nothing, if an event with this dedupe key already exists. */
  appendEvent(event: NewEvent): LoggedEvent | undefined;
  eventsAfter(seq: number, limit: number): readonly LoggedEvent[];
  events(filter: EventFilter): readonly LoggedEvent[];
  /**
   * Returns the latest events of these types about this agent, at most `limit`. The oldest of the returned events comes
   * first.
   */
  latestEventsOf(agentId: number, types: readonly string[], limit: number): readonly LoggedEvent[];
  lastSeq(): number;

  insertPersona(persona: Omit<Persona, 'id' | 'slug'>, slugFor: (id: number) => string): Persona;
  /** Saves everything about a persona except its slug, which never changes. */
  savePersona(persona: Persona): void;
  personaBySlug(slug: string): Persona | undefined;
  personaById(id: number): Persona | undefined;
  personas(): readonly Persona[];

  insertProject(project: Omit<Project, 'id' | 'defaultPersonaId'>): Project;
  /** Saves everything about a project except its name and path, which never change. */
  saveProject(project: Project): void;
  projectById(id: number): Project | undefined;
  projectByPath(path: string): Project | undefined;
  projects(): readonly Project[];

  /**
   * Adds a worktree. Throws StoreConflict if the project already has a worktree with this name, unless that worktree
   * was removed.
   */
  insertWorktree(worktree: Omit<Worktree, 'id'>): Worktree;
  saveWorktree(worktree: Worktree): void;
  worktreeById(id: number): Worktree | undefined;
  /** Returns the worktrees that have not been removed, oldest first. */
  worktrees(): readonly Worktree[];

  insertAgent(agent: Omit<Agent, 'id' | 'hostId' | 'tmuxSession'>): Agent;
  saveAgent(agent: Agent): void;
  agentById(id: number): Agent | undefined;
  agentByTokenHash(hash: string): Agent | undefined;
  /**
   * Returns agents, oldest first. With `page`, returns only the newest agents whose ids are below the cursor of the
   * page. With `filter`, returns only agents that match the filter.
   */
  agents(page?: Page, filter?: AgentFilter): readonly Agent[];
  liveAgents(): readonly Agent[];
  /** Returns lost agents that can still be restored (`mayBeRestored`), oldest first. */
  agentsToRestore(): readonly Agent[];
  /** Returns agents with a message or an answer whose outcome is unknown, oldest first. */
  unsettledAgents(): readonly Agent[];
  /**
   * Returns the ids of agents that have or once had this persona, oldest first. With `page`, returns only the newest
   * ids below the cursor of the page.
   */
  agentIdsOfPersona(personaId: number, page?: Page): readonly number[];
  latestAgentOf(wanted: { readonly personaId: number; readonly projectId?: number | undefined }): Agent | undefined;
  /** Returns the agents whose `previousAgentId` is this agent, oldest first. */
  successorsOf(agentId: number): readonly Agent[];

  /** Adds a run. Throws StoreConflict if another run of the same agent is in flight. */
  insertRun(run: Omit<Run, 'id' | 'hostId'>): Run;
  saveRun(run: Run): void;
  runById(id: number): Run | undefined;
  runsOfAgent(agentId: number): readonly Run[];
  runsInFlight(): readonly Run[];
  /**
   * Returns the ids of the runs at this step. This function does not parse the runs, so it is fast enough to be called
   * after every commit.
   */
  runIdsAt(step: Step): readonly number[];
  /** Returns the runs in flight in which this agent is the outgoing agent or the successor. */
  runsInFlightOf(agentId: number): readonly Run[];
  /** Returns runs, newest first. If a state is given, returns only the runs in this state. */
  runs(page: Page, state?: RunState): readonly Run[];
  /**
   * Marks a run because its package must be updated. A later transaction updates the package. Marking a run twice
   * changes nothing.
   */
  markRunDirty(id: number): void;
  /** Returns the runs that are marked because their package must be updated, oldest first. */
  runsToSync(): readonly Run[];
  clearRunDirty(id: number): void;

  /**
   * Adds a handoff record. Throws StoreConflict if the agent already has a handoff record. `createdAt` defaults to the
   * time of the transaction.
   */
  insertHandoff(handoff: Omit<Handoff, 'id' | 'createdAt'> & { readonly createdAt?: Instant }): Handoff;
  /** Saves the document path and the prompt of a handoff record. The agent, reason and time do not change. */
  saveHandoff(handoff: Handoff): void;
  handoffById(id: number): Handoff | undefined;
  handoffOfAgent(agentId: number): Handoff | undefined;
  /**
   * Returns the handoff records of live agents. A live agent has a record while its handoff is in flight, or if its
   * handoff was stopped halfway.
   */
  handoffsOfLiveAgents(): readonly Handoff[];
  /** Returns handoff records, newest first. With `personaId`, returns only the records of agents with this persona. */
  handoffs(page: Page, personaId?: number): readonly Handoff[];

  insertInboxItem(item: Omit<InboxItem, 'id' | 'key'>): InboxItem;
  saveInboxItem(item: InboxItem): void;
  inboxItemById(id: number): InboxItem | undefined;
  /**
   * Returns the inbox items whose cause still exists, even if they were dismissed. The argument says what the items are
   * about: a run, a package, a persona (by its slug), an agent outside of runs, outages, or failing parts of Baton.
   */
  currentInboxItems(
    about:
      | { readonly runId: number }
      | { readonly agentId: number }
      | { readonly packageId: string }
      | { readonly persona: string }
      | { readonly of: 'outage' | 'trouble' },
  ): readonly InboxItem[];
  /** Returns the inbox items that are neither resolved nor dismissed, oldest first. */
  openInboxItems(): readonly InboxItem[];
  /** Returns the inbox items that are resolved or dismissed, newest first. */
  settledInboxItems(page: Page): readonly InboxItem[];
  /** Returns the open inbox items for which no notification has been sent yet. */
  unsentInboxItems(): readonly InboxItem[];
  /** Saves an external session. Replaces the row with the same runtime and session id, if there is one. */
  saveExternalSessionRow(session: ExternalSession): void;
  /** Returns the external sessions, the most recently seen session first. */
  externalSessions(): readonly ExternalSession[];
  deleteExternalSession(session: Pick<ExternalSession, 'runtime' | 'sessionId'>): void;

  /** Saves a page session (a browser that is logged in). Replaces the row with the same hash, if there is one. */
  savePageSession(session: PageSession): void;
  pageSession(tokenHash: string): PageSession | undefined;
  /** Returns the page sessions; the least recently used come first. */
  pageSessions(): readonly PageSession[];
  deletePageSession(tokenHash: string): void;

  /** Saves the text of a prompt. Replaces the row with the same reference, if there is one. */
  savePromptText(text: PromptText): void;
  promptText(ref: string): PromptText | undefined;
  /** Returns the texts of prompts in the order in which they were first saved. */
  promptTextsOf(about: { readonly runId: number } | { readonly agentId: number }): readonly PromptText[];

  /** Returns the next package number of this year, and never the same number twice. */
  nextPackageNumber(year: number): number;
  /** Saves a package. Replaces the row with the same id, if there is one. */
  savePackage(stored: StoredPackage): void;
  packageById(id: string): StoredPackage | undefined;
  packageByKey(key: string): StoredPackage | undefined;
  /** Returns the matching packages, oldest first. */
  packages(filter: PackageFilter): readonly StoredPackage[];
  /** Returns at most `limit` packages whose deadline has passed; the earliest deadlines come first. */
  packagesDue(now: Instant, limit: number): readonly StoredPackage[];
  /**
   * Returns all values that this mark has in any package, each value once. The value of a mark says which agents the
   * package concerns (see `PackageMarks`).
   */
  packageKeys<M extends Mark>(mark: M): readonly NonNullable<PackageMarks[M]>[];
  /**
   * Returns the packages in which this mark has the value `key`, oldest first. If more than `limit` packages match,
   * `which` says whether to return the oldest or the newest of them.
   */
  packagesMarked<M extends Mark>(
    mark: M,
    key: NonNullable<PackageMarks[M]>,
    limit: number,
    which?: 'oldest' | 'newest',
  ): readonly StoredPackage[];
  /**
   * Returns the projects whose state file is out of date. `seq` is the number of the latest event that the file does
   * not include yet.
   */
  staleStateFiles(): readonly { readonly projectId: number; readonly seq: number }[];
  markStateStale(projectId: number, seq: number): void;
  /**
   * Records that the project's state file includes all events up to this one. If the project has changed after this
   * event, the file stays marked as out of date.
   */
  stateWritten(projectId: number, seq: number): void;
  /**
   * Returns packages of a project without their content: at most `limit`, the oldest first. If `after` names a package,
   * returns only newer packages.
   */
  packagesInBrief(projectId: number, limit: number, after?: string): readonly PackageInBrief[];
  /**
   * Returns packages that have changed since their files were written: at most `limit`, the oldest first. If `after`
   * names a package, returns only newer packages.
   */
  packagesBehind(limit: number, after?: string): readonly StoredPackage[];
  /**
   * Records that the files of this package are current up to this event. If `seq` is null, the files have to be written
   * again.
   */
  packageWritten(id: string, seq: number | null): void;

  /**
   * Makes a text findable by its words. If a text with the same key exists, replaces that text but keeps its time and
   * id.
   */
  indexText(entry: NewSearchEntry, words: ReadonlySet<string>): void;
  /** Removes the text with this key from the search, if there is one. */
  forgetText(key: string): void;
  /**
   * Returns the entries whose texts contain all words of the query, newest first. The order of the words in a phrase is
   * not checked here, so the caller must look for the phrase in the text.
   */
  searchTexts(query: SearchQuery, filter: SearchFilter): readonly SearchEntry[];
  /** Returns the ranges of the log that are not indexed for the search yet, the newest range first. */
  searchBacklog(): readonly SearchBacklog[];
  /**
   * Saves which part of a range of the log is not indexed yet. Baton indexes a range backward, from `next` down to
   * `last`. If `next` is smaller than `last`, removes the range, because all of it is indexed.
   */
  saveSearchBacklog(part: SearchBacklog): void;

  insertEffect(effect: Effect, at: Instant): PendingEffect;
  pendingEffects(): readonly PendingEffect[];
  /** Claims an effect, so that only one server performs it. Returns false if another server has already claimed it. */
  claimEffect(id: number, claimant: string, at: Instant): boolean;
  finishEffect(id: number, at: Instant): void;
  releaseEffect(id: number): void;
  /** Returns the effects that this server has claimed and not finished, the oldest first. */
  effectsClaimedBy(claimant: string): readonly PendingEffect[];
  /**
   * Releases all effects that other servers claimed, because those servers are dead. Returns the number of released
   * effects.
   */
  releaseEffectsNotOf(claimant: string): number;
}

/** A constraint of the database, such as a unique index or a foreign key, refused the write. */
export class StoreConflict extends Error {
  override readonly name = 'StoreConflict';
}

/** The store itself does not work, because it is locked, full, read-only or damaged. The message names the problem. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

export interface Store {
  /**
   * Runs `work` in a transaction. Resolves after the changes are on disk. All writes in one turn of the event loop
   * share one commit. If `work` throws, its changes are rolled back and the promise rejects.
   */
  write<T>(work: (tx: Tx) => T): Promise<T>;
  read<T>(work: (tx: Tx) => T): T;
  /** Calls the listener after each commit. Returns a function that removes the listener. */
  onCommit(listener: () => void): () => void;
  /**
   * Calls the listener at the end of each transaction, so that the listener's changes are part of the same commit. If
   * the listener throws, only its own changes are rolled back. Returns a function that removes the listener.
   */
  beforeCommit(listener: (tx: Tx) => void): () => void;
  close(): void;
}
