import { type Insertable, sql as raw, type Selectable } from 'kysely';
import type { AgentFilter } from '../../../app/agents/agent-filter.ts';
import { type EventFilter, type NewEvent, type Page, StoreConflict, type Tx } from '../../../app/ports/store.ts';
import { AGENT_STATES, type Agent, hasHadPersona, isLive } from '../../../domain/agents/agent.ts';
import type { LoggedEvent } from '../../../domain/facts.ts';
import { type Run, STEPS } from '../../../domain/handoffs/run.ts';
import { inboxKeyPrefix } from '../../../domain/inbox/inbox-cause.ts';
import { eventHash, FIRST_HASH } from '../event-hash.ts';
import { type Connection, changedColumns, fixed, prepared, preparedRow, sql } from './connection.ts';
import { fleetQueries } from './fleet-queries.ts';
import { knowledgeQueries } from './knowledge-queries.ts';
import { packageQueries } from './package-queries.ts';
import type { Remembered } from './read-memory.ts';
import {
  fromAgent,
  fromExternalSession,
  fromInboxItem,
  fromRun,
  fromRunsOn,
  fromWorktree,
  jsonOrNull,
  rememberRows,
  toAgent,
  toEvent,
  toExternalSession,
  toHandoff,
  toInboxItem,
  toPageSession,
  toPendingEffect,
  toPersona,
  toProject,
  toPromptText,
  toRun,
  toWorktree,
} from './rows.ts';
import type { Schema } from './schema.ts';
import { searchQueries } from './search-queries.ts';
import { usageQueries } from './usage-queries.ts';

const LIVE = AGENT_STATES.filter((state) => isLive({ state }));

/** Implements the store's queries in SQL. The code has no state except the connection. */
export function createSqliteTx(db: Connection, hostId: string, newest = newestEvent(db)): Tx {
  return {
    hostId,
    ...eventVerbs(db, hostId, newest),
    ...personaQueries(db),
    ...worktreeVerbs(db),
    ...agentVerbs(db, hostId),
    ...runVerbs(db, hostId),
    ...inboxVerbs(db),
    ...externalSessionQueries(db),
    ...pageSessionVerbs(db),
    ...promptTextVerbs(db),
    ...packageQueries(db),
    ...effectVerbs(db, hostId),
    ...fleetQueries(db),
    ...searchQueries(db),
    ...knowledgeQueries(db),
    ...usageQueries(db),
  };
}

/** Returns a function that reads the newest event and caches it. `appendEvent` puts each new event into this cache. */
export const newestEvent = (db: Connection): Remembered<'last', EventMark | undefined> =>
  db.memory.of('events', (_: 'last'): EventMark | undefined => db.first(lastEvent));

function eventVerbs(db: Connection, hostId: string, last: ReturnType<typeof newestEvent>) {
  const insert = preparedRow((row: EventRow) =>
    sql
      .insertInto('events')
      .values(row)
      .onConflict((same) => same.column('dedupe_key').doNothing()),
  );
  const appendEvent = (event: NewEvent): LoggedEvent | undefined => {
    const { dedupeKey } = event;
    const before = last('last');
    const unsealed = { seq: (before?.seq ?? 0) + 1, hostId, ...withoutKey(event) };
    const logged: LoggedEvent = { ...unsealed, hash: eventHash(before?.hash ?? FIRST_HASH, unsealed) };
    const { changes } = db.run(
      insert({
        seq: logged.seq,
        at: logged.at,
        host_id: hostId,
        agent_id: logged.agentId,
        run_id: logged.runId,
        type: logged.type,
        data: JSON.stringify(logged.data),
        dedupe_key: dedupeKey,
        hash: logged.hash,
      }),
    );
    last.put('last', changes === 0 ? before : logged);
    return changes === 0 ? undefined : logged;
  };
  const eventsAfter = (seq: number, limit: number) =>
    db.all(sql.selectFrom('events').selectAll().where('seq', '>', seq).orderBy('seq').limit(limit)).map(toEvent);
  const events = (filter: EventFilter) => {
    const { after = 0, before, agentId, runId, packageId, types, newestFirst = false, limit } = filter;
    const order = newestFirst ? 'desc' : 'asc';
    const isOwned = agentId !== undefined || runId !== undefined || packageId !== undefined;
    if (types !== undefined && !isOwned) return ofTypes(types, { after, before, order, limit });
    let query = sql.selectFrom('events').selectAll().where('seq', '>', after);
    if (before !== undefined) query = query.where('seq', '<', before);
    if (agentId !== undefined) query = query.where('agent_id', '=', agentId);
    if (runId !== undefined) query = query.where('run_id', '=', runId);
    // The plus in `+type` keeps SQLite from using the index on `type`. SQLite then uses the index on the package, agent
    // or run, which finds fewer rows.
    if (packageId !== undefined)
      query = query
        .where(raw`json_extract(data, '$.packageId')`, '=', packageId)
        .where(raw`+type`, '>=', 'package_')
        .where(raw`+type`, '<', 'package`');
    if (types !== undefined) query = query.where(raw`+type`, 'in', types);
    return db.all(query.orderBy('seq', order).limit(limit)).map(toEvent);
  };
  /**
   * Queries the index once per event type and reads only event numbers. A single query for all types would read and
   * sort every event of these types.
   */
  const ofTypes = (
    types: readonly string[],
    {
      after,
      before,
      order,
      limit,
    }: { after: number; before: number | undefined; order: 'asc' | 'desc'; limit: number },
  ): readonly LoggedEvent[] => {
    const numbersOf = (type: string): readonly number[] => {
      let query = sql.selectFrom('events').select('seq').where('type', '=', type).where('seq', '>', after);
      if (before !== undefined) query = query.where('seq', '<', before);
      return db.all(query.orderBy('seq', order).limit(limit)).map(({ seq }) => seq);
    };
    const towards = order === 'asc' ? 1 : -1;
    const numbers = [...new Set(types)]
      .flatMap(numbersOf)
      .sort((one, other) => towards * (one - other))
      .slice(0, limit);
    if (numbers.length === 0) return [];
    return db.all(sql.selectFrom('events').selectAll().where('seq', 'in', numbers).orderBy('seq', order)).map(toEvent);
  };
  const latestEventsOf = (agentId: number, types: readonly string[], limit: number) =>
    db
      .all(
        sql
          .selectFrom('events')
          .selectAll()
          .where('agent_id', '=', agentId)
          .where('type', 'in', types)
          .orderBy('seq', 'desc')
          .limit(limit),
      )
      .map(toEvent)
      .reverse();
  return { appendEvent, eventsAfter, events, latestEventsOf, lastSeq: () => last('last')?.seq ?? 0 };
}

type EventRow = Insertable<Schema['events']>;
export type EventMark = Pick<LoggedEvent, 'seq' | 'hash'>;

/** The query for the number and the hash of the newest event. */
const lastEvent = fixed(sql.selectFrom('events').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1));

const withoutKey = ({ dedupeKey: _, ...event }: NewEvent) => event;

function personaQueries(db: Connection) {
  const persona = sql.selectFrom('personas').selectAll();
  const project = sql.selectFrom('projects').selectAll();
  const allPersonas = db.memory.of('personas', (_: 'all') => db.all(persona.orderBy('id')).map(toPersona));
  const personaById = prepared((id: number) => persona.where('id', '=', id));
  const projectById = prepared((id: number) => project.where('id', '=', id));
  const verbs: Pick<
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
  > = {
    insertPersona: (wanted, slugFor) => {
      const { role, name, status, createdAt } = wanted;
      // The slug contains the id that the insert assigns, so the persona is inserted first and its slug is set by a
      // second statement.
      const { id } = db.run(
        sql
          .insertInto('personas')
          .values({ slug: `new-${createdAt}-${name}`, role, name, status, created_at: createdAt }),
      );
      const slug = slugFor(id);
      db.run(sql.updateTable('personas').set({ slug }).where('id', '=', id));
      return { id, slug, ...wanted };
    },
    savePersona: ({ id, role, name, status, runsOn, policy, autoHandoffs }) =>
      void db.run(
        sql
          .updateTable('personas')
          .set({
            role,
            name,
            status,
            runs_on: fromRunsOn(runsOn),
            handoff_policy: jsonOrNull(policy),
            auto_handoffs: jsonOrNull(autoHandoffs),
          })
          .where('id', '=', id),
      ),
    personaBySlug: (slug) => map(db.first(persona.where('slug', '=', slug)), toPersona),
    personaById: db.memory.of('personas', (id: number) => map(db.first(personaById(id)), toPersona)),
    personas: () => allPersonas('all'),
    insertProject: (wanted) => {
      const { name, path, createdAt } = wanted;
      const { id } = guarded(() => db.run(sql.insertInto('projects').values({ name, path, created_at: createdAt })));
      return { id, defaultPersonaId: null, ...wanted };
    },
    saveProject: ({ id, defaultPersonaId, runsOn, policy }) =>
      void guarded(() =>
        db.run(
          sql
            .updateTable('projects')
            .set({
              default_persona_id: defaultPersonaId,
              runs_on: fromRunsOn(runsOn),
              handoff_policy: jsonOrNull(policy),
            })
            .where('id', '=', id),
        ),
      ),
    projectById: db.memory.of('projects', (id: number) => map(db.first(projectById(id)), toProject)),
    projectByPath: (path) => map(db.first(project.where('path', '=', path)), toProject),
    projects: () => db.all(project.orderBy('id')).map(toProject),
  };
  return verbs;
}

function worktreeVerbs(db: Connection) {
  const worktree = sql.selectFrom('worktrees').selectAll();
  const byId = (id: number) => map(db.first(worktree.where('id', '=', id)), toWorktree);
  const verbs: Pick<Tx, 'insertWorktree' | 'saveWorktree' | 'worktreeById' | 'worktrees'> = {
    insertWorktree: (wanted) =>
      must(byId(guarded(() => db.run(sql.insertInto('worktrees').values(fromWorktree(wanted)))).id)),
    saveWorktree: (changed) =>
      void guarded(() => db.run(sql.updateTable('worktrees').set(fromWorktree(changed)).where('id', '=', changed.id))),
    worktreeById: byId,
    worktrees: () => db.all(worktree.where('state', '<>', 'removed').orderBy('id')).map(toWorktree),
  };
  return verbs;
}

const allAgents = sql.selectFrom('agents').selectAll();

function filtered(query: typeof allAgents, { states, projectId, personaId, anyOf }: AgentFilter): typeof allAgents {
  let wanted = query;
  // The plus in `+state` keeps SQLite from using the index on `state`. With that index, SQLite would sort all ended
  // agents to return the newest few.
  if (states !== undefined) wanted = wanted.where(raw<string>`+state`, 'in', states);
  if (projectId !== undefined) wanted = wanted.where('project_id', '=', projectId);
  if (personaId !== undefined) wanted = wanted.where('persona_id', '=', personaId);
  if (anyOf === undefined) return wanted;
  const { ids, personaIds, projectIds, runtimes } = anyOf;
  return wanted.where((has) =>
    has.or([
      has('id', 'in', ids),
      has('persona_id', 'in', personaIds),
      has('project_id', 'in', projectIds),
      has('runtime', 'in', runtimes),
    ]),
  );
}

function agentVerbs(db: Connection, hostId: string) {
  const agent = allAgents;
  const live = fixed(agent.where('state', 'in', LIVE).orderBy('id'));
  const toRestore = fixed(agent.where('to_restore', '=', 1).orderBy('id'));
  const withId = prepared((id: number) => agent.where('id', '=', id));
  const withTokenHash = prepared((hash: string) => agent.where('token_hash', '=', hash));
  const update = changedColumns((row: Partial<ReturnType<typeof fromAgent>>, id) =>
    sql.updateTable('agents').set(row).where('id', '=', id),
  );
  const toLive = rememberRows(toAgent);
  const rows = db.memory.of('agents', (id: number) =>
    map(db.first(withId(id)), (row): KnownRow<AgentRow, Agent> => ({ row, value: toAgent(row) })),
  );
  const byId = (id: number): Agent | undefined => rows(id)?.value;
  const successors = prepared((id: number) =>
    sql.selectFrom('agents').select('id').where('previous_agent_id', '=', id).orderBy('id'),
  );
  const successorIds = db.memory.of('agents', (id: number) => db.all(successors(id)).map((row) => row.id));
  const saveAgent = (changed: Agent): void => {
    const known = rows.known(changed.id);
    const row = fromAgent(changed);
    const write = () => void guarded(() => update(db, changed.id, row, known?.row));
    // Drop the cached lists of successors if the agent gets another predecessor, because those lists are then wrong.
    // Also drop them if the agent's previous row is unknown.
    if (known === undefined || known.value.previousAgentId !== changed.previousAgentId) write();
    else db.memory.keeping('agents', write);
    rows.put(changed.id, { row, value: changed });
  };
  const verbs: Pick<
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
  > = {
    insertAgent: (wanted) => {
      const { id } = guarded(() => db.run(sql.insertInto('agents').values({ host_id: hostId, ...fromAgent(wanted) })));
      return must(byId(id));
    },
    saveAgent,
    agentById: byId,
    agentByTokenHash: (hash) => map(db.first(withTokenHash(hash)), toAgent),
    agents: (page, filter = {}) => {
      const wanted = filtered(agent, filter);
      return page === undefined
        ? db.all(wanted.orderBy('id')).map(toAgent)
        : db.all(older(wanted, page).orderBy('id', 'desc').limit(page.limit)).map(toAgent).reverse();
    },
    liveAgents: db.untilWritten('agents', () => toLive(db.all(live))),
    agentsToRestore: () => db.all(toRestore).map(toAgent),
    unsettledAgents: () => db.all(agent.where('unsettled', '=', 1).orderBy('id')).map(toAgent),
    agentIdsOfPersona: (personaId, page = { limit: -1 }) => {
      const past = db.all(older(agent.where('had_personas', '=', 1), page)).map(toAgent);
      const others = past.filter((each) => each.personaId !== personaId && hasHadPersona(each, personaId));
      const own = sql.selectFrom('agents').select('id').where('persona_id', '=', personaId);
      const bearers = db.all(older(own, page).orderBy('id', 'desc').limit(page.limit));
      const ids = [...bearers, ...others].map(({ id }) => id).sort((one, other) => one - other);
      return page.limit === -1 ? ids : ids.slice(-page.limit);
    },
    latestAgentOf: ({ personaId, projectId }) => {
      const own = agent.where('persona_id', '=', personaId).orderBy('id', 'desc').limit(1);
      return map(db.first(projectId === undefined ? own : own.where('project_id', '=', projectId)), toAgent);
    },
    successorsOf: (id) => successorIds(id).map((each) => must(byId(each))),
  };
  return verbs;
}

function runVerbs(db: Connection, hostId: string) {
  const run = sql.selectFrom('handoff_runs').selectAll();
  const handoff = sql.selectFrom('handoffs').selectAll();
  const inFlight = fixed(run.where('step', 'in', STEPS).orderBy('id'));
  const withId = prepared((id: number) => run.where('id', '=', id));
  const numbers = sql.selectFrom('handoff_runs').select('id');
  const ofAgent = prepared((agentId: number) => numbers.where('agent_id', '=', agentId).orderBy('id'));
  const idsAt = prepared((step: string) =>
    sql.selectFrom('handoff_runs').select('id').where('step', '=', step).orderBy('id'),
  );
  // The plus in `+step` keeps SQLite from using the index on the step. With that index, SQLite would read all runs in
  // flight. The index on the agent finds only the runs of one agent.
  const open = numbers.where(raw`+step`, 'in', STEPS);
  const openOf = prepared((agentId: number) => open.where('agent_id', '=', agentId));
  const openTo = prepared((agentId: number) => open.where('successor_agent_id', '=', agentId));
  const update = changedColumns((row: Partial<ReturnType<typeof fromRun>>, id) =>
    sql.updateTable('handoff_runs').set(row).where('id', '=', id),
  );
  const rows = db.memory.of('handoff_runs', (id: number) =>
    map(db.first(withId(id)), (row): KnownRow<RunRow, Run> => ({ row, value: toRun(row) })),
  );
  const runById = (id: number): Run | undefined => rows(id)?.value;
  const idsOfAgent = db.memory.of('handoff_runs', (agentId: number) => db.all(ofAgent(agentId)).map(({ id }) => id));
  const idsInFlightOf = db.memory.of('handoff_runs', (agentId: number) =>
    [...db.all(openOf(agentId)), ...db.all(openTo(agentId))].map(({ id }) => id).sort((one, other) => one - other),
  );
  const idsAtStep = db.memory.of('handoff_runs', (step: string) => db.all(idsAt(step)).map(({ id }) => id));
  const saveRun = (changed: Run): void => {
    const { id, hostId: _, ...columns } = changed;
    const known = rows.known(id);
    const row = fromRun(columns);
    const write = () => void guarded(() => update(db, id, row, known?.row));
    // The cached lists of runs become wrong only if the run gets another agent or successor, begins, or ends. Keep the
    // lists after any other write.
    const isListedAsBefore =
      known !== undefined &&
      known.row.agent_id === row.agent_id &&
      known.row.successor_agent_id === row.successor_agent_id &&
      isInFlight(known.row.step) === isInFlight(row.step);
    if (isListedAsBefore) {
      db.memory.keeping('handoff_runs', write);
      if (known.row.step !== row.step) for (const step of [known.row.step, row.step]) idsAtStep.forget(step);
    } else write();
    rows.put(id, { row, value: changed });
  };
  const markDirty = prepared((id: number) =>
    sql
      .insertInto('runs_to_tell')
      .values({ run_id: id })
      .onConflict((same) => same.doNothing()),
  );
  const handoffWithId = prepared((id: number) => handoff.where('id', '=', id));
  const handoffFrom = prepared((agentId: number) => handoff.where('agent_id', '=', agentId));
  const handoffById = (id: number) => map(db.first(handoffWithId(id)), toHandoff);
  const verbs: Pick<
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
    | 'insertHandoff'
    | 'saveHandoff'
    | 'handoffById'
    | 'handoffOfAgent'
    | 'handoffsOfLiveAgents'
    | 'handoffs'
  > = {
    insertRun: (wanted) => {
      const { id } = guarded(() =>
        db.run(sql.insertInto('handoff_runs').values({ host_id: hostId, ...fromRun(wanted) })),
      );
      return must(runById(id));
    },
    saveRun,
    runById,
    runsOfAgent: (agentId) => idsOfAgent(agentId).map((id) => must(runById(id))),
    runsInFlight: () => db.all(inFlight).map(toRun),
    runIdsAt: idsAtStep,
    runsInFlightOf: (agentId) => idsInFlightOf(agentId).map((id) => must(runById(id))),
    runs: (page, state) => {
      const steps = state === 'in_flight' ? STEPS : state === undefined ? [] : [state];
      const wanted = state === undefined ? run : run.where('step', 'in', steps);
      return db.all(older(wanted, page).orderBy('id', 'desc').limit(page.limit)).map(toRun);
    },
    markRunDirty: (id) => void db.run(markDirty(id)),
    runsToSync: () =>
      db.all(run.where('id', 'in', sql.selectFrom('runs_to_tell').select('run_id')).orderBy('id')).map(toRun),
    clearRunDirty: (id) => void db.run(sql.deleteFrom('runs_to_tell').where('run_id', '=', id)),
    insertHandoff: ({ agentId, reason, filePath, injectionPrompt, createdAt }) => {
      const values = { agent_id: agentId, reason, file_path: filePath, injection_prompt: injectionPrompt };
      const timed = createdAt === undefined ? values : { ...values, created_at: createdAt };
      return must(handoffById(guarded(() => db.run(sql.insertInto('handoffs').values(timed))).id));
    },
    saveHandoff: ({ id, filePath, injectionPrompt }) =>
      void guarded(() =>
        db.run(
          sql
            .updateTable('handoffs')
            .set({ file_path: filePath, injection_prompt: injectionPrompt })
            .where('id', '=', id),
        ),
      ),
    handoffById,
    handoffOfAgent: (agentId) => map(db.first(handoffFrom(agentId)), toHandoff),
    handoffsOfLiveAgents: () => {
      const live = sql.selectFrom('agents').select('id').where('state', 'in', LIVE);
      return db.all(handoff.where('agent_id', 'in', live).orderBy('id')).map(toHandoff);
    },
    handoffs: (page, personaId) => {
      const agentsWithPersona = sql
        .selectFrom('agents')
        .select('id')
        .where('persona_id', '=', personaId ?? 0);
      const wanted = personaId === undefined ? handoff : handoff.where('agent_id', 'in', agentsWithPersona);
      return db.all(older(wanted, page).orderBy('id', 'desc').limit(page.limit)).map(toHandoff);
    },
  };
  return verbs;
}

function inboxVerbs(db: Connection) {
  const item = sql.selectFrom('inbox').selectAll();
  const current = item.where('current', '=', 1).orderBy('id');
  const withKey = prepared((from: string, to: string) => current.where('key', '>=', from).where('key', '<', to));
  const withRun = prepared((runId: number) => current.where('run_id', '=', runId));
  const withAgent = prepared((agentId: number) => current.where('run_id', 'is', null).where('agent_id', '=', agentId));
  const unsent = fixed(item.where('resolved_at', 'is', null).where('notified_at', 'is', null).orderBy('id'));
  // After every commit, the notifier asks for the items without a notification. The answer is cached, because few
  // commits write an inbox item.
  const unsentItems = db.memory.of('inbox', (_: 'all') => db.all(unsent).map(toInboxItem));
  const ofRun = db.memory.of('inbox', (runId: number) => db.all(withRun(runId)).map(toInboxItem));
  const ofAgent = db.memory.of('inbox', (agentId: number) => db.all(withAgent(agentId)).map(toInboxItem));
  const inboxItemById = (id: number) => map(db.first(item.where('id', '=', id)), toInboxItem);
  const verbs: Pick<
    Tx,
    | 'insertInboxItem'
    | 'saveInboxItem'
    | 'inboxItemById'
    | 'currentInboxItems'
    | 'openInboxItems'
    | 'settledInboxItems'
    | 'unsentInboxItems'
  > = {
    insertInboxItem: (wanted) =>
      must(inboxItemById(guarded(() => db.run(sql.insertInto('inbox').values(fromInboxItem(wanted)))).id)),
    saveInboxItem: (changed) =>
      void guarded(() => db.run(sql.updateTable('inbox').set(fromInboxItem(changed)).where('id', '=', changed.id))),
    inboxItemById,
    currentInboxItems: (about) => {
      if ('packageId' in about || 'persona' in about || 'of' in about) {
        const prefix = inboxKeyPrefix(about);
        return db.all(withKey(prefix, `${prefix}\u{10FFFF}`)).map(toInboxItem);
      }
      return 'runId' in about ? ofRun(about.runId) : ofAgent(about.agentId);
    },
    openInboxItems: () => db.all(item.where('resolved_at', 'is', null).orderBy('id')).map(toInboxItem),
    settledInboxItems: ({ limit, before = Number.MAX_SAFE_INTEGER }) =>
      db
        .all(item.where('resolved_at', 'is not', null).where('id', '<', before).orderBy('id', 'desc').limit(limit))
        .map(toInboxItem),
    unsentInboxItems: () => unsentItems('all'),
  };
  return verbs;
}

function externalSessionQueries(db: Connection) {
  const verbs: Pick<Tx, 'saveExternalSessionRow' | 'externalSessions' | 'deleteExternalSession'> = {
    saveExternalSessionRow: (session) => {
      const row = fromExternalSession(session);
      const { last_seen_at, detail } = row;
      db.run(
        sql
          .insertInto('session_candidates')
          .values(row)
          .onConflict((same) => same.columns(['runtime', 'session_id']).doUpdateSet({ last_seen_at, detail })),
      );
    },
    externalSessions: () =>
      db
        .all(sql.selectFrom('session_candidates').selectAll().orderBy('last_seen_at', 'desc').orderBy('session_id'))
        .map(toExternalSession),
    deleteExternalSession: ({ runtime, sessionId }) =>
      void db.run(
        sql.deleteFrom('session_candidates').where('runtime', '=', runtime).where('session_id', '=', sessionId),
      ),
  };
  return verbs;
}

function pageSessionVerbs(db: Connection) {
  const session = sql.selectFrom('page_sessions').selectAll();
  const verbs: Pick<Tx, 'savePageSession' | 'pageSession' | 'pageSessions' | 'deletePageSession'> = {
    savePageSession: ({ tokenHash, name, createdOn, usedOn }) =>
      void db.run(
        sql
          .insertInto('page_sessions')
          .values({ token_hash: tokenHash, name, created_on: createdOn, used_on: usedOn })
          .onConflict((same) =>
            same.column('token_hash').doUpdateSet({ name, created_on: createdOn, used_on: usedOn }),
          ),
      ),
    pageSession: (hash) => map(db.first(session.where('token_hash', '=', hash)), toPageSession),
    pageSessions: () =>
      db.all(session.orderBy('used_on').orderBy('created_on').orderBy('token_hash')).map(toPageSession),
    deletePageSession: (hash) => void db.run(sql.deleteFrom('page_sessions').where('token_hash', '=', hash)),
  };
  return verbs;
}

function promptTextVerbs(db: Connection) {
  const text = sql.selectFrom('prompt_texts').selectAll();
  const withRef = prepared((ref: string) => text.where('ref', '=', ref));
  const save = preparedRow((row: Insertable<Schema['prompt_texts']>) =>
    sql
      .insertInto('prompt_texts')
      .values(row)
      .onConflict((same) => same.column('ref').doUpdateSet({ text: row.text, outcome: row.outcome, at: row.at })),
  );
  const verbs: Pick<Tx, 'savePromptText' | 'promptText' | 'promptTextsOf'> = {
    savePromptText: ({ ref, agentId, runId, purpose, text: words, outcome, at }) =>
      void guarded(() => db.run(save({ ref, agent_id: agentId, run_id: runId, purpose, text: words, outcome, at }))),
    promptText: (ref) => map(db.first(withRef(ref)), toPromptText),
    promptTextsOf: (about) =>
      db
        .all(
          ('runId' in about
            ? text.where('run_id', '=', about.runId)
            : text.where('agent_id', '=', about.agentId)
          ).orderBy('id'),
        )
        .map(toPromptText),
  };
  return verbs;
}

function effectVerbs(db: Connection, hostId: string) {
  const open = (id: number) => sql.updateTable('effects').where('id', '=', id);
  const insert = preparedRow((row: Insertable<Schema['effects']>) => sql.insertInto('effects').values(row));
  const claim = prepared((id: number, claimant: string, at: string) =>
    open(id)
      .where('state', '=', 'pending')
      .set((row) => ({
        state: 'claimed' as const,
        claimed_by: claimant,
        claimed_at: at,
        attempts: row('attempts', '+', 1),
        epoch: row('epoch', '+', 1),
      })),
  );
  const finish = prepared((id: number, at: string) => open(id).set({ state: 'done', done_at: at }));
  const pending = fixed(
    sql.selectFrom('effects').select(['id', 'payload', 'attempts']).where('state', '=', 'pending').orderBy('id'),
  );
  const claimed = prepared((claimant: string) =>
    sql
      .selectFrom('effects')
      .select(['id', 'payload', 'attempts'])
      .where('state', '=', 'claimed')
      .where('claimed_by', '=', claimant)
      .orderBy('id'),
  );
  const verbs: Pick<
    Tx,
    | 'insertEffect'
    | 'pendingEffects'
    | 'claimEffect'
    | 'finishEffect'
    | 'releaseEffect'
    | 'effectsClaimedBy'
    | 'releaseEffectsNotOf'
  > = {
    insertEffect: (effect, at) => {
      const runId = 'runId' in effect ? effect.runId : null;
      const values = {
        host_id: hostId,
        agent_id: effect.agentId,
        run_id: runId,
        kind: effect.kind,
        payload: JSON.stringify(effect),
      };
      const { id } = db.run(insert({ ...values, state: 'pending', created_at: at }));
      return { id, effect, attempts: 0 };
    },
    pendingEffects: () => db.all(pending).map(toPendingEffect),
    claimEffect: (id, claimant, at) => db.run(claim(id, claimant, at)).changes === 1,
    finishEffect: (id, at) => void db.run(finish(id, at)),
    releaseEffect: (id) =>
      void db.run(open(id).where('state', '=', 'claimed').set({ state: 'pending', claimed_by: null })),
    effectsClaimedBy: (claimant) => db.all(claimed(claimant)).map(toPendingEffect),
    releaseEffectsNotOf: (claimant) =>
      db.run(
        sql
          .updateTable('effects')
          .set({ state: 'pending', claimed_by: null })
          .where('state', '=', 'claimed')
          .where('claimed_by', '<>', claimant),
      ).changes,
  };
  return verbs;
}

/** A database row, and the object that was parsed from this row. */
interface KnownRow<Row, T> {
  /** The columns that are written when the object is saved. */
  readonly row: Row;
  readonly value: T;
}

type AgentRow = Record<keyof ReturnType<typeof fromAgent>, unknown>;
type RunRow = Pick<Selectable<Schema['handoff_runs']>, keyof ReturnType<typeof fromRun>>;

const isInFlight = (step: string): boolean => (STEPS as readonly string[]).includes(step);

const older = <Q extends { where(column: 'id', operator: '<', value: number): Q }>(query: Q, { before }: Page): Q =>
  before === undefined ? query : query.where('id', '<', before);

const map = <Row, T>(row: Row | undefined, to: (row: Row) => T): T | undefined =>
  row === undefined ? undefined : to(row);

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a row that was just written is missing');
  return value;
}

/** Turns a violated constraint into StoreConflict, which callers handle. Rethrows every other error. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    if (typeof code === 'string' && code.startsWith('SQLITE_CONSTRAINT'))
      throw new StoreConflict((error as Error).message);
    throw error;
  }
}
