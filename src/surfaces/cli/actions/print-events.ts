import type { Event } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getEvents } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { ink, type Part } from '../output/ink.ts';
import { plainLine } from '../output/plain-text.ts';

const PAGE = 1000;
const TYPE_WIDTH = 24;

interface Wanted {
  readonly after: number;
  readonly follow: boolean;
}

export async function printEvents({ deps, json, out }: Cli, wanted: Wanted): Promise<number> {
  for await (const event of eventsOf(operatorClient(deps), wanted)) {
    if (out.isUnread) break;
    if (json) out.jsonLine(event);
    else out.print(...eventLine(event));
  }
  return EXIT.done;
}

async function* eventsOf(api: ApiClient, { after, follow }: Wanted): AsyncGenerator<Event> {
  if (follow) yield* api.follow({ after });
  for (let last = after; ; ) {
    const page = (await getEvents(api, last, PAGE)).data;
    yield* page;
    last = page.at(-1)?.seq ?? last;
    if (page.length < PAGE) return;
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
