import type { Event } from '../../src/contract/resources.ts';
import { type Play, prompt } from './clicks.ts';

const COUNTDOWN_SECONDS = 3;
/**
 * The tolerance for the measured length of a countdown. Baton records the beginning of a countdown a moment late, so a
 * complete countdown may seem slightly too short.
 */
const TOLERANCE_MS = 500;

/**
 * Switches automatic handoffs on for an agent with a full context, while the server is killed again and again. Checks
 * that Baton begins exactly one handoff, after a whole countdown.
 */
export async function playCountdown(play: Play): Promise<{ readonly runId: number; readonly after: number }> {
  const { lane, agentId } = play;
  // Let the agent edit a file, because Baton hands off a successor automatically only after the successor has done some
  // work.
  await prompt(play, `[[practice:write notes-${agentId}.md I worked.]] [[practice:context 90]]`);
  const after = await play.armed();
  const policy = {
    mode: 'auto',
    idle_seconds: 0,
    countdown_seconds: COUNTDOWN_SECONDS,
    in_quiet_hours: true,
    per_day: 1_000,
  };
  await lane.post(`/api/agents/${agentId}/handoff-policy`, { policy });
  const begun = await lane.event(
    after,
    ({ type, agent_id, data }) => type === 'handoff_progress' && agent_id === agentId && data.from === null,
  );
  if (begun?.run_id == null) throw new Error(`lost: the countdown of agent ${agentId} never becomes a handoff`);
  judgeCountdown(agentId, await autoEvents(play, after));
  return { runId: begun.run_id, after };
}

async function autoEvents({ lane, agentId }: Play, after: number): Promise<readonly Event[]> {
  const types = ['countdown_began', 'countdown_restarted', 'auto_handoff_begun'];
  const { events } = await lane.get<{ events: Event[] }>(
    `/api/events?agent=${agentId}&after=${after}&type=${types.join(',')}`,
  );
  return events;
}

function judgeCountdown(agentId: number, events: readonly Event[]): void {
  const begun = events.filter(({ type }) => type === 'auto_handoff_begun');
  if (begun.length !== 1)
    throw new Error(`doubled: Baton began ${begun.length} handoffs of agent ${agentId} by itself`);
  const last = events.findLast(({ type }) => type !== 'auto_handoff_begun');
  const passed = Date.parse(begun[0]?.at ?? '') - Date.parse(last?.at ?? '');
  if (!(passed >= COUNTDOWN_SECONDS * 1000 - TOLERANCE_MS))
    throw new Error(`silent: the last countdown of agent ${agentId} lasted only ${passed} ms`);
}
