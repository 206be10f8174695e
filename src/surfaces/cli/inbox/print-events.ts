import { doerInWords } from '../../../contract/doer.ts';
import type { Event } from '../../../contract/resources.ts';
import type { Cli } from '../cli.ts';
import { CliFault, EXIT } from '../cli-fault.ts';
import type { ApiClient } from '../client/api-client.ts';
import { getAgent, getEvents, getRun } from '../client/look-up.ts';
import { operatorClient } from '../client/operator-client.ts';
import { ink, type Part } from '../output/ink.ts';
import { plainLine } from '../output/plain-text.ts';
import { stamp } from '../output/when.ts';
import { pastTime } from './given-time.ts';

const PAGE = 1000;

export interface EventsRequest {
  readonly after?: number;
  readonly since?: string;
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
  const { since, ...filter } = wanted;
  const from = since === undefined ? undefined : pastTime(since);
  const api = operatorClient(deps);
  // The event stream ignores the types, so ask the server for one event to find out whether it knows the types.
  if (follow && filter.type !== undefined) await getEvents(api, { type: filter.type, limit: 1 });
  const after = Math.max(filter.after ?? 0, from === undefined ? 0 : await lastSeqBefore(api, from.getTime()));
  let count = 0;
  for await (const event of eventsOf(api, { ...filter, after })) {
    count += 1;
    if (out.isUnread) break;
    if (json) out.jsonLine(event);
    else for (const line of out.fit([eventLine(event)])) out.print(...line);
  }
  // An agent or run that does not exist has no events. These requests then throw, and the error names the agent or run.
  if (count === 0 && filter.agent !== undefined) await getAgent(api, filter.agent);
  if (count === 0 && filter.run !== undefined) await getRun(api, filter.run);
  // Print "No such events." to stderr, so that a script that counts the lines on stdout counts no event.
  if (count === 0 && !json) out.note('No such events.');
  return EXIT.done;
}

/**
 * Returns the number of the last event before a time. Searches by bisection, because the log can be long and the server
 * finds events only by number. If the clock was ever set back, the times of the events are not in order. The result is
 * then only one of several possible events.
 */
async function lastSeqBefore(api: ApiClient, time: number): Promise<number> {
  let low = 0;
  // Get the highest event number from the newest event. The server's health contains this number as well, but the
  // health of another machine of the fleet cannot be requested.
  let high = (await getEvents(api, { order: 'desc', limit: 1 })).data[0]?.seq ?? 0;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = (await getEvents(api, { after: middle, limit: 1 })).data[0];
    if (next === undefined || Date.parse(next.at) >= time) high = middle;
    else low = next.seq;
  }
  return low;
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

/** Follows the event stream, which sends all events, and yields only the events that match the request. */
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

/** One line for people: the event's number, local time and sentence, and the person or agent that caused the event. */
function eventLine({ seq, at, sentence, type, by, bad_news }: Event): Part[] {
  const whole = plainLine(sentence === '' ? type : sentence);
  const text = by === null ? whole : whole.replace(/\.$/, '');
  return [
    ink('dim', `${String(seq).padStart(6)} ${stamp(at)}  `),
    bad_news ? ink('red', text) : text,
    by === null ? '' : ink('dim', `, by ${doerInWords(plainLine(by))}`),
  ];
}
