import { expect, it } from 'vitest';
import { advancePackage } from '../../../src/domain/packages/advance-package.ts';
import { canonicalJson } from '../../../src/domain/packages/content/canonical-json.ts';
import type { Actor, PackageFact } from '../../../src/domain/packages/package-facts.ts';
import {
  ACTIVE_STATES,
  isForPerson,
  isTerminal,
  type PackageRecord,
  sameSeal,
  TERMINAL_STATES,
} from '../../../src/domain/packages/record.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';
import { CHANGED, FULL, fresh, gatePackage, PARTIAL, SEAL, worldAt } from './package-kit.ts';

/**
 * Explores every reachable package record: applies all facts of all parties to each record until no new record appears.
 * Records that differ only in their times count as one. The limits are three revisions, five rounds and two reminders.
 */
const ACTORS: readonly Actor[] = ['sender', 'receiver', 'operator', 'host'];
const SEALS = [SEAL, CHANGED];
const FAR_MS = 10_000 * 3_600_000;

const by = <F extends object>(fact: F) => ACTORS.map((actor) => ({ ...fact, by: actor }) as unknown as PackageFact);
const decided = (option: 'approve' | 'reject' | 'question', more: object) =>
  SEALS.map((seal) => ({
    type: 'decided' as const,
    option,
    by: 'Ann',
    channel: 'page' as const,
    reason: 'why',
    conditions: [],
    seal,
    ...more,
  }));

function factsFor({ questions }: PackageRecord): readonly PackageFact[] {
  const answered = questions.map(({ id }) => id);
  return [
    ...by({ type: 'edited' }),
    ...by({ type: 'sealed', seal: SEAL }),
    ...by({ type: 'acknowledged', acknowledgement: FULL }),
    ...by({ type: 'acknowledged', acknowledgement: PARTIAL }),
    ...by({ type: 'answered', answered, seal: SEAL }),
    ...by({ type: 'declined', code: 'overload' }),
    ...decided('approve', {}),
    ...decided('approve', { items: [0] }),
    ...decided('approve', { channel: 'agent' }),
    ...decided('reject', {}),
    ...decided('question', {}),
    { type: 'content_seen', seal: CHANGED },
    ...by({ type: 'progressed' }),
    ...by({ type: 'completed', results: [{ id: 'C-001', result: 'pass' }], returned: false }),
    ...by({ type: 'completed', results: [], returned: true }),
    ...by({ type: 'failed', cause: 'no access' }),
    { type: 'session_ended', whose: 'sender' },
    { type: 'session_ended', whose: 'receiver', replaced: true },
    { type: 'session_ended', whose: 'receiver' },
    ...by({ type: 'cancelled' }),
    { type: 'superseded', byPackage: 'HO-2026-002' },
    { type: 'clock_ticked' },
    { type: 'deadline_restarted' },
  ];
}

const keyOf = ({ deadlineAt: _d, decision, ...record }: PackageRecord): string =>
  canonicalJson({ ...record, decision: decision && { ...decision, at: '' } });
const isBeyond = ({ revision, round, reminders }: PackageRecord): boolean => revision > 3 || round > 5 || reminders > 2;

/** Checks the rules that every transition of a package must obey. */
function check(before: PackageRecord, fact: PackageFact, after: PackageRecord): void {
  const about = `${before.state}, ${JSON.stringify(fact)}`;
  if (isTerminal(after)) expect([after.waiter, after.deadlineAt], about).toEqual([null, null]);
  else expect(after.waiter !== null && after.deadlineAt !== null, about).toBe(true);
  if (after.state === 'accepted' && before.state !== 'accepted')
    expect([fact.type, 'by' in fact && fact.by], about).toEqual(['acknowledged', 'receiver']);
  if (isForPerson(after)) expect(after.state, about).not.toBe('accepted');
  if (after.state === 'completed' && !isForPerson(after))
    expect([before.state, fact.type, 'by' in fact && fact.by], about).toEqual(['accepted', 'completed', 'receiver']);
  if (after.outcome === 'approved') {
    expect(fact, about).toMatchObject({ type: 'decided', option: 'approve', channel: 'page' });
    expect(sameSeal(after.seal, after.decision?.seal ?? null), about).toBe(true);
    expect(after.approvedItems.length, about).toBe(after.gate?.items ?? 0);
  }
  if (before.gate?.kind === 'blocking' && fact.type === 'clock_ticked' && before.state !== 'draft')
    expect(after.state, about).toBe(before.state);
}

it('[package P14] [package P15] [package P19] [package P20] [package P22] no order of events leads a package into a forbidden state', () => {
  const starts = [
    fresh(),
    fresh({ type: 'sequential' }),
    fresh({ type: 'return' }),
    fresh({ type: 'escalation', to: 'human' }),
    fresh({ type: 'escalation', to: 'orchestrator' }),
    fresh({ expiresAt: worldAt(FAR_MS / 2).now }),
    gatePackage(),
    gatePackage('non_blocking'),
  ];
  const seen = new Map(starts.map((record) => [canonicalJson([keyOf(record)]), record]));
  const waiting = [...seen.values()];
  const states = new Set<string>();
  let moves = 0;
  for (let record = waiting.pop(); record !== undefined; record = waiting.pop()) {
    states.add(record.state);
    for (const fact of factsFor(record)) {
      const next = advancePackage(record, fact, worldAt(fact.type === 'clock_ticked' ? FAR_MS : 0));
      if (isRefusal(next)) {
        expect(next.sentence.length, 'a refusal says why').toBeGreaterThan(10);
        continue;
      }
      expect(isTerminal(record), `${record.state} changed by ${fact.type}`).toBe(false);
      check(record, fact, next);
      moves++;
      const key = canonicalJson([keyOf(next)]);
      if (seen.has(key) || isBeyond(next)) continue;
      seen.set(key, next);
      waiting.push(next);
    }
    // The operator can cancel every package that is not in a final state.
    if (!isTerminal(record))
      expect(advancePackage(record, { type: 'cancelled', by: 'operator' }, worldAt())).toMatchObject({
        state: 'cancelled',
      });
  }
  expect([...states].sort()).toEqual([...ACTIVE_STATES, ...TERMINAL_STATES].sort());
  // Fail if the search found almost no records. Every other check would then pass without checking anything.
  expect(seen.size).toBeGreaterThan(1_000);
  expect(moves).toBeGreaterThan(4_000);
});
