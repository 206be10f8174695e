import { type UsageRow, UsageView } from '../../../contract/history/usage.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { period } from '../inbox/given-time.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part } from '../output/ink.ts';
import { table } from '../output/table.ts';

export interface UsageRequest {
  readonly by: string;
  readonly since?: string;
  readonly until?: string;
  readonly persona?: string;
}

export async function showUsage(cli: Cli, { by, since, until, persona }: UsageRequest): Promise<number> {
  const query = new URLSearchParams({ by });
  for (const [name, time] of Object.entries(period(since, until))) query.set(name, time);
  if (persona !== undefined) query.set('persona', persona);
  const answer = await operatorClient(cli.deps).get(`${PATHS.usage}?${query}`, UsageView);
  return showAnswer(cli, answer, lines);
}

const HEAD = ['TOKENS', 'INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE', 'COST', 'NOT REPORTED'];

function lines({ by, since, until, rows, total, today }: UsageView): Part[][] {
  if (rows.length === 0) return [[`No agent took a turn from ${since} to ${until}.`], ...budgetLine(today)];
  const isMoneyKnown = total.cost_usd !== null;
  const isAllReported = rows.every(({ not_reported }) => not_reported.length === 0);
  const isShown = (head: string): boolean =>
    (head !== 'COST' || isMoneyKnown) && (head !== 'NOT REPORTED' || !isAllReported);
  const columns = HEAD.map((head, index) => ({ head, index })).filter(({ head }) => isShown(head));
  const row = (title: string, sum: Omit<UsageRow, 'key' | 'title'>): Part[] => {
    const cells = cellsOf(sum);
    return [title, ...columns.map(({ index }) => cells[index] ?? '')];
  };
  return [
    ...table(
      [by.toUpperCase(), ...columns.map(({ head }) => head)],
      [...rows.map((each) => row(each.title, each)), row(`${since} to ${until}`, total)],
    ),
    ...moneyLine(total.cost_from),
    ...budgetLine(today),
  ];
}

function cellsOf({ tokens, cost_usd: cost, not_reported: missing }: Omit<UsageRow, 'key' | 'title'>): readonly Part[] {
  const count = (value: number | undefined): Part =>
    value === undefined ? ink('dim', 'not reported') : value.toLocaleString('en-US');
  return [
    count(tokens?.total),
    ...[tokens?.input, tokens?.output, tokens?.cache_read, tokens?.cache_write].map((each) =>
      each === undefined ? '' : each.toLocaleString('en-US'),
    ),
    cost === null ? ink('dim', 'not named') : `$${cost.toFixed(2)}`,
    missing.map(({ runtime, agents }) => `${agents} ${runtime}`).join(', '),
  ];
}

const moneyLine = (from: readonly string[]): Part[][] =>
  from.length === 0 ? [] : [[ink('dim', `The cost is in US dollars, as reported by: ${from.join(', ')}.`)]];

const budgetLine = ({ tokens, budget }: UsageView['today']): Part[][] =>
  budget === null
    ? []
    : [
        [
          `Today: ${tokens.toLocaleString('en-US')} of ${budget.toLocaleString('en-US')} tokens of the daily budget (${Math.floor((100 * tokens) / budget)} %).`,
        ],
      ];
