import type { Agent } from '../../../src/contract/resources.ts';
import type { OperatorSession } from '../../../test/support/operator-tmux.ts';
import type { Day, Place } from './day.ts';

export interface Adopted {
  readonly session: OperatorSession;
  agentId: number | undefined;
  isReleased: boolean;
}

type Told = Agent & { readonly code?: string; readonly error?: string };

/** Adopts external sessions, sends them messages and releases them, one after another. */
export async function adopt(day: Day, done: Adopted[]): Promise<void> {
  const place: Place = { name: 'own', agentId: undefined };
  day.places.push(place);
  while (!day.isOver) {
    const session = await day.own.session({ contextWindow: 200_000 });
    const persona = await day.persona('Ina');
    const one: Adopted = { session, agentId: undefined, isReleased: false };
    done.push(one);
    await day.during('adoption', () => take(day, one, persona));
    if (one.agentId === undefined) continue;
    place.agentId = one.agentId;
    await day.rest(3_000);
    place.agentId = undefined;
    await day.during('adoption', () => giveBack(day, one));
  }
}

async function take(day: Day, one: Adopted, persona: string): Promise<void> {
  const { lane, adopted } = day;
  const { id } = one.session;
  const answer = await day.until(async () => {
    const told = await lane.try<Told>('POST', `/api/candidates/${id}/adopt`, { persona });
    // Repeat the call until the answer is 201 or `already_adopted`. Any other answer means that Baton has not seen the
    // session yet. The answer is `already_adopted` if Baton adopted the session, but was killed before it answered.
    return told?.status === 201 || told?.body.code === 'already_adopted' ? told.body : undefined;
  });
  const agent = (await day.agents()).find((each) => each.persona?.slug === persona && each.ended_at === null);
  if (answer === undefined || agent === undefined) {
    const items = (await day.inbox()).filter(({ sentence }) => sentence.includes('adopt'));
    if (items.length === 0) day.accuse('stuck', `session ${id} was not adopted: ${JSON.stringify(answer)}`);
    return;
  }
  adopted.set(agent.id, one.session);
  if (await day.isReady(agent.id, `adoption of session ${id}`)) one.agentId = agent.id;
}

async function giveBack(day: Day, one: Adopted): Promise<void> {
  const released = await day.until(async () => {
    const { state } = await day.agent(one.agentId ?? 0);
    if (state === 'ended') return true;
    const told = await day.lane.try<Told>('POST', `/api/agents/${one.agentId}/release`, {});
    return told?.status === 200;
  });
  if (released === undefined) return day.accuse('stuck', `agent ${one.agentId} could not be released`);
  const isClean = await day.until(
    async () => (await day.own.tmux('show-options', '-p', '-t', one.session.pane)) === '',
  );
  if (isClean === undefined) day.accuse('stuck', `the pane of agent ${one.agentId} still has the tag of Baton`);
  one.isReleased = true;
}

/**
 * Checks each adopted session with tmux and with the session's log. The session must still run, must have begun only
 * once, and must have received its skill once.
 */
export async function judgeAdopted(day: Day, done: readonly Adopted[]): Promise<void> {
  const panes = await day.own.tmux('list-panes', '-a', '-F', '#{pane_id} #{pane_current_command}');
  for (const { session, agentId } of done) {
    const log = day.own.evidence(session.id);
    const what = `session ${session.id} (agent ${agentId})`;
    if (log.filter(({ type }) => type === 'start').length !== 1) day.accuse('doubled', `${what} began more than once`);
    const isAlive = panes.split('\n').some((line) => line === `${session.pane} node`);
    if (!isAlive) day.accuse('lost', `${what} no longer runs`);
    const skills = log.filter(({ type, text }) => type === 'submitted' && text?.includes('-skill]')).length;
    if (skills > 1) day.accuse('doubled', `${what} got its skill ${skills} times`);
    if (agentId !== undefined && skills === 0) day.accuse('lost', `${what} never got its skill`);
  }
}
