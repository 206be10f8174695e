import type { Sent } from './book.ts';
import type { Finding } from './finding.ts';
import { type Logs, promptsIn, refOf } from './logs.ts';

interface Heard {
  readonly agentId: number;
  readonly text: string;
}

/** Checks every message against the logs of all agents, not only the log of the addressed agent. */
export function judgeMessages(sent: readonly Sent[], logs: Logs): Finding[] {
  const heard = new Map<string, Heard[]>();
  for (const [agentId, log] of logs)
    for (const text of promptsIn(log)) {
      // A quote of a message in one of Baton's own prompts does not count as a delivery.
      const marks = refOf(text) === undefined ? (text.match(/soak-\d{6}/g) ?? []) : [];
      for (const mark of new Set(marks)) heard.set(mark, [...(heard.get(mark) ?? []), { agentId, text }]);
    }
  return sent.flatMap((message) => judgeMessage(message, heard.get(message.mark) ?? []));
}

const MOST: Readonly<Record<Sent['verdict'], number>> = { accepted: 1, unconfirmed: 1, unanswered: 1, refused: 0 };

function judgeMessage({ mark, text, agentId, verdict, reason }: Sent, heard: readonly Heard[]): Finding[] {
  const said = `${mark} to agent ${agentId}, ${verdict}${reason === '' ? '' : ` (${reason})`}`;
  const where = heard.map((each) => each.agentId).join(', ');
  if (heard.length > MOST[verdict])
    return [{ offence: 'doubled', what: `${said}: heard ${heard.length} times, by ${where}` }];
  const isWhole = heard.some((each) => each.agentId === agentId && each.text === text);
  if (verdict === 'accepted' ? isWhole : isWhole || heard.length === 0) return [];
  return [
    { offence: 'lost', what: `${said}: ${where === '' ? 'heard by nobody' : `heard by ${where}, or not whole`}` },
  ];
}

/** Checks that no model got one of Baton's own prompts twice, and that no agent began twice. */
export function judgePrompts(logs: Logs): Finding[] {
  const times = new Map<string, number>();
  for (const log of logs.values())
    for (const ref of promptsIn(log).flatMap((text) => refOf(text) ?? [])) times.set(ref, (times.get(ref) ?? 0) + 1);
  const twice = [...times].filter(([, count]) => count > 1).map(([ref, count]) => `${ref} was accepted ${count} times`);
  const starts = [...logs].map(([id, log]) => ({ id, count: log.filter(({ type }) => type === 'start').length }));
  const processes = starts.filter(({ count }) => count > 1).map(({ id, count }) => `agent ${id} began ${count} times`);
  return [...twice, ...processes].map((what) => ({ offence: 'doubled', what }));
}

/**
 * Checks each working directory: an agent there must have accepted a message before the reboot, and another message
 * after the reboot. Without these messages, the soak shows nothing about that working directory.
 */
export function judgeAttention(sent: readonly Sent[], places: readonly { readonly name: string }[]): Finding[] {
  return places.flatMap(({ name }) =>
    [1, 2]
      .filter((life) => !sent.some((each) => each.place === name && each.life === life && each.verdict === 'accepted'))
      .map((life): Finding => ({ offence: 'undone', what: `${name} heard nothing in life ${life}` })),
  );
}
