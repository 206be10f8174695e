import { expect, it } from 'vitest';
import { z } from 'zod';
import { requestProblems } from '../../../src/contract/request-problems.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';

const told = (schema: z.ZodType, body: unknown): string =>
  requestProblems(schema.safeParse(body).error?.issues ?? [], body);

const Body = z.strictObject({
  option: z.enum(['approve', 'reject']),
  reason: z.string().min(1).max(5).optional(),
  percent: z.int().min(1).max(100).optional(),
  items: z.array(z.int()).max(2).optional(),
  time: z
    .string()
    .regex(/^\d\d:\d\d$/, 'must be a time such as 22:00')
    .optional(),
  file: z.union([z.string(), z.strictObject({ path: z.string() })]).optional(),
});

it.each<[unknown, string]>([
  [{}, 'option is missing'],
  [{ option: 'maybe' }, 'option must be one of approve, reject'],
  [{ option: 'reject', reason: '' }, 'reason must not be empty'],
  [{ option: 'reject', reason: 'far too long' }, 'reason must have at most 5 characters'],
  [{ option: 'reject', reason: 7 }, 'reason must be a string'],
  [{ option: 'reject', percent: 0 }, 'percent must be at least 1'],
  [{ option: 'reject', percent: 1.5 }, 'percent must be a whole number'],
  [{ option: 'reject', items: [1, 2, 3] }, 'items must have at most 2 entries'],
  [{ option: 'reject', items: ['x'] }, 'items.0 must be a number'],
  [{ option: 'reject', time: 'noon' }, 'time must be a time such as 22:00'],
  [{ option: 'reject', file: { way: 'x' } }, 'file.path is missing; file.way is unknown'],
  [{ option: 'reject', file: 7 }, 'file does not have the required format'],
  [{ option: 'reject', colour: 'red' }, 'colour is unknown'],
  ['nothing', 'the body must be an object'],
  [undefined, 'the body must be an object'],
])('the request body %j is refused with: %s', (body, sentence) => {
  expect(told(Body, body)).toBe(sentence);
});

it("for a wrong request body, every route answers with a sentence of Baton's own", () => {
  const wrong = [null, [], 'x', {}, { option: 'maybe', text: '', epoch: -1, path: 7, persona: {}, name: '' }];
  const said = ROUTES.flatMap(({ body }) => (body === undefined ? [] : wrong.map((each) => told(body, each))));
  expect(said.filter(Boolean).length).toBeGreaterThan(100);
  expect(said.filter((each) => /Invalid|Too (small|big)|Unrecognized|undefined|\[object/.test(each))).toEqual([]);
});
