import { sql as raw } from 'kysely';
import type { UsageTx } from '../../../app/usage/usage-store.ts';
import type { UsageGroup, UsageSum } from '../../../domain/usage/usage-day.ts';
import { type Connection, prepared, sql } from './connection.ts';

const COLUMN = {
  day: 'day',
  persona: 'persona_id',
  project: 'project_id',
  agent: 'agent_id',
} as const satisfies Record<UsageGroup, string>;

const COUNTS = ['input', 'output', 'cache_read', 'cache_write', 'cost_usd_micros'] as const;

/** Adds two counts of tokens. If one count is unknown (null), the sum is the other count. */
const plus = (column: (typeof COUNTS)[number]) =>
  raw<
    number | null
  >`coalesce(${raw.ref(`usage_days.${column}`)} + ${raw.ref(`excluded.${column}`)}, ${raw.ref(`usage_days.${column}`)}, ${raw.ref(`excluded.${column}`)})`;

/** The SQL implementation of the store's functions for tokens by day and agent. */
export function usageQueries(db: Connection): UsageTx {
  const add = prepared(
    (
      day: string,
      agent_id: number,
      persona_id: number,
      project_id: number,
      runtime: string,
      ...counts: (number | null)[]
    ) => {
      const [input = null, output = null, cache_read = null, cache_write = null, cost_usd_micros = null] = counts;
      const sums = { input, output, cache_read, cache_write, cost_usd_micros };
      return sql
        .insertInto('usage_days')
        .values({ day, agent_id, persona_id, project_id, runtime, ...sums })
        .onConflict((same) =>
          same
            .columns(['day', 'agent_id', 'persona_id'])
            .doUpdateSet(Object.fromEntries(COUNTS.map((column) => [column, plus(column)]))),
        );
    },
  );
  const onDay = prepared((day: string) =>
    sql
      .selectFrom('usage_days')
      .select(raw<number | null>`sum(input + output + cache_read + cache_write)`.as('tokens'))
      .where('day', '=', day),
  );
  return {
    addUsage: ({ day, agentId, personaId, projectId, runtime }, { tokens, costMicros }) => {
      const counts = [tokens?.input, tokens?.output, tokens?.cacheRead, tokens?.cacheWrite].map((each) => each ?? null);
      db.run(add(day, agentId, personaId ?? 0, projectId, runtime, ...counts, costMicros));
    },
    usageBy: (group, { since, until, agentId, personaId, projectId }) => {
      const column = COLUMN[group];
      let query = sql
        .selectFrom('usage_days')
        .select((of) => [
          `${column} as key`,
          'runtime',
          ...COUNTS.map((count) => of.fn.sum<number | null>(count).as(count)),
          of.fn.count<number>('agent_id').distinct().as('agents'),
          raw<number>`count(DISTINCT CASE WHEN input IS NOT NULL THEN agent_id END)`.as('reporting'),
        ])
        .groupBy([column, 'runtime'])
        .orderBy(column)
        .orderBy('runtime');
      if (since !== undefined) query = query.where('day', '>=', since);
      if (until !== undefined) query = query.where('day', '<=', until);
      if (agentId !== undefined) query = query.where('agent_id', '=', agentId);
      if (personaId !== undefined) query = query.where('persona_id', '=', personaId);
      if (projectId !== undefined) query = query.where('project_id', '=', projectId);
      return db.all(query).map((row): UsageSum => toSum(group, row as SumRow));
    },
    tokensOn: (day) => db.first(onDay(day))?.tokens ?? 0,
  };
}

interface SumRow {
  readonly key: string | number;
  readonly runtime: string;
  readonly input: number | null;
  readonly output: number | null;
  readonly cache_read: number | null;
  readonly cache_write: number | null;
  readonly cost_usd_micros: number | null;
  readonly agents: number;
  readonly reporting: number;
}

const toSum = (group: UsageGroup, { key, runtime, agents, reporting, ...row }: SumRow): UsageSum => ({
  key: group === 'persona' && key === 0 ? null : key,
  runtime,
  agents,
  reporting,
  costMicros: row.cost_usd_micros,
  tokens:
    row.input === null
      ? null
      : {
          input: row.input,
          output: row.output ?? 0,
          cacheRead: row.cache_read ?? 0,
          cacheWrite: row.cache_write ?? 0,
        },
});
