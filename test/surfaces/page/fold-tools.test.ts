import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/contract/resources.ts';
import { foldTools, sumUp } from '../../../src/surfaces/page/activity/fold-tools.ts';

const event = (seq: number, type: string, agentId: number, data: Record<string, unknown> = {}): Event => ({
  ...{ seq, type, agent_id: agentId, data, run_id: null, kind: 'agent', by: null, bad_news: false },
  ...{ at: '2026-11-18T10:00:00Z', sentence: '' },
});
const tool = (seq: number, agentId: number, name: string): Event => event(seq, 'tool_used', agentId, { tool: name });

describe('the activity page', () => {
  it('on the activity page, three or more tool reports in a row are folded into one line', () => {
    const turn = event(4, 'turn_ended', 1);
    const many = [tool(3, 1, 'Read'), event(2, 'context_measured', 1), tool(1, 1, 'Bash')];
    expect(foldTools([turn, ...many])).toEqual([{ event: turn }, { folded: many }]);
    const two = many.slice(0, 2);
    expect(foldTools([...two, turn])).toEqual([...two.map((each) => ({ event: each })), { event: turn }]);
    expect(foldTools([])).toEqual([]);
  });

  it('a folded line of the activity page names each tool once', () => {
    const label = (id: number) => (id === 1 ? 'Ada' : undefined);
    expect(sumUp([tool(3, 1, 'Read'), tool(2, 1, 'Bash'), tool(1, 1, 'Read')], label)).toBe(
      'Agent 1 (Ada) used Read, Bash',
    );
    expect(sumUp([tool(2, 7, 'Read'), tool(1, 1, 'Read')], label)).toBe('Agents 1, 7 used Read');
    expect(sumUp([event(1, 'context_measured', 2)], label)).toBe('Agent 2 reported context use');
  });
});
