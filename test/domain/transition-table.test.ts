import { describe, expect, it } from 'vitest';
import { moveFor, type Row, rowAt, type Table } from '../../src/domain/transition-table.ts';

interface Door {
  readonly step: 'open' | 'shut';
  readonly subject: string;
  readonly fact:
    | { readonly type: 'pushed'; readonly by: string }
    | { readonly type: 'locked' }
    | { readonly type: 'rung' };
  readonly context: number;
  readonly move: string;
}

const TABLE: Table<Door, Row<Door>> = {
  rows: {
    open: { on: { pushed: (door, { by }, at) => `${by} shut ${door} at ${at}` } },
    shut: {},
  },
  inEveryStep: { pushed: (door) => `${door} stays`, locked: (door) => `${door} is locked` },
  unknownFact: (door, { type }) => `${door} cannot be ${type}`,
};

describe('the transition table', () => {
  it('in the transition table, a row for the current step is preferred to a row for every step', () => {
    const pushed = { type: 'pushed', by: 'Eve' } as const;
    expect(moveFor(TABLE, 'open', 'A', pushed, 7)).toBe('Eve shut A at 7');
    expect(moveFor(TABLE, 'shut', 'A', pushed, 7)).toBe('A stays');
    expect(moveFor(TABLE, 'open', 'A', { type: 'locked' }, 7)).toBe('A is locked');
    expect(moveFor(TABLE, 'open', 'A', { type: 'rung' }, 7)).toBe('A cannot be rung');
  });

  it('the transition table of handoffs has no row for a final step', () => {
    expect(rowAt(TABLE, 'shut')).toBe(TABLE.rows.shut);
    expect(rowAt(TABLE, 'burnt')).toBeUndefined();
    expect(rowAt(TABLE, 'toString')).toBeUndefined();
  });
});
