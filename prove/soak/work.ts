import { setTimeout as pause } from 'node:timers/promises';
import type { MessageVerdict } from '../../src/contract/requests.ts';
import type { Book, Sent } from './book.ts';
import type { Desk, Place } from './desk.ts';

/**
 * The pauses between two messages to the same agent. The pauses differ, so that the agents do not all get messages at
 * once.
 */
const PAUSES_MS = [150, 900, 400, 1500, 250];

export interface Stretch {
  readonly desk: Desk;
  readonly book: Book;
  readonly ms: number;
  /** Work that runs at the same time as the messages. The soak sends messages at least until this work has ended. */
  readonly meanwhile?: () => Promise<void>;
}

/** The operator keeps sending messages to all agents until the time is up or the server has died. */
export async function work({ desk, book, ms, meanwhile = async () => undefined }: Stretch): Promise<void> {
  const end = performance.now() + ms;
  let isBusyElsewhere = true;
  let isDown = false;
  const goesOn = (): boolean => !isDown && (isBusyElsewhere || performance.now() < end);

  const attend = async (place: Place, at: number): Promise<void> => {
    for (let turn = 0; goesOn(); turn++) {
      const said = book
        .tasks(turn)
        .map((task) => book.enter(task, { place: place.name, agentId: place.agentId }))
        .map((sent) => say(desk, sent));
      if (!(await Promise.all(said)).every(Boolean)) isDown = true;
      await pause(PAUSES_MS[(turn + at) % PAUSES_MS.length]);
    }
  };
  const elsewhere = meanwhile().finally(() => {
    isBusyElsewhere = false;
  });
  // Handle a rejection of `elsewhere` here, because this promise is awaited only later. Without this handler, Node
  // would end the process because of an unhandled rejection.
  elsewhere.catch(() => undefined);
  const attended = new Set<Place>();
  const attending: Promise<void>[] = [];
  // An agent that is added while the loop runs gets messages as well.
  for (; goesOn(); await pause(100))
    for (const [at, place] of desk.places.entries()) {
      if (attended.has(place) || place.isEmpty) continue;
      attended.add(place);
      attending.push(attend(place, at));
    }
  await Promise.all([elsewhere, ...attending]);
}

/** Sends the message and records the verdict. Returns false if the server does not answer. */
async function say({ baton }: Desk, sent: Sent): Promise<boolean> {
  try {
    const path = `/api/agents/${sent.agentId}/messages`;
    const { status, body } = await baton.call<MessageVerdict & { code?: string }>('POST', path, { text: sent.text });
    const isAnswer = status < 500;
    if (isAnswer) sent.verdict = status < 300 ? body.verdict : 'refused';
    sent.reason = body.code ?? body.reason ?? '';
    return true;
  } catch {
    return false;
  }
}
