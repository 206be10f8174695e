import type { ReactNode } from 'react';
import type { UsageGroup, UsageRow, UsageView } from '../../../contract/history/usage.ts';
import { classes } from '../parts/class-names.ts';
import { visible } from '../parts/markdown/visible-text.ts';
import { Panel } from '../parts/panel.tsx';
import { ToAgent, ToPersona } from '../parts/to.tsx';
import { dollars, TokenCount } from './amounts.tsx';

const HEADS: Readonly<Record<UsageGroup, string>> = {
  day: 'Day',
  persona: 'Persona',
  project: 'Project',
  agent: 'Agent',
};

/** A phone shows the parts of the total in a second line below the name instead of in columns. */
const WIDE_ONLY = 'max-sm:hidden';
const NUMBER = 'text-right tabular-nums';

type Sum = Omit<UsageRow, 'key' | 'title'>;

/**
 * One line for each day, persona, project or agent. If there are several lines, the bar in a line compares the tokens
 * of this line with those of the largest line.
 */
export function UsageTable({ usage: { by, rows, total } }: { readonly usage: UsageView }) {
  const most = Math.max(1, ...rows.map(({ tokens }) => tokens?.total ?? 0));
  const hasMoney = total.cost_usd !== null;
  const cells = (sum: Sum) => <Cells sum={sum} hasMoney={hasMoney} />;
  return (
    <Panel className="relative overflow-x-auto">
      <table aria-label={`Tokens by ${by}`} className="w-full text-sm">
        <thead className="border-b border-line text-left text-muted">
          <tr className="[&_th]:px-3 [&_th]:py-2 [&_th]:font-medium">
            <th scope="col">{HEADS[by]}</th>
            <th scope="col" className={NUMBER}>
              Tokens
            </th>
            {['Input', 'Output', 'Cache read', 'Cache write'].map((head) => (
              <th key={head} scope="col" className={classes(NUMBER, WIDE_ONLY)}>
                {head}
              </th>
            ))}
            {hasMoney && (
              <th scope="col" className={NUMBER}>
                Cost
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line/60 [&_td]:px-3 [&_td]:py-2 [&_th]:px-3 [&_th]:py-2">
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row" className="text-left font-medium">
                <span className="block wrap-anywhere">
                  <RowTitle by={by} row={row} />
                </span>
                <NotReported sum={row} />
                <Parts sum={row} />
                {rows.length > 1 && (
                  <span aria-hidden="true" className="mt-1 block h-1 max-w-64 overflow-hidden rounded-full bg-sunken">
                    <span
                      className="block h-full rounded-full bg-accent"
                      style={{ width: `${(100 * (row.tokens?.total ?? 0)) / most}%` }}
                    />
                  </span>
                )}
              </th>
              {cells(row)}
            </tr>
          ))}
        </tbody>
        {rows.length > 1 && (
          <tfoot className="border-t border-line-strong font-semibold [&_td]:px-3 [&_td]:py-2 [&_th]:px-3 [&_th]:py-2">
            <tr>
              <th scope="row" className="text-left">
                Total
                <Parts sum={total} />
              </th>
              {cells(total)}
            </tr>
          </tfoot>
        )}
      </table>
    </Panel>
  );
}

function Cells({ sum: { tokens, cost_usd: cost }, hasMoney }: { readonly sum: Sum; readonly hasMoney: boolean }) {
  const parts = tokens === null ? [] : [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write];
  return (
    <>
      <td className={NUMBER}>
        {tokens === null ? <Unknown>not reported</Unknown> : <TokenCount count={tokens.total} />}
      </td>
      {['input', 'output', 'read', 'write'].map((kind, index) => (
        <td key={kind} className={classes(NUMBER, WIDE_ONLY)}>
          {parts[index] === undefined ? <Unknown>–</Unknown> : <TokenCount count={parts[index]} />}
        </td>
      ))}
      {hasMoney && <td className={NUMBER}>{cost === null ? <Unknown>not named</Unknown> : dollars(cost)}</td>}
    </>
  );
}

/** The parts of the total, shown only on a phone, which has no room for their columns. */
const Parts = ({ sum: { tokens } }: { readonly sum: Sum }) =>
  tokens === null ? null : (
    <span className="block text-xs font-normal text-muted sm:hidden">
      <TokenCount count={tokens.input} /> in · <TokenCount count={tokens.output} /> out ·{' '}
      <TokenCount count={tokens.cache_read} /> from cache · <TokenCount count={tokens.cache_write} /> to cache
    </span>
  );

const Unknown = ({ children }: { readonly children: ReactNode }) => (
  <span className="font-normal text-muted">{children}</span>
);

const NotReported = ({ sum: { tokens, not_reported: missing } }: { readonly sum: Sum }) =>
  missing.length === 0 || tokens === null ? null : (
    <span className="block text-xs font-normal text-muted">
      without{' '}
      {missing.map(({ runtime, agents }) => `${agents} ${runtime} ${agents === 1 ? 'agent' : 'agents'}`).join(', ')}:
      not reported
    </span>
  );

function RowTitle({ by, row: { key, title } }: { readonly by: UsageGroup; readonly row: UsageRow }) {
  const look = 'underline-offset-2 hover:underline';
  if (by === 'agent')
    return (
      <ToAgent id={Number(key)} className={look}>
        {visible(title)}
      </ToAgent>
    );
  if (by === 'persona' && key !== '')
    return (
      <ToPersona id={key} className={look}>
        {visible(title)}
      </ToPersona>
    );
  return <>{by === 'day' ? dayInWords(key) : visible(title)}</>;
}

const days = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });

/** Returns a day such as 2026-11-18 as the operator's language writes it. */
const dayInWords = (day: string): string => days.format(new Date(`${day}T00:00`));
