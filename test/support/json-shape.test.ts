import { describe, expect, it } from 'vitest';
import { differences, mergeShapes, shapeOf } from './json-shape.ts';

const RUN = { id: 3, step: 'recorded', document: { path: 'a.md', bytes: 12 }, warnings: [], successor: null };

describe('the shape of a JSON value', () => {
  it('has its key paths with types, and the elements of an array as one', () => {
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

  it('has the values of an open map as one', () => {
    expect(shapeOf({ env: { PATH: '/bin', CI: null } }, (path) => path === 'env')).toEqual({
      '': 'object',
      env: 'object',
      'env{}': 'null | string',
    });
  });

  it('has the data of each type of event apart', () => {
    const events = [
      { seq: 1, type: 'a', data: { to: 'x' } },
      { seq: 2, type: 'b', data: { why: 1 } },
    ];
    expect(Object.keys(shapeOf(events)).filter((path) => path.includes('data.'))).toEqual([
      '[](a).data.to',
      '[](b).data.why',
    ]);
  });

  it('merged with another makes a key optional that only one of them has', () => {
    expect(mergeShapes(shapeOf({ a: 1 }), shapeOf({ a: 'x', b: 1 }))).toEqual({
      '': 'object',
      a: 'number | string',
      'b?': 'number',
    });
    // The other value has no elements, so they stay as they are.
    expect(mergeShapes(shapeOf({ a: [] }), shapeOf({ a: [{ b: 1 }] }))).toMatchObject({ 'a[].b': 'number' });
  });
});

describe('differences', () => {
  const between = (before: unknown, now: unknown) => differences(shapeOf(before), shapeOf(now));

  it.each([
    ['a renamed key', { ...RUN, step: undefined, state: 'recorded' }, ['state: new', 'step: gone']],
    ['another type', { ...RUN, id: '3' }, ['id: number became string']],
    ['an object that became a string', { ...RUN, document: 'a.md' }, ['document: object became string']],
    ['a key in an object below', { ...RUN, document: { path: 'a.md' } }, ['document.bytes: gone']],
  ])('are found: %s', (_, now, found) => {
    expect(between(RUN, JSON.parse(JSON.stringify(now)))).toEqual(found);
  });

  it('are found if a key is missing in some elements now', () => {
    expect(between([{ a: 1, b: 1 }], [{ a: 1, b: 1 }, { a: 1 }])).toEqual(['[].b: not always present']);
  });

  it('are found in an event: a new key, and in its data a lost key and another type', () => {
    const event = (data: object) => [{ seq: 1, type: 'a', data }];
    expect(between(event({}), [{ ...event({})[0], sentence: 'x' }])).toEqual(['[](a).sentence: new']);
    expect(between(event({ to: 'x', by: 1 }), event({ to: 1 }))).toEqual([
      '[](a).data.by: gone',
      '[](a).data.to: string became number',
    ]);
  });

  it('are none in values, null, empty arrays, and events that did not happen or have further data', () => {
    const events = [
      { seq: 1, type: 'a', data: {} },
      { seq: 2, type: 'b', data: { why: 'x' } },
    ];
    expect(between(RUN, { ...RUN, successor: { id: 4 }, id: 9, document: null, warnings: ['late'] })).toEqual([]);
    expect(between({ a: [{ b: 1 }] }, { a: [] })).toEqual([]);
    expect(between(events, [{ ...events[0], data: { more: 1 } }])).toEqual([]);
    expect(between([events[0]], events)).toEqual([]);
  });

  it('are none if an optional key is missing', () => {
    const optional = mergeShapes(shapeOf({ a: 1 }), shapeOf({ a: 1, b: 1 }));
    expect(differences(optional, shapeOf({ a: 2 }))).toEqual([]);
  });
});
