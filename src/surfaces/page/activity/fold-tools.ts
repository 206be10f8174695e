import type { Event } from '../../../contract/resources.ts';

/** A row of the log: one event, or several reports of working agents that one line summarizes. */
export type LogRow = { readonly event: Event } | { readonly folded: readonly Event[] };

/** The minimum number of successive reports that are folded into one line. */
const LEAST = 3;

/**
 * True for an event about a tool or the context use. A working agent causes so many events of these two types that they
 * would hide all other events.
 */
const isReport = ({ type }: Event): boolean => type === 'tool_used' || type === 'context_measured';

/** Folds reports that follow each other. All other events keep their own rows. */
export function foldTools(events: readonly Event[]): readonly LogRow[] {
  const rows: LogRow[] = [];
  let reports: Event[] = [];
  const close = (): void => {
    if (reports.length >= LEAST) rows.push({ folded: reports });
    else rows.push(...reports.map((event) => ({ event })));
    reports = [];
  };
  for (const event of events) {
    if (isReport(event)) {
      reports.push(event);
      continue;
    }
    close();
    rows.push({ event });
  }
  close();
  return rows;
}

/** One line about folded reports, such as "Agent 3 (Ada) used Read, Bash". */
export function sumUp(events: readonly Event[], label: (agentId: number) => string | undefined): string {
  const agents = [...new Set(events.flatMap(({ agent_id }) => agent_id ?? []))].sort((one, other) => one - other);
  const tools = [...new Set(events.flatMap(({ data }) => (typeof data.tool === 'string' ? data.tool : [])))];
  const [first] = agents;
  const name = first === undefined ? undefined : label(first);
  const who =
    agents.length === 1 ? `Agent ${first}${name === undefined ? '' : ` (${name})`}` : `Agents ${agents.join(', ')}`;
  return tools.length === 0 ? `${who} reported context use` : `${who} used ${tools.join(', ')}`;
}
