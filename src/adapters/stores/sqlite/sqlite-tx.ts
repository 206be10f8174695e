import { sql as raw } from 'kysely';
import { type EventFilter, type NewEvent, StoreConflict, type Tx } from '../../../app/ports/store.ts';
import { AGENT_STATES, isLive } from '../../../domain/agents/agent.ts';
import type { LoggedEvent } from '../../../domain/facts.ts';
import { STEPS } from '../../../domain/handoffs/run.ts';
import { packageKey } from '../../../domain/packages/inbox-entries.ts';
import { createChainCheck } from '../chain-check.ts';
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
    let query = sql.selectFrom('events').selectAll().where('seq', '>', after);
    if (before !== undefined) query = query.where('seq', '<', before);
    if (agentId !== undefined) query = query.where('agent_id', '=', agentId);
    if (runId !== undefined) query = query.where('run_id', '=', runId);
    // Filter by type first, so that SQLite does not parse the JSON data of all other events.
    if (packageId !== undefined)
      query = query
        .where('type', '>=', 'package_')
        .where('type', '<', 'package`')
        .where(raw`json_extract(data, '$.packageId')`, '=', packageId);
    if (types !== undefined) query = query.where('type', 'in', types);
    return db.all(query.orderBy('seq', newestFirst ? 'desc' : 'asc').limit(limit)).map(toEvent);
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
  const firstBrokenEvent = (): number | undefined => {
    const chain = createChainCheck();
    for (let page = eventsAfter(0, 1000); page.length > 0; page = eventsAfter(page.at(-1)?.seq ?? 0, 1000)) {
      for (const event of page) if (!chain.take(event)) return event.seq;
    }
    return chain.end();
  };
  return { appendEvent, eventsAfter, events, latestEventsOf, firstBrokenEvent, lastSeq: () => last()?.seq ?? 0 };
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
      // The slug contains the id, which the insert assigns: two statements in one transaction.
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
  const byId = (id: number) => map(db.first(agent.where('id', '=', id)), toAgent);
  const verbs: Pick<
    Tx,
    | 'insertAgent'
    | 'saveAgent'
    | 'agentById'
    | 'agentByTokenHash'
    | 'agents'
    | 'liveAgents'
    | 'lostAgents'
    | 'successorsOf'
    | 'deleteAgent'
  > = {
    insertAgent: (wanted) => {
      const { id } = guarded(() => db.run(sql.insertInto('agents').values({ host_id: hostId, ...fromAgent(wanted) })));
      return must(byId(id));
    },
    saveAgent: (changed) =>
      void guarded(() => db.run(sql.updateTable('agents').set(fromAgent(changed)).where('id', '=', changed.id))),
    agentById: byId,
    agentByTokenHash: (hash) => map(db.first(agent.where('token_hash', '=', hash)), toAgent),
    agents: () => db.all(agent.orderBy('id')).map(toAgent),
    liveAgents: () => db.all(live).map(toAgent),
    lostAgents: () => db.all(agent.where('state', '=', 'lost').orderBy('id')).map(toAgent),
    successorsOf: (id) => db.all(agent.where('previous_agent_id', '=', id).orderBy('id')).map(toAgent),
    deleteAgent: (id) => void guarded(() => db.run(sql.deleteFrom('agents').where('id', '=', id))),
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
    runs: (limit) => db.all(run.orderBy('id', 'desc').limit(limit)).map(toRun),
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
    handoffs: (limit, personaId) => {
      const agentsWithPersona = sql
        .selectFrom('agents')
        .select('id')
        .where('persona_id', '=', personaId ?? 0);
      const wanted = personaId === undefined ? handoff : handoff.where('agent_id', 'in', agentsWithPersona);
      return db.all(wanted.orderBy('id', 'desc').limit(limit)).map(toHandoff);
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
      if ('packageId' in about) return begins(packageKey(about.packageId));
      if ('keyPrefix' in about) return begins(about.keyPrefix);
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
