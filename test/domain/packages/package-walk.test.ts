import fc from 'fast-check';
import { expect, it } from 'vitest';
import { advancePackage } from '../../../src/domain/packages/advance-package.ts';
import type { Actor, PackageFact } from '../../../src/domain/packages/package-facts.ts';
import {
  ACTIVE_STATES,
  isTerminal,
  type PackageRecord,
  type Seal,
  TERMINAL_STATES,
} from '../../../src/domain/packages/record.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { FULL, fresh, gatePackage, PARTIAL, worldAt } from './package-kit.ts';

/**
 * A random walk of one package: all parties act in random order, sometimes with outdated hashes and with clocks far
 * ahead. `approved` is the seal (the hashes of the content and the artifacts) that a person approved.
 */
interface Walk {
  record: PackageRecord;
  approved: Seal | null;
}

const seal = fc
  .tuple(fc.constantFrom('h1', 'h1', 'h1', 'h2'), fc.constantFrom('a1', 'a1', 'a1', 'a2'))
  .map(([content, artifact]): Seal => ({ content, artifacts: { 'docs/api.md': artifact } }));
const owned = { by: fc.constantFrom<Actor>('sender', 'receiver', 'operator', 'host') };
const saying = fc.constantFrom(FULL, PARTIAL);

const facts: fc.Arbitrary<PackageFact> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('sealed' as const), seal, ...owned }),
  },
  fc.record({ type: fc.constant('edited' as const), ...owned }),
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('acknowledged' as const), by: owned.by, acknowledgement: saying }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('answered' as const),
      seal,
      answered: fc.constant(['Q-1-1', 'Q-2-1', 'Q-3-1', 'Q-h-1', 'Q-h-2']),
      ...owned,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('decided' as const),
      option: fc.constantFrom('approve', 'approve', 'approve', 'reject', 'question'),
      by: fc.constantFrom('Ann', 'human'),
      channel: fc.constantFrom('page', 'cli', 'agent'),
      reason: fc.constantFrom('', 'because'),
      conditions: fc.constant([]),
      seal,
    }),
  },
  fc.record({ type: fc.constant('content_seen' as const), seal }),
  fc.record({ type: fc.constant('progressed' as const), ...owned }),
  fc.record({
    type: fc.constant('completed' as const),
    results: fc.constant([{ id: 'C-001', result: 'pass' as const }]),
    returned: fc.boolean(),
    ...owned,
  }),
  fc.record({ type: fc.constant('failed' as const), cause: fc.constant('x'), ...owned }),
  fc.record({
    type: fc.constant('session_ended' as const),
    whose: fc.constantFrom('sender', 'receiver'),
    replaced: fc.boolean(),
  }),
  fc.record({ type: fc.constant('declined' as const), by: owned.by, code: fc.constant('overload' as const) }),
  fc.constant<PackageFact>({ type: 'clock_ticked' }),
  fc.constant<PackageFact>({ type: 'deadline_restarted' }),
) as fc.Arbitrary<PackageFact>;

const HOUR = 3_600_000;

function step(walk: Walk, fact: PackageFact, hours: number): string {
  const before = walk.record;
  const next = advancePackage(before, fact, worldAt(hours * HOUR));
  if (isTerminal(before)) expect(isRefusal(next), `${before.state} is immutable`).toBe(true);
  if (fact.type === 'decided' && fact.channel === 'agent') expect(isRefusal(next), 'an agent decided').toBe(true);
  if (isRefusal(next)) return next.code;
  walk.record = next;
  if (next.state === 'accepted' && before.state !== 'accepted')
    expect(fact, 'only the receiver takes a package over').toMatchObject({ type: 'acknowledged', by: 'receiver' });
  if (next.state === 'completed' && before.state === 'accepted')
    expect(fact, 'only the receiver completes the work').toMatchObject({ type: 'completed', by: 'receiver' });
  waited(next);
  approvedAsSeen(walk, fact, before);
  return next.state;
}

function waited(record: PackageRecord): void {
  expect([record.waiter === null, record.deadlineAt === null], record.state).toEqual(
    isTerminal(record) ? [true, true] : [false, false],
  );
}

function approvedAsSeen(walk: Walk, fact: PackageFact, before: PackageRecord): void {
  const { record } = walk;
  if (fact.type === 'decided' && fact.option === 'approve') walk.approved = fact.seal;
  if (fact.type === 'clock_ticked' && before.outcome !== 'approved')
    expect(record.outcome, 'time approved').not.toBe('approved');
  if (before.gate?.kind === 'blocking' && before.state === 'pending' && fact.type === 'clock_ticked')
    expect(record.state, 'a blocking gate waits').toBe('pending');
  if (record.outcome !== 'approved') return;
  expect(walk.approved, 'a person approved').not.toBeNull();
  expect(record.decision?.seal, 'the approval keeps what was seen').toEqual(walk.approved);
  expect(record.seal, 'what was approved is what was sealed').toEqual(walk.approved);
}

it('[package P14] [package P15] [package P19] [package P21] [package P22] in any random order of events, only the receiver can accept a package', () => {
  const met = new Set<string>();
  const start = fc.constantFrom(
    fresh(),
    fresh({ type: 'sequential' }),
    fresh({ type: 'escalation', to: 'human' }),
    gatePackage(),
    gatePackage('non_blocking'),
    fresh({ expiresAt: worldAt(40 * HOUR).now }),
  );
  const ways = fc.array(fc.tuple(facts, fc.integer({ min: 0, max: 30 })), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(start, ways, (record, way) => {
      const walk: Walk = { record, approved: null };
      let hours = 0;
      for (const [fact, later] of way) {
        if (fact.type === 'clock_ticked') hours += later;
        met.add(step(walk, fact, hours));
      }
    }),
    { numRuns: 2_000 },
  );
  // Fail if no walk meets one of these states or refusals. Walks that change nothing would pass every other check.
  for (const state of [...ACTIVE_STATES, ...TERMINAL_STATES])
    if (state !== 'cancelled') expect([...met], 'states met').toContain(state);
  for (const code of ['forbidden', 'stale_content', 'agents_cannot_decide', 'already_decided'])
    expect([...met], 'refusals met').toContain(code);
});
