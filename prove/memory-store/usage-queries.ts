import type { UsageTx } from '../../src/app/usage/usage-store.ts';
import { sum, sumOfTokens, totalOf, type Usage } from '../../src/domain/usage/usage.ts';
import type { UsageDay, UsageGroup, UsageSum } from '../../src/domain/usage/usage-day.ts';
import type { Journal } from './journal.ts';

type Row = UsageDay & Usage & { readonly id: number };

/** Implements the store's functions for token counts by day and agent in memory, without a disk. */
export function usageQueries(journal: Journal): UsageTx {
  const rows = journal.table<Row>();
  const isSame = (row: Row, { day, agentId, personaId }: UsageDay): boolean =>
    row.day === day && row.agentId === agentId && row.personaId === personaId;
  return {
    addUsage: (of, added) => {
      const before = rows.all().find((row) => isSame(row, of));
      const id = before?.id ?? rows.nextId();
      rows.set(id, {
        ...(before ?? of),
        id,
        tokens: sumOfTokens(before?.tokens ?? null, added.tokens),
        costMicros: sum(before?.costMicros ?? null, added.costMicros),
      });
    },
    usageBy: (group, { since = '', until = '9999', agentId, personaId, projectId }) => {
      const wanted = rows
        .all()
        .filter(({ day }) => day >= since && day <= until)
        .filter((row) => agentId === undefined || row.agentId === agentId)
        .filter((row) => personaId === undefined || row.personaId === personaId)
        .filter((row) => projectId === undefined || row.projectId === projectId);
      const groups = new Map<string, Row[]>();
      for (const row of wanted) {
        const name = JSON.stringify([keyOf(group, row), row.runtime]);
        groups.set(name, [...(groups.get(name) ?? []), row]);
      }
      return [...groups.values()].map((each) => sumOf(group, each)).toSorted(byKey);
    },
    tokensOn: (day) =>
      rows
        .all()
        .filter((row) => row.day === day)
        .reduce((total, { tokens }) => total + (tokens === null ? 0 : totalOf(tokens)), 0),
  };
}

const keyOf = (group: UsageGroup, row: Row): UsageSum['key'] =>
  ({ day: row.day, persona: row.personaId, project: row.projectId, agent: row.agentId })[group];

function sumOf(group: UsageGroup, rows: readonly Row[]): UsageSum {
  const [first] = rows;
  if (first === undefined) throw new Error('a group has at least one row');
  const agents = new Set(rows.map(({ agentId }) => agentId));
  const reporting = new Set(rows.filter(({ tokens }) => tokens !== null).map(({ agentId }) => agentId));
  return {
    key: keyOf(group, first),
    runtime: first.runtime,
    agents: agents.size,
    reporting: reporting.size,
    tokens: rows.reduce<Usage['tokens']>((total, { tokens }) => sumOfTokens(total, tokens), null),
    costMicros: rows.reduce<number | null>((total, { costMicros }) => sum(total, costMicros), null),
  };
}

function byKey(one: UsageSum, other: UsageSum): number {
  const [a, b] = [one.key ?? 0, other.key ?? 0];
  if (a !== b) return a < b ? -1 : 1;
  return one.runtime < other.runtime ? -1 : 1;
}
