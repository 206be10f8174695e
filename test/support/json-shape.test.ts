import { describe, expect, it } from 'vitest';
import { differences, mergeShapes, shapeOf } from './json-shape.ts';

const RUN = { id: 3, step: 'recorded', document: { path: 'a.md', bytes: 12 }, warnings: [], successor: null };

describe('the shape of a JSON value', () => {
  it('the shape of a JSON value lists each path of keys with its types', () => {
    const runs = [
      { id: 1, note: null },
      { id: 2, note: 'x', late: true },
    ];
    expect(shapeOf({ runs })).toEqual({
      '': 'object',
      runs: 'array',
      'runs[]': 'object',
      'runs[].id': 'number',
      'runs[].late?': 'boolean',
      'runs[].note': 'null | string',
    });
  });

  it('in the shape of a JSON value, all values of a map with arbitrary keys share one path', () => {
    expect(shapeOf({ env: { PATH: '/bin', CI: null } }, (path) => path === 'env')).toEqual({
      '': 'object',
      env: 'object',
      'env{}': 'null | string',
    });
  });

  it('the shape of an event list describes the data of each event type separately', () => {
    const events = [
      { seq: 1, type: 'a', data: { to: 'x' } },
      { seq: 2, type: 'b', data: { why: 1 } },
    ];
    expect(Object.keys(shapeOf(events)).filter((path) => path.includes('data.'))).toEqual([
      '[](a).data.to',
      '[](b).data.why',
    ]);
  });

  it('if only one of two JSON values has a key, the key is optional in their merged shape', () => {
    expect(mergeShapes(shapeOf({ a: 1 }), shapeOf({ a: 'x', b: 1 }))).toEqual({
      '': 'object',
      a: 'number | string',
      'b?': 'number',
    });
    // The first array is empty, so the merged shape must have the elements of the second array.
    expect(mergeShapes(shapeOf({ a: [] }), shapeOf({ a: [{ b: 1 }] }))).toMatchObject({ 'a[].b': 'number' });
  });
});

describe('the differences between two JSON shapes', () => {
  const between = (before: unknown, now: unknown) => differences(shapeOf(before), shapeOf(now));

  it.each([
    ['a renamed key', { ...RUN, step: undefined, state: 'recorded' }, ['state: new', 'step: gone']],
    ['another type', { ...RUN, id: '3' }, ['id: number became string']],
    ['an object that became a string', { ...RUN, document: 'a.md' }, ['document: object became string']],
    ['a key in an object below', { ...RUN, document: { path: 'a.md' } }, ['document.bytes: gone']],
  ])('the comparison of two JSON shapes reports %s', (_, now, found) => {
    expect(between(RUN, JSON.parse(JSON.stringify(now)))).toEqual(found);
  });

  it('the comparison of two JSON shapes reports a key that only some elements of an array still have', () => {
    expect(between([{ a: 1, b: 1 }], [{ a: 1, b: 1 }, { a: 1 }])).toEqual(['[].b: not always present']);
  });

  it("the comparison of two JSON shapes reports a new key of an event, a missing key in the event's data and a changed type in the event's data", () => {
    const event = (data: object) => [{ seq: 1, type: 'a', data }];
    expect(between(event({}), [{ ...event({})[0], sentence: 'x' }])).toEqual(['[](a).sentence: new']);
    expect(between(event({ to: 'x', by: 1 }), event({ to: 1 }))).toEqual([
      '[](a).data.by: gone',
      '[](a).data.to: string became number',
    ]);
  });

  it('the comparison of two JSON shapes ignores changed values, empty arrays, new event types and new keys in event data', () => {
    const events = [
      { seq: 1, type: 'a', data: {} },
      { seq: 2, type: 'b', data: { why: 'x' } },
    ];
    expect(between(RUN, { ...RUN, successor: { id: 4 }, id: 9, document: null, warnings: ['late'] })).toEqual([]);
    expect(between({ a: [{ b: 1 }] }, { a: [] })).toEqual([]);
    expect(between(events, [{ ...events[0], data: { more: 1 } }])).toEqual([]);
    expect(between([events[0]], events)).toEqual([]);
  });

  it('the comparison of two JSON shapes does not report a missing optional key', () => {
    const optional = mergeShapes(shapeOf({ a: 1 }), shapeOf({ a: 1, b: 1 }));
    expect(differences(optional, shapeOf({ a: 2 }))).toEqual([]);
  });
});
