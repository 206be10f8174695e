import type { Tx } from '../../../app/ports/store.ts';
import type * as contract from '../../../contract/history/usage.ts';
import { agentLabel } from '../../../domain/agents/apply-fact.ts';
import { type TokenCount, totalOf, type Usage } from '../../../domain/usage/usage.ts';
import type { UsageGroup, UsageRow } from '../../../domain/usage/usage-day.ts';

const viewTokens = (tokens: TokenCount): contract.Tokens => ({
  input: tokens.input,
  output: tokens.output,
  cache_read: tokens.cacheRead,
  cache_write: tokens.cacheWrite,
  total: totalOf(tokens),
});

export const viewCounts = ({ tokens, costMicros }: Usage) => ({
  tokens: tokens && viewTokens(tokens),
  cost_usd: costMicros === null ? null : costMicros / 1_000_000,
});

export const viewSum = ({ agents, costFrom, unreported, ...usage }: Omit<UsageRow, 'key'>) => ({
  ...viewCounts(usage),
  agents,
  cost_from: [...costFrom],
  not_reported: unreported.map((each) => ({ ...each })),
});

export const viewRow = (tx: Tx, group: UsageGroup, row: UsageRow): contract.UsageRow => ({
  ...named(tx, group, row.key),
  ...viewSum(row),
});

function named(tx: Tx, group: UsageGroup, key: UsageRow['key']): { readonly key: string; readonly title: string } {
  if (key === null) return { key: '', title: 'Without a persona' };
  if (typeof key === 'string') return { key, title: key };
  if (group === 'persona') {
    const persona = tx.personaById(key);
    return { key: persona?.slug ?? String(key), title: persona?.name ?? `Persona ${key}` };
  }
  if (group === 'project') return { key: String(key), title: tx.projectById(key)?.name ?? `Project ${key}` };
  const agent = tx.agentById(key);
  const persona = agent?.personaId ? tx.personaById(agent.personaId) : undefined;
  return { key: String(key), title: agent === undefined ? `Agent ${key}` : agentLabel(agent, persona?.name ?? null) };
}
