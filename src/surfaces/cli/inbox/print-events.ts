import { doerInWords } from '../../../contract/doer.ts';
import type { Event } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getEvents } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { ink, type Part } from '../output/ink.ts';
import { plainLine } from '../output/plain-text.ts';

const PAGE = 1000;
const TYPE_WIDTH = 24;

export interface EventsRequest {
  readonly after?: number;
  readonly before?: number;
  readonly agent?: number;
  readonly run?: number;
  readonly package?: string;
  readonly type?: string;
  readonly limit?: number;
  readonly order?: string;
  readonly follow?: boolean;
}

export async function printEvents({ deps, json, out }: Cli, wanted: EventsRequest): Promise<number> {
  const { before, limit, order, follow } = wanted;
  if (order !== undefined && order !== 'asc' && order !== 'desc') throw usage('Use --order asc or --order desc.');
  if (follow && (before !== undefined || limit !== undefined || order === 'desc'))
    throw usage('--follow never ends, so it cannot be combined with --before, --limit or --order desc.');
  for await (const event of eventsOf(operatorClient(deps), wanted)) {
    if (out.isUnread) break;
    if (json) out.jsonLine(event);
    else out.print(...eventLine(event));
  }
  return EXIT.done;
}

const usage = (sentence: string): CliFault => new CliFault(sentence, { code: 'usage', exitCode: EXIT.usage });

async function* eventsOf(api: ApiClient, wanted: EventsRequest): AsyncGenerator<Event> {
  if (wanted.follow) yield* followed(api, wanted);
  const { follow: _, limit = Number.POSITIVE_INFINITY, ...filter } = wanted;
  const onwards = (seq: number) => (wanted.order === 'desc' ? { before: seq } : { after: seq });
  for (let left = limit, place = {}; left > 0; ) {
    const asked = Math.min(PAGE, left);
    const page = (await getEvents(api, { ...filter, ...place, limit: asked })).data;
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < asked) return;
    left -= page.length;
    place = onwards(last.seq);
  }
}

/** Yields only the requested events, because the stream sends all of them. */
async function* followed(
  api: ApiClient,
  { after = 0, agent, run, type, package: id }: EventsRequest,
): AsyncGenerator<Event> {
  const types = type?.split(',');
  for await (const event of api.follow({ after })) {
    const isWanted =
      (agent === undefined || event.agent_id === agent) &&
      (run === undefined || event.run_id === run) &&
      (id === undefined || (event.type.startsWith('package_') && event.data.packageId === id)) &&
      (types === undefined || types.includes(event.type));
    if (isWanted) yield event;
  }
}

function eventLine({ seq, at, type, agent_id, run_id, by, data }: Event): Part[] {
  const about = [agent_id === null ? '' : `agent ${agent_id}`, run_id === null ? '' : `handoff ${run_id}`];
  return [
    ink('dim', `${String(seq).padStart(6)} ${at}`),
    ` ${plainLine(type).padEnd(TYPE_WIDTH)} `,
    ink('cyan', about.filter(Boolean).join(', ')),
    by === null ? '' : ` by ${doerInWords(plainLine(by))}`,
    ` ${details(data)}`,
  ];
}

/** The event's data, without the ids that the line already shows. */
const details = (data: Event['data']): string =>
  Object.entries(data)
    .filter(([key, value]) => key !== 'agentId' && key !== 'runId' && value !== null)
    .map(([key, value]) => `${key}=${plainLine(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join(' ');
