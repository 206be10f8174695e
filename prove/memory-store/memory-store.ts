import { eventHash, FIRST_HASH } from '../../src/adapters/stores/event-hash.ts';
import { createGroupCommit } from '../../src/adapters/stores/group-commit.ts';
import { createListeners } from '../../src/adapters/stores/listeners.ts';
import { tmuxSessionName } from '../../src/adapters/stores/tmux-session-name.ts';
import { isAgentWanted } from '../../src/app/agents/agent-filter.ts';
import {
  type Page,
  type PendingEffect,
  type Project,
  type Store,
  StoreConflict,
  type Tx,
} from '../../src/app/ports/store.ts';
import { type Agent, hasHadPersona, isLive } from '../../src/domain/agents/agent.ts';
import { mayBeRestored } from '../../src/domain/agents/outage.ts';
import { isUnsettled } from '../../src/domain/agents/unsettled.ts';
import type { LoggedEvent } from '../../src/domain/facts.ts';
import { type Handoff, isOver, type Run, takesPart } from '../../src/domain/handoffs/run.ts';
import type { InboxItem } from '../../src/domain/inbox/inbox.ts';
import { inboxKey } from '../../src/domain/inbox/inbox-cause.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { PromptText } from '../../src/domain/messages/sent-prompt.ts';
import { isPackageEvent } from '../../src/domain/packages/stored-package.ts';
import type { Persona } from '../../src/domain/personas/persona.ts';
import type { ExternalSession } from '../../src/domain/sessions/external-session.ts';
import type { PageSession } from '../../src/domain/sessions/page-session.ts';
import type { Worktree } from '../../src/domain/worktrees/worktree.ts';
import { fleetQueries } from './fleet-queries.ts';
import { createJournal, type Journal, type Table } from './journal.ts';
import { knowledgeQueries } from './knowledge-queries.ts';
import { packageQueries } from './package-queries.ts';
import { searchQueries } from './search-queries.ts';
import { usageQueries } from './usage-queries.ts';

/** The store without a disk, for tests and simulations. The same test suite checks this store and the real store. */
export function createMemoryStore(hostId: string, now: () => Instant): Store {
  const journal = createJournal();
  const tx = createMemoryTx(journal, hostId, now);
  const [before, after] = [createListeners<Tx>(), createListeners<void>()];
  const group = createGroupCommit({
    isolated: journal.isolated,
    last: () => before.callAll(tx),
    committed: () => after.callAll(),
  });
  return {
    write: (work) => group.add(() => work(tx)),
    read: (work) => work(tx),
    onCommit: after.add,
    beforeCommit: before.add,
    close: () => undefined,
  };
}

interface EffectRow extends PendingEffect {
  readonly state: 'pending' | 'claimed' | 'done';
  readonly claimedBy: string | null;
}

function createMemoryTx(journal: Journal, hostId: string, now: () => Instant): Tx {
  const agents = journal.table<Agent>();
  const runs = journal.table<Run>();
  const handoffs = journal.table<Handoff>();
  return {
    hostId,
    ...eventVerbs(journal, hostId),
    ...personaQueries(journal),
    ...worktreeVerbs(journal),
    ...agentVerbs(agents, hostId),
    ...runVerbs(runs, { agents, hostId, toTell: journal.table<number>() }),
    ...handoffVerbs(handoffs, { agents, now }),
    ...inboxVerbs(journal),
    ...externalSessionQueries(journal),
    ...pageSessionVerbs(journal),
    ...promptTextVerbs(journal, agents),
    ...packageQueries(journal),
    ...effectVerbs(journal),
    ...fleetQueries(journal),
    ...searchQueries(journal),
    ...knowledgeQueries(journal),
    ...usageQueries(journal),
  };
}

function eventVerbs(
  journal: Journal,
  hostId: string,
): Pick<Tx, 'appendEvent' | 'eventsAfter' | 'events' | 'latestEventsOf' | 'lastSeq'> {
  const rows = journal.table<LoggedEvent & { readonly key: string | null }>();
  const keys = new Map<string, number>();
  const length = () => rows.all().length;
  const known = (key: string) => rows.get(keys.get(key) ?? 0)?.key === key;
  return {
    appendEvent: ({ dedupeKey, ...event }) => {
      if (dedupeKey !== null && known(dedupeKey)) return undefined;
      const seq = length() + 1;
      const unsealed = { seq, hostId, ...event };
      const logged = { ...unsealed, hash: eventHash(rows.get(seq - 1)?.hash ?? FIRST_HASH, unsealed) };
      rows.set(seq, { ...logged, key: dedupeKey });
      if (dedupeKey !== null) keys.set(dedupeKey, seq);
      return logged;
    },
    eventsAfter: (seq, limit) =>
      rows
        .all()
        .slice(seq, seq + limit)
        .map(({ key: _, ...event }) => event),
    events: (filter) => {
      const { after = 0, before = Number.POSITIVE_INFINITY, newestFirst = false, limit } = filter;
      const { agentId, runId, packageId, types } = filter;
      const found = rows
        .all()
        .filter(
          (event) =>
            event.seq > after &&
            event.seq < before &&
            (agentId === undefined || event.agentId === agentId) &&
            (runId === undefined || event.runId === runId) &&
            (packageId === undefined || (isPackageEvent(event.type) && event.data.packageId === packageId)) &&
            (types === undefined || types.includes(event.type)),
        )
        .map(({ key: _, ...event }) => event);
      return (newestFirst ? found.reverse() : found).slice(0, limit);
    },
    latestEventsOf: (agentId, types, limit) =>
      rows
        .all()
        .filter((event) => event.agentId === agentId && types.includes(event.type))
        .slice(-limit)
        .map(({ key: _, ...event }) => event),
    lastSeq: length,
  };
}

function personaQueries(
  journal: Journal,
): Pick<
  Tx,
  | 'insertPersona'
  | 'savePersona'
  | 'personaBySlug'
  | 'personaById'
  | 'personas'
  | 'insertProject'
  | 'saveProject'
  | 'projectById'
  | 'projectByPath'
  | 'projects'
> {
  const personas = journal.table<Persona>();
  const projects = journal.table<Project>();
  return {
    insertPersona: (wanted, slugFor) => {
      const id = personas.nextId();
      const persona = { id, slug: slugFor(id), ...wanted };
      personas.set(id, persona);
      return persona;
    },
    savePersona: ({ runsOn, ...persona }) => {
      const before = personas.get(persona.id);
      if (before === undefined) return;
      const { slug, createdAt } = before;
      personas.set(persona.id, { ...persona, slug, createdAt, ...(runsOn?.length ? { runsOn } : {}) });
    },
    personaBySlug: (slug) => personas.all().find((persona) => persona.slug === slug),
    personaById: (id) => personas.get(id),
    personas: () => personas.all(),
    insertProject: (wanted) => {
      if (projects.all().some(({ path }) => path === wanted.path))
        throw new StoreConflict(`project ${wanted.path} exists`);
      const project = { id: projects.nextId(), defaultPersonaId: null, ...wanted };
      projects.set(project.id, project);
      return project;
    },
    saveProject: ({ runsOn, ...project }) => {
      const before = projects.get(project.id);
      if (before === undefined) return;
      const { name, path, createdAt } = before;
      projects.set(project.id, { ...project, name, path, createdAt, ...(runsOn?.length ? { runsOn } : {}) });
    },
    projectById: (id) => projects.get(id),
    projectByPath: (path) => projects.all().find((project) => project.path === path),
    projects: () => projects.all(),
  };
}

function worktreeVerbs(journal: Journal): Pick<Tx, 'insertWorktree' | 'saveWorktree' | 'worktreeById' | 'worktrees'> {
  const rows = journal.table<Worktree>();
  const there = () => rows.all().filter(({ state }) => state !== 'removed');
  return {
    insertWorktree: (wanted) => {
      if (there().some(({ projectId, name }) => projectId === wanted.projectId && name === wanted.name))
        throw new StoreConflict(`worktree ${wanted.name} exists`);
      const worktree = { ...wanted, id: rows.nextId() };
      rows.set(worktree.id, worktree);
      return worktree;
    },
    saveWorktree: (worktree) => rows.set(worktree.id, worktree),
    worktreeById: (id) => rows.get(id),
    worktrees: there,
  };
}

function agentVerbs(
  agents: Table<Agent>,
  hostId: string,
): Pick<
  Tx,
  | 'insertAgent'
  | 'saveAgent'
  | 'agentById'
  | 'agentByTokenHash'
  | 'agents'
  | 'liveAgents'
  | 'agentsToRestore'
  | 'unsettledAgents'
  | 'agentIdsOfPersona'
  | 'latestAgentOf'
  | 'successorsOf'
> {
  return {
    insertAgent: (wanted) => {
      if (agents.all().some(({ sessionUuid }) => sessionUuid === wanted.sessionUuid))
        throw new StoreConflict('session_uuid is taken');
      const id = agents.nextId();
      const agent = { id, hostId, tmuxSession: tmuxSessionName(id), ...wanted };
      agents.set(id, agent);
      return agent;
    },
    saveAgent: (agent) => agents.set(agent.id, agent),
    agentById: (id) => agents.get(id),
    agentByTokenHash: (hash) => agents.all().find(({ tokenHash }) => tokenHash === hash),
    agents: (page, filter = {}) => {
      const all = agents.all().filter((agent) => isAgentWanted(agent, filter));
      return page === undefined ? all : older(all, page).slice(-page.limit);
    },
    liveAgents: () => agents.all().filter(isLive),
    agentsToRestore: () => agents.all().filter(mayBeRestored),
    unsettledAgents: () => agents.all().filter(isUnsettled),
    agentIdsOfPersona: (personaId, page) => {
      const had = agents.all().filter((agent) => hasHadPersona(agent, personaId));
      return (page === undefined ? had : older(had, page).slice(-page.limit)).map(({ id }) => id);
    },
    latestAgentOf: ({ personaId, projectId }) =>
      agents
        .all()
        .findLast((each) => each.personaId === personaId && (projectId === undefined || each.projectId === projectId)),
    successorsOf: (id) => agents.all().filter(({ previousAgentId }) => previousAgentId === id),
  };
}

function runVerbs(
  runs: Table<Run>,
  { agents, hostId, toTell }: { agents: Table<Agent>; hostId: string; toTell: Table<number> },
): Pick<
  Tx,
  | 'insertRun'
  | 'saveRun'
  | 'runById'
  | 'runsOfAgent'
  | 'runsInFlight'
  | 'runsInFlightOf'
  | 'runIdsAt'
  | 'runs'
  | 'markRunDirty'
  | 'runsToSync'
  | 'clearRunDirty'
> {
  const ofAgent = (agentId: number) => runs.all().filter((run) => run.agentId === agentId);
  return {
    insertRun: (wanted) => {
      if (agents.get(wanted.agentId) === undefined) throw new StoreConflict('no such agent');
      if (ofAgent(wanted.agentId).some((run) => !isOver(run)))
        throw new StoreConflict('a run of this agent is in flight');
      const run = { id: runs.nextId(), hostId, ...wanted };
      runs.set(run.id, run);
      return run;
    },
    saveRun: (run) => {
      if (!isOver(run) && ofAgent(run.agentId).some((other) => other.id !== run.id && !isOver(other)))
        throw new StoreConflict('a run of this agent is in flight');
      runs.set(run.id, run);
    },
    runById: (id) => runs.get(id),
    runsOfAgent: ofAgent,
    runsInFlight: () => runs.all().filter((run) => !isOver(run)),
    runIdsAt: (step) =>
      runs
        .all()
        .filter((run) => run.step === step)
        .map(({ id }) => id),
    runsInFlightOf: (agentId) => runs.all().filter((run) => !isOver(run) && takesPart(run, agentId)),
    runs: (page, state) =>
      older(runs.all(), page)
        .filter((run) => state === undefined || (isOver(run) ? run.step : 'in_flight') === state)
        .toReversed()
        .slice(0, page.limit),
    markRunDirty: (id) => toTell.set(id, id),
    runsToSync: () => runs.all().filter(({ id }) => toTell.get(id) !== undefined),
    clearRunDirty: (id) => toTell.delete(id),
  };
}

function handoffVerbs(
  handoffs: Table<Handoff>,
  { agents, now }: { agents: Table<Agent>; now: () => Instant },
): Pick<Tx, 'insertHandoff' | 'saveHandoff' | 'handoffById' | 'handoffOfAgent' | 'handoffsOfLiveAgents' | 'handoffs'> {
  const ofAgent = (agentId: number) => handoffs.all().find((record) => record.agentId === agentId);
  return {
    insertHandoff: ({ createdAt, ...wanted }) => {
      if (agents.get(wanted.agentId) === undefined) throw new StoreConflict('no such agent');
      if (ofAgent(wanted.agentId) !== undefined) throw new StoreConflict('this agent has a record');
      const record = { id: handoffs.nextId(), ...wanted, createdAt: createdAt ?? now() };
      handoffs.set(record.id, record);
      return record;
    },
    saveHandoff: ({ id, filePath, injectionPrompt }) => {
      const before = handoffs.get(id);
      if (before !== undefined) handoffs.set(id, { ...before, filePath, injectionPrompt });
    },
    handoffById: (id) => handoffs.get(id),
    handoffOfAgent: ofAgent,
    handoffsOfLiveAgents: () =>
      handoffs.all().filter(({ agentId }) => {
        const agent = agents.get(agentId);
        return agent !== undefined && isLive(agent);
      }),
    handoffs: (page, personaId) =>
      older(handoffs.all(), page)
        .filter(({ agentId }) => personaId === undefined || agents.get(agentId)?.personaId === personaId)
        .toReversed()
        .slice(0, page.limit),
  };
}

const older = <T extends { readonly id: number }>(all: readonly T[], { before }: Page): readonly T[] =>
  before === undefined ? all : all.filter(({ id }) => id < before);

function inboxVerbs(
  journal: Journal,
): Pick<
  Tx,
  | 'insertInboxItem'
  | 'saveInboxItem'
  | 'inboxItemById'
  | 'currentInboxItems'
  | 'openInboxItems'
  | 'settledInboxItems'
  | 'unsentInboxItems'
> {
  const rows = journal.table<InboxItem>();
  return {
    insertInboxItem: (wanted) => {
      const key = inboxKey(wanted.cause);
      if (wanted.current && rows.all().some((item) => item.current && item.key === key))
        throw new StoreConflict(`the inbox has ${key}`);
      const item = { id: rows.nextId(), ...wanted, key };
      rows.set(item.id, item);
      return item;
    },
    saveInboxItem: (item) => rows.set(item.id, item),
    inboxItemById: (id) => rows.all().find((item) => item.id === id),
    currentInboxItems: (about) =>
      rows
        .all()
        .filter(
          (item) =>
            item.current &&
            ('packageId' in about
              ? item.cause.of === 'package' && item.cause.packageId === about.packageId
              : 'persona' in about
                ? item.cause.of === 'persona' && item.cause.slug === about.persona
                : 'of' in about
                  ? item.cause.of === about.of
                  : 'runId' in about
                    ? item.runId === about.runId
                    : item.runId === null && item.agentId === about.agentId),
        ),
    openInboxItems: () => rows.all().filter(({ resolvedAt }) => resolvedAt === null),
    settledInboxItems: ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      rows
        .all()
        .filter(({ id, resolvedAt }) => resolvedAt !== null && id < before)
        .toReversed()
        .slice(0, limit),
    unsentInboxItems: () =>
      rows.all().filter(({ resolvedAt, notifiedAt }) => resolvedAt === null && notifiedAt === null),
  };
}

function externalSessionQueries(
  journal: Journal,
): Pick<Tx, 'saveExternalSessionRow' | 'externalSessions' | 'deleteExternalSession'> {
  const rows = journal.table<ExternalSession & { readonly id: number }>();
  const find = ({ runtime, sessionId }: Pick<ExternalSession, 'runtime' | 'sessionId'>) =>
    rows.all().find((row) => row.runtime === runtime && row.sessionId === sessionId);
  return {
    saveExternalSessionRow: (session) => {
      const id = find(session)?.id ?? rows.nextId();
      rows.set(id, { ...session, id });
    },
    externalSessions: () =>
      rows
        .all()
        .map(({ id: _, ...session }) => session)
        .sort((one, other) => compare(other.lastSeenAt, one.lastSeenAt) || compare(one.sessionId, other.sessionId)),
    deleteExternalSession: (session) => {
      const found = find(session);
      if (found !== undefined) rows.delete(found.id);
    },
  };
}

function pageSessionVerbs(
  journal: Journal,
): Pick<Tx, 'savePageSession' | 'pageSession' | 'pageSessions' | 'deletePageSession'> {
  const rows = journal.table<PageSession & { readonly id: number }>();
  const find = (hash: string) => rows.all().find(({ tokenHash }) => tokenHash === hash);
  const bare = ({ id: _, ...session }: PageSession & { readonly id: number }): PageSession => session;
  const order = ({ usedOn, createdOn, tokenHash }: PageSession) => `${usedOn} ${createdOn} ${tokenHash}`;
  return {
    savePageSession: (session) => {
      const id = find(session.tokenHash)?.id ?? rows.nextId();
      rows.set(id, { ...session, id });
    },
    pageSession: (hash) => {
      const found = find(hash);
      return found && bare(found);
    },
    pageSessions: () =>
      rows
        .all()
        .map(bare)
        .sort((one, other) => compare(order(one), order(other))),
    deletePageSession: (hash) => {
      const found = find(hash);
      if (found !== undefined) rows.delete(found.id);
    },
  };
}

function promptTextVerbs(
  journal: Journal,
  agents: Table<Agent>,
): Pick<Tx, 'savePromptText' | 'promptText' | 'promptTextsOf'> {
  const rows = journal.table<PromptText & { readonly id: number }>();
  const bare = ({ id: _, ...text }: PromptText & { readonly id: number }): PromptText => text;
  return {
    savePromptText: (text) => {
      if (agents.get(text.agentId) === undefined) throw new StoreConflict('no such agent');
      const known = rows.all().find(({ ref }) => ref === text.ref);
      const id = known?.id ?? rows.nextId();
      rows.set(id, {
        ...text,
        ...(known && { agentId: known.agentId, runId: known.runId, purpose: known.purpose }),
        id,
      });
    },
    promptText: (ref) =>
      rows
        .all()
        .map(bare)
        .find((text) => text.ref === ref),
    promptTextsOf: (about) =>
      rows
        .all()
        .filter((text) => ('runId' in about ? text.runId === about.runId : text.agentId === about.agentId))
        .map(bare),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function effectVerbs(
  journal: Journal,
): Pick<
  Tx,
  | 'insertEffect'
  | 'pendingEffects'
  | 'claimEffect'
  | 'finishEffect'
  | 'releaseEffect'
  | 'effectsClaimedBy'
  | 'releaseEffectsNotOf'
> {
  const rows = journal.table<EffectRow>();
  const change = (id: number, from: EffectRow['state'][], to: Partial<EffectRow>): boolean => {
    const row = rows.get(id);
    if (row === undefined || !from.includes(row.state)) return false;
    rows.set(id, { ...row, ...to });
    return true;
  };
  return {
    insertEffect: (effect) => {
      const row: EffectRow = { id: rows.nextId(), effect, attempts: 0, state: 'pending', claimedBy: null };
      rows.set(row.id, row);
      return { id: row.id, effect, attempts: 0 };
    },
    pendingEffects: () =>
      rows
        .all()
        .filter(({ state }) => state === 'pending')
        .map(({ id, effect, attempts }) => ({ id, effect, attempts })),
    claimEffect: (id, claimant) =>
      change(id, ['pending'], { state: 'claimed', claimedBy: claimant, attempts: (rows.get(id)?.attempts ?? 0) + 1 }),
    finishEffect: (id) => void change(id, ['pending', 'claimed'], { state: 'done' }),
    releaseEffect: (id) => void change(id, ['claimed'], { state: 'pending', claimedBy: null }),
    effectsClaimedBy: (claimant) =>
      rows
        .all()
        .filter(({ state, claimedBy }) => state === 'claimed' && claimedBy === claimant)
        .map(({ id, effect, attempts }) => ({ id, effect, attempts })),
    releaseEffectsNotOf: (claimant) => {
      const foreign = rows.all().filter(({ state, claimedBy }) => state === 'claimed' && claimedBy !== claimant);
      for (const { id } of foreign) change(id, ['claimed'], { state: 'pending', claimedBy: null });
      return foreign.length;
    },
  };
}
