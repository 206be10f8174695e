import { expect, it } from 'vitest';
import { shortestColumns } from '../../../src/surfaces/page/parts/lists/shortest-columns.ts';

it.each([
  ['equal tiles from left to right', [10, 10, 10, 10], [1, 2, 3, 1]],
  ['a tile below the shortest tile of the row above', [30, 20, 10, 10, 10], [1, 2, 3, 3, 2]],
  ['nothing for an empty list', [], []],
])('in a list of tiles with three columns, the tiles are placed %s', (_case, heights, columns) => {
  expect(shortestColumns(heights, 3)).toEqual(columns);
});

it('in a list of tiles with three columns, no tile begins above an earlier tile', () => {
  const heights = [340, 220, 150, 260, 150, 220, 90, 400, 120];
  const ends = [0, 0, 0];
  const tops = shortestColumns(heights, 3).map((column, at) => {
    const top = ends[column - 1] ?? 0;
    ends[column - 1] = top + (heights[at] ?? 0);
    return top;
  });
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
});
