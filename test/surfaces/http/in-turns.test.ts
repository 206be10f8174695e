import { afterEach, describe, expect, it, vi } from 'vitest';
import { mapInTurns } from '../../../src/surfaces/http/server/in-turns.ts';

afterEach(() => vi.restoreAllMocks());

describe('mapInTurns', () => {
  it('while mapInTurns converts a long list, other work can run between the rows', async () => {
    let now = 0;
    // Use a fake clock that advances by 6 ms for each row.
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const seen: string[] = [];
    setImmediate(() => seen.push('other work'));
    const doubled = await mapInTurns([1, 2, 3, 4], (row) => {
      now += 6;
      seen.push(`row ${row}`);
      return row * 2;
    });
    expect(doubled).toEqual([2, 4, 6, 8]);
    expect(seen).toEqual(['row 1', 'row 2', 'other work', 'row 3', 'row 4']);
  });
});
