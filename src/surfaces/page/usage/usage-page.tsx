import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UsageGroup, UsageView } from '../../../contract/history/usage.ts';
import { type UsageRequest, usageQuery } from '../api/usage-query.ts';
import { Select } from '../parts/field.tsx';
import { Column, Empty, PageTitle } from '../parts/panel.tsx';
import { Loading } from '../parts/spinner.tsx';
import { Trouble } from '../parts/trouble.tsx';
import { DailyBudget } from './daily-budget.tsx';
import { UsageTable } from './usage-table.tsx';

const GROUP_WORDS: Readonly<Record<UsageGroup, string>> = {
  day: 'By day',
  persona: 'By persona',
  project: 'By project',
  agent: 'By agent',
};

const GROUPS = Object.keys(GROUP_WORDS) as readonly UsageGroup[];

const PERIODS = [
  { days: 1, words: 'Today' },
  { days: 7, words: 'Last 7 days' },
  { days: 30, words: 'Last 30 days' },
  { days: 365, words: 'Last 365 days' },
] as const;

/** The tokens of all agents, by day, persona, project or agent. */
export function UsagePage() {
  const [wanted, setWanted] = useState<UsageRequest>({ by: 'day', days: 7 });
  const { data: usage, error } = useQuery(usageQuery(wanted));
  return (
    <Column>
      <PageTitle title="Usage" note="Tokens, as the agents report them.">
        <Select
          aria-label="Group"
          className="w-auto!"
          value={wanted.by}
          onChange={({ target }) => setWanted({ ...wanted, by: GROUPS.find((by) => by === target.value) ?? 'day' })}
        >
          {GROUPS.map((by) => (
            <option key={by} value={by}>
              {GROUP_WORDS[by]}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Period"
          className="w-auto!"
          value={wanted.days}
          onChange={({ target }) => setWanted({ ...wanted, days: Number(target.value) })}
        >
          {PERIODS.map(({ days, words }) => (
            <option key={days} value={days}>
              {words}
            </option>
          ))}
        </Select>
      </PageTitle>
      <Trouble error={error} />
      {usage === undefined && error === null && <Loading />}
      {usage !== undefined && (
        <>
          <UsageRows usage={usage} />
          <DailyBudget today={usage.today} />
        </>
      )}
    </Column>
  );
}

/** The usage of one persona in the last 30 days. */
export function PersonaUsage({ slug }: { readonly slug: string }) {
  const { data: usage, error } = useQuery(usageQuery({ by: 'day', days: 30, persona: slug }));
  return (
    <>
      <Trouble error={error} />
      {usage === undefined && error === null && <Loading />}
      {usage !== undefined && <UsageRows usage={usage} />}
    </>
  );
}

const UsageRows = ({ usage }: { readonly usage: UsageView }) => (
  <div className="mb-8">
    {usage.rows.length === 0 ? (
      <Empty title="No tokens in this period">Agents appear here after their first prompt.</Empty>
    ) : (
      <UsageTable usage={usage} />
    )}
    {usage.total.cost_from.length > 0 && (
      <p className="mt-2 text-sm text-muted">
        The cost is in US dollars, as reported by {usage.total.cost_from.join(' and ')}. Baton computes no prices.
      </p>
    )}
  </div>
);
