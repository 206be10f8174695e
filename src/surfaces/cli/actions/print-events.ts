import type { Event } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { getEvents } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { ink, type Part } from '../output/ink.ts';
import { plainLine } from '../output/plain-text.ts';

const PAGE = 1000;
const TYPE_WIDTH = 24;

export async function printEvents(cli: Cli, { after, follow }: { after: number; follow: boolean }): Promise<number> {
  const api = operatorClient(cli.deps);
  const show = (event: Event) => (cli.json ? cli.out.jsonLine(event) : cli.out.print(...eventLine(event)));
  if (follow) for await (const event of api.follow({ after })) show(event);
  let last = after;
  for (;;) {
    const events = (await getEvents(api, last, PAGE)).data;
    events.forEach(show);
    last = events.at(-1)?.seq ?? last;
    if (events.length < PAGE) return EXIT.done;
  }
}

function eventLine({ seq, at, type, agent_id, run_id, data }: Event): Part[] {
  const about = [agent_id === null ? '' : `agent ${agent_id}`, run_id === null ? '' : `run ${run_id}`];
  return [
    ink('dim', `${String(seq).padStart(6)} ${at}`),
    ` ${plainLine(type).padEnd(TYPE_WIDTH)} `,
    ink('cyan', about.filter(Boolean).join(', ')),
    ` ${details(data)}`,
  ];
}

/** Ids that stand in the line already are left out. */
const details = (data: Event['data']): string =>
  Object.entries(data)
    .filter(([key, value]) => key !== 'agentId' && key !== 'runId' && value !== null)
    .map(([key, value]) => `${key}=${plainLine(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join(' ');
