import { sql as raw } from 'kysely';
import { type EventFilter, type NewEvent, type Page, StoreConflict, type Tx } from '../../../app/ports/store.ts';
import { AGENT_STATES, hasHadPersona, isLive } from '../../../domain/agents/agent.ts';
import type { LoggedEvent } from '../../../domain/facts.ts';
import { STEPS } from '../../../domain/handoffs/run.ts';
import { inboxKeyPrefix } from '../../../domain/inbox/inbox-cause.ts';
import { eventHash, FIRST_HASH } from '../event-hash.ts';
import { type Connection, fixed, type Query, sql } from './connection.ts';
import { packageQueries } from './package-queries.ts';
import {
  fromAgent,
  fromExternalSession,
  fromInboxItem,
  fromRun,
  fromWorktree,
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

const LIVE = AGENT_STATES.filter((state) => isLive({ state }));

/** The store's queries in SQL. Holds no state besides the connection; all data is in the file. */
export function createSqliteTx(db: Connection, hostId: string): Tx {
  return {
    hostId,
    ...eventVerbs(db, hostId),
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
  };
}

function eventVerbs(db: Connection, hostId: string) {
  const last = () => db.first(sql.selectFrom('events').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1));
  const appendEvent = (event: NewEvent): LoggedEvent | undefined => {
    const { dedupeKey } = event;
    if (
      dedupeKey !== null &&
      db.first(sql.selectFrom('events').select('seq').where('dedupe_key', '=', dedupeKey)) !== undefined
    )
      return undefined;
    const before = last();
    const unsealed = { seq: (before?.seq ?? 0) + 1, hostId, ...withoutKey(event) };
    const logged: LoggedEvent = { ...unsealed, hash: eventHash(before?.hash ?? FIRST_HASH, unsealed) };
    db.run(
      sql.insertInto('events').values({
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
    return logged;
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
    // `+type` makes SQLite use the index of the package, agent or run, which finds fewer rows.
    if (packageId !== undefined)
      query = query
        .where(raw`json_extract(data, '$.packageId')`, '=', packageId)
        .where(raw`+type`, '>=', 'package_')
        .where(raw`+type`, '<', 'package`');
    if (types !== undefined) query = query.where(raw`+type`, 'in', types);
    return db.all(query.orderBy('seq', order).limit(limit)).map(toEvent);
  };
  /**
   * Asks the index type by type for numbers only, because one query for all types would read and sort all their events.
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
  return { appendEvent, eventsAfter, events, latestEventsOf, lastSeq: () => last()?.seq ?? 0 };
}

const withoutKey = ({ dedupeKey: _, ...event }: NewEvent) => event;

function personaQueries(db: Connection) {
  const persona = sql.selectFrom('personas').selectAll();
  const project = sql.selectFrom('projects').selectAll();
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
      // The slug contains the id that the insert assigns, so this takes two statements in one transaction.
      const { id } = db.run(
        sql
          .insertInto('personas')
          .values({ slug: `new-${createdAt}-${name}`, role, name, status, created_at: createdAt }),
      );
      const slug = slugFor(id);
      db.run(sql.updateTable('personas').set({ slug }).where('id', '=', id));
      return { id, slug, ...wanted };
    },
    savePersona: ({ id, role, name, status }) =>
      void db.run(sql.updateTable('personas').set({ role, name, status }).where('id', '=', id)),
    personaBySlug: (slug) => map(db.first(persona.where('slug', '=', slug)), toPersona),
    personaById: (id) => map(db.first(persona.where('id', '=', id)), toPersona),
    personas: () => db.all(persona.orderBy('id')).map(toPersona),
    insertProject: (wanted) => {
      const { name, path, createdAt } = wanted;
      const { id } = guarded(() => db.run(sql.insertInto('projects').values({ name, path, created_at: createdAt })));
      return { id, defaultPersonaId: null, ...wanted };
    },
    saveProject: ({ id, defaultPersonaId }) =>
      void guarded(() =>
        db.run(sql.updateTable('projects').set({ default_persona_id: defaultPersonaId }).where('id', '=', id)),
      ),
    projectById: (id) => map(db.first(project.where('id', '=', id)), toProject),
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

function agentVerbs(db: Connection, hostId: string) {
  const agent = sql.selectFrom('agents').selectAll();
  const live = fixed(agent.where('state', 'in', LIVE).orderBy('id'));
  const toRestore = fixed(agent.where('to_restore', '=', 1).orderBy('id'));
  const byId = (id: number) => map(db.first(agent.where('id', '=', id)), toAgent);
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
    saveAgent: (changed) =>
      void guarded(() => db.run(sql.updateTable('agents').set(fromAgent(changed)).where('id', '=', changed.id))),
    agentById: byId,
    agentByTokenHash: (hash) => map(db.first(agent.where('token_hash', '=', hash)), toAgent),
    agents: (page) =>
      page === undefined
        ? db.all(agent.orderBy('id')).map(toAgent)
        : db.all(older(agent, page).orderBy('id', 'desc').limit(page.limit)).map(toAgent).reverse(),
    liveAgents: () => db.all(live).map(toAgent),
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
    successorsOf: (id) => db.all(agent.where('previous_agent_id', '=', id).orderBy('id')).map(toAgent),
  };
  return verbs;
}

function runVerbs(db: Connection, hostId: string) {
  const run = sql.selectFrom('handoff_runs').selectAll();
  const handoff = sql.selectFrom('handoffs').selectAll();
  const inFlight = fixed(run.where('step', 'in', STEPS).orderBy('id'));
  const runById = (id: number) => map(db.first(run.where('id', '=', id)), toRun);
  const handoffById = (id: number) => map(db.first(handoff.where('id', '=', id)), toHandoff);
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
    saveRun: ({ id, hostId: _, ...changed }) =>
      void guarded(() => db.run(sql.updateTable('handoff_runs').set(fromRun(changed)).where('id', '=', id))),
    runById,
    runsOfAgent: (agentId) => db.all(run.where('agent_id', '=', agentId).orderBy('id')).map(toRun),
    runsInFlight: () => db.all(inFlight).map(toRun),
    runIdsAt: (step) =>
      db.all(sql.selectFrom('handoff_runs').select('id').where('step', '=', step).orderBy('id')).map(({ id }) => id),
    runsInFlightOf: (agentId) => {
      // `+step` makes SQLite use the index of the agent, because the index of the step would read all runs in flight.
      const open = run.where(raw`+step`, 'in', STEPS);
      const found = [
        ...db.all(open.where('agent_id', '=', agentId)),
        ...db.all(open.where('successor_agent_id', '=', agentId)),
      ];
      return found.map(toRun).sort((one, other) => one.id - other.id);
    },
    runs: (page) => db.all(older(run, page).orderBy('id', 'desc').limit(page.limit)).map(toRun),
    markRunDirty: (id) =>
      void db.run(
        sql
          .insertInto('runs_to_tell')
          .values({ run_id: id })
          .onConflict((same) => same.doNothing()),
      ),
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
    handoffOfAgent: (agentId) => map(db.first(handoff.where('agent_id', '=', agentId)), toHandoff),
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
  const inboxItemById = (id: number) => map(db.first(item.where('id', '=', id)), toInboxItem);
  const verbs: Pick<
    Tx,
    'insertInboxItem' | 'saveInboxItem' | 'inboxItemById' | 'currentInboxItems' | 'openInboxItems' | 'unsentInboxItems'
  > = {
    insertInboxItem: (wanted) =>
      must(inboxItemById(guarded(() => db.run(sql.insertInto('inbox').values(fromInboxItem(wanted)))).id)),
    saveInboxItem: (changed) =>
      void guarded(() => db.run(sql.updateTable('inbox').set(fromInboxItem(changed)).where('id', '=', changed.id))),
    inboxItemById,
    currentInboxItems: (about) => {
      const current = item.where('current', '=', 1).orderBy('id');
      const begins = (prefix: string) =>
        db.all(current.where('key', '>=', prefix).where('key', '<', `${prefix}\u{10FFFF}`)).map(toInboxItem);
      if ('packageId' in about || 'of' in about) return begins(inboxKeyPrefix(about));
      const wanted =
        'runId' in about
          ? current.where('run_id', '=', about.runId)
          : current.where('run_id', 'is', null).where('agent_id', '=', about.agentId);
      return db.all(wanted).map(toInboxItem);
    },
    openInboxItems: () => db.all(item.where('resolved_at', 'is', null).orderBy('id')).map(toInboxItem),
    unsentInboxItems: () =>
      db.all(item.where('resolved_at', 'is', null).where('notified_at', 'is', null).orderBy('id')).map(toInboxItem),
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
    savePageSession: ({ tokenHash, createdOn, usedOn }) =>
      void db.run(
        sql
          .insertInto('page_sessions')
          .values({ token_hash: tokenHash, created_on: createdOn, used_on: usedOn })
          .onConflict((same) => same.column('token_hash').doUpdateSet({ created_on: createdOn, used_on: usedOn })),
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
  const verbs: Pick<Tx, 'savePromptText' | 'promptText' | 'promptTextsOf'> = {
    savePromptText: ({ ref, agentId, runId, purpose, text: words, outcome, at }) =>
      void guarded(() =>
        db.run(
          sql
            .insertInto('prompt_texts')
            .values({ ref, agent_id: agentId, run_id: runId, purpose, text: words, outcome, at })
            .onConflict((same) => same.column('ref').doUpdateSet({ text: words, outcome, at })),
        ),
      ),
    promptText: (ref) => map(db.first(text.where('ref', '=', ref)), toPromptText),
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
      const { id } = db.run(sql.insertInto('effects').values({ ...values, state: 'pending', created_at: at }));
      return { id, effect, attempts: 0 };
    },
    pendingEffects: () =>
      db
        .all(
          sql.selectFrom('effects').select(['id', 'payload', 'attempts']).where('state', '=', 'pending').orderBy('id'),
        )
        .map(toPendingEffect),
    claimEffect: (id, claimant, at) => {
      const claim: Query<unknown> = open(id)
        .where('state', '=', 'pending')
        .set((row) => ({
          state: 'claimed' as const,
          claimed_by: claimant,
          claimed_at: at,
          attempts: row('attempts', '+', 1),
          epoch: row('epoch', '+', 1),
        }));
      return db.run(claim).changes === 1;
    },
    finishEffect: (id, at) => void db.run(open(id).set({ state: 'done', done_at: at })),
    releaseEffect: (id) =>
      void db.run(open(id).where('state', '=', 'claimed').set({ state: 'pending', claimed_by: null })),
    effectsClaimedBy: (claimant) =>
      db
        .all(sql.selectFrom('effects').select('id').where('state', '=', 'claimed').where('claimed_by', '=', claimant))
        .map(({ id }) => id),
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
