import type { Agent } from '../../src/contract/resources.ts';
import type { Restore } from '../../src/contract/restore.ts';
import type { Sent } from './book.ts';
import type { Finding } from './finding.ts';
import type { Remains } from './judge-handoff.ts';

export interface Return {
  /** The agents that were alive before the reboot. */
  readonly before: readonly Agent[];
  readonly told: Restore['agents'];
  readonly sent: readonly Sent[];
}

/**
 * Checks each agent that was alive before the reboot. Exactly one new agent must continue the conversation of that
 * agent.
 */
export function judgeReturn({ before, told, sent }: Return, { agents, logs }: Remains): Finding[] {
  return before.flatMap(({ id }): Finding[] => {
    const status = told.find(({ agent_id }) => agent_id === id);
    if (status?.status !== 'back')
      return [{ offence: 'undone', what: `agent ${id} was not brought back: ${status?.detail ?? 'not offered'}` }];
    const heirs = agents.filter(({ resumed_from }) => resumed_from === id);
    if (heirs.length !== 1) return [{ offence: 'doubled', what: `agent ${id} goes on in ${heirs.length} agents` }];
    const known = logs.get(heirs[0]?.id ?? 0)?.find(({ type }) => type === 'resumed')?.prompts ?? [];
    const forgotten = sent.filter(
      ({ agentId, verdict, text }) => agentId === id && verdict === 'accepted' && !known.includes(text),
    );
    return forgotten.map(({ mark }) => ({ offence: 'lost', what: `${mark} is forgotten since agent ${id} came back` }));
  });
}
