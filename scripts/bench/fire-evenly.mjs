import { renameSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * The number of the bench's first hook. The agents' own hooks have smaller numbers, so no two hooks have the same
 * number.
 */
const FIRST = 2_000_000_000;

/**
 * Writes hook events to the spool as the hook script does, for each agent in turn, at an even pace.
 * @param {{ spool: string, agents: import('./baton-server.mjs').BenchAgent[], perSecond: number, seconds: number }} plan
 * @returns {Promise<number>} the number of events
 */
export async function fireEvenly({ spool, agents, perSecond, seconds }) {
  const count = perSecond * seconds;
  const began = performance.now();
  for (let n = 0; n < count; n++) {
    const ahead = (n / perSecond) * 1000 - (performance.now() - began);
    if (ahead > 1) await pause(ahead);
    const agent = agents[n % agents.length];
    if (agent === undefined) throw new Error('the plan has no agent');
    const payload = JSON.stringify({
      session_id: agent.session,
      hook_event_name: n % 2 === 0 ? 'PreToolUse' : 'PostToolUse',
      tool_name: `ui-${n}`,
      tool_use_id: `use-${n}`,
      tool_input: { command: 'ls' },
    });
    const name = `${agent.id}-${FIRST + n}-1`;
    const event = n % 2 === 0 ? 'PreToolUse' : 'PostToolUse';
    writeFileSync(`${spool}/.${name}`, `baton1 ${agent.env.BATON_AGENT_TOKEN} ${event}\n${payload}`);
    renameSync(`${spool}/.${name}`, `${spool}/${name}`);
  }
  return count;
}
