import { expect, it } from 'vitest';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { NO_AUTO } from '../../../src/domain/handoffs/policy/auto-handoff.ts';
import { inboxEntriesForAgent } from '../../../src/domain/inbox/inbox.ts';
import { after, instantFromMs } from '../../../src/domain/instant.ts';
import { anAgent } from '../../adapters/stores/store-contract.ts';

const NOW = instantFromMs(Date.parse('2026-11-18T12:00:00Z'));

it.each([
  [15, '15 s'],
  [120, '2 min'],
  [150, '2 min 30 s'],
  [3_600, '1 h 0 min'],
])(
  'a countdown of %i seconds is shown in the inbox as "%s", even if its beginning was recorded late',
  (seconds, words) => {
    const countdown = { trigger: 'request', beganAt: after(NOW, 4), dueAt: after(NOW, seconds * 1000) } as const;
    const agent: Agent = {
      ...anAgent({ sessionUuid: 'abcdef12-0000', tokenHash: 't', personaId: 1 }),
      id: 7,
      hostId: 'h',
      tmuxSession: 'baton-7',
      state: 'idle',
      auto: { ...NO_AUTO, countdown },
    };
    expect(inboxEntriesForAgent(agent, 'Con', false)[0]?.sentence).toContain(`after a countdown of ${words}: `);
  },
);
