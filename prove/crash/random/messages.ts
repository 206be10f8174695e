import type { MessageVerdict } from '../../../src/contract/requests.ts';
import type { Event } from '../../../src/contract/resources.ts';
import type { Book, Sent } from '../../soak/book.ts';
import { judgeMessages, judgePrompts } from '../../soak/judge-messages.ts';
import { type Logs, promptsIn, readLogs } from '../../soak/logs.ts';
import type { Day } from './day.ts';

/** Keeps sending messages to random agents, even during their handoffs. */
export async function send(day: Day, book: Book): Promise<void> {
  while (!day.isOver) {
    const place = day.pick(day.places);
    const agentId = place?.agentId;
    await day.rest(500);
    if (place === undefined || agentId === undefined) continue;
    const [task] = book.tasks(Math.floor(day.chance() * 7));
    if (task === undefined) continue;
    const sent = book.enter(task, { place: place.name, agentId });
    await day.during('message', () => say(day, sent));
  }
}

async function say(day: Day, sent: Sent): Promise<void> {
  const answer = await day.lane.try<MessageVerdict & { code?: string }>(
    'POST',
    `/api/agents/${sent.agentId}/messages`,
    { text: sent.text },
  );
  if (answer === undefined || answer.status >= 500) return;
  sent.verdict = answer.status < 300 ? answer.body.verdict : 'refused';
  sent.reason = answer.body.code ?? answer.body.reason ?? '';
}

/** Compares each message with the logs of all agents. Then checks each message that the server did not answer. */
export async function judgeSent(day: Day, { sent }: Book): Promise<void> {
  const logs = readLogs({ baton: day.lane.baton, own: day.own, adopted: day.adopted });
  for (const { offence, what } of [...judgeMessages(sent, logs), ...judgePrompts(logs)])
    day.accuse(offence === 'doubled' ? 'doubled' : 'lost', what);
  const events = await day.events();
  const told = [...(await day.inbox()).map(({ sentence }) => sentence), ...warnings(events)];
  for (const one of sent) if (one.verdict === 'unanswered') judgeUnanswered(day, one, { logs, events, told });
}

interface Remains {
  readonly logs: Logs;
  readonly events: readonly Event[];
  /** The sentences of all inbox items and of all warnings in the log. */
  readonly told: readonly string[];
}

const warnings = (events: readonly Event[]): readonly string[] =>
  events.filter(({ type }) => type === 'agent_warning').map(({ data }) => String(data.sentence));

/**
 * Checks a message whose sender got no answer because the server died. Reports a finding if Baton's log has no verdict
 * on the message or a false one, or if the message is lost and the operator was not notified.
 */
function judgeUnanswered(day: Day, { mark, agentId }: Sent, { logs, events, told }: Remains): void {
  const begun = events.find(({ type, data }) => type === 'message_begun' && String(data.excerpt).includes(mark));
  // The message never reached Baton. Report nothing, because the sender saw that the connection broke.
  if (begun === undefined) return;
  const verdict = events.findLast(({ type, data }) => type === 'message_verdict' && data.ref === begun.data.ref);
  const what = `message ${mark} to agent ${agentId}, whose sender got no answer`;
  const isHeard = promptsIn(logs.get(agentId)).some((text) => text.includes(mark));
  if (verdict === undefined) day.accuse('stuck', `${what}, has no verdict`);
  else if (verdict.data.verdict === 'accepted' && !isHeard)
    day.accuse('lost', `${what}: reported as accepted, but no model got it`);
  // A refused message is no finding, because Baton did not type the message, and the sender saw that the connection
  // broke and can send the message again.
  else if (verdict.data.verdict === 'unconfirmed' && !isHeard && !told.some((sentence) => sentence.includes(mark)))
    day.accuse('silent', `${what}: no model got it, and the operator was not notified`);
}
