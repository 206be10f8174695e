import type { Instant } from '../../../src/domain/instant.ts';
import { after } from '../../../src/domain/instant.ts';
import { advancePackage, newPackage } from '../../../src/domain/packages/advance-package.ts';
import {
  DEFAULT_TIMERS,
  type PackageFact,
  type PackageFactContext,
} from '../../../src/domain/packages/package-facts.ts';
import type { NewPackage, PackageRecord, Seal } from '../../../src/domain/packages/record.ts';
import type { Acknowledgment } from '../../../src/domain/packages/validate-acknowledgment.ts';
import { isRefusal } from '../../../src/domain/refusals.ts';

export const NOON = '2026-01-15T12:00:00.000Z' as Instant;
export const SEAL: Seal = { content: 'hash-1', artifacts: { 'docs/api.md': 'a1' } };
export const CHANGED: Seal = { content: 'hash-1', artifacts: { 'docs/api.md': 'a2' } };

export const worldAt = (ms = 0, more: Partial<PackageFactContext> = {}): PackageFactContext => ({
  now: after(NOON, ms),
  timers: DEFAULT_TIMERS,
  criteria: ['C-001'],
  report: { findings: [], blocked: false, unusable: [] },
  ...more,
});

export const fresh = (given: Partial<NewPackage> = {}): PackageRecord =>
  newPackage(
    {
      id: 'HO-2026-001',
      type: 'delegation',
      from: 'architecture',
      to: 'security-check',
      gate: null,
      expiresAt: null,
      ...given,
    },
    worldAt(),
  );

export const gatePackage = (kind: 'blocking' | 'non_blocking' = 'blocking'): PackageRecord =>
  fresh({ type: 'gate', to: 'human', gate: { kind, items: 2 } });

export const FULL: Acknowledgment = {
  level: 'full',
  task: 'Report the risks of the proposed API',
  questions: [],
  blockers: [],
  starting: true,
};

export const PARTIAL: Acknowledgment = { ...FULL, level: 'partial', questions: ['Which API?'], starting: false };

export const sealed = (): PackageFact => ({ type: 'sealed', by: 'sender', seal: SEAL });
export const acknowledged = (acknowledgement: Acknowledgment = FULL): PackageFact => ({
  type: 'acknowledged',
  by: 'receiver',
  acknowledgement,
});
export const decided = (given: Partial<Extract<PackageFact, { type: 'decided' }>> = {}): PackageFact => ({
  type: 'decided',
  option: 'approve',
  by: 'Ann',
  channel: 'page',
  reason: '',
  conditions: [],
  seal: SEAL,
  ...given,
});

/** Applies the facts in order. Throws if a fact is refused. */
export function play(record: PackageRecord, facts: readonly PackageFact[], world = worldAt()): PackageRecord {
  return facts.reduce((now, fact) => {
    const next = advancePackage(now, fact, world);
    if (isRefusal(next)) throw new Error(`${fact.type} was refused: ${next.sentence}`);
    return next;
  }, record);
}

/** Applies one fact. Returns the new state of the package, or the code of the refusal. */
export function outcome(record: PackageRecord, fact: PackageFact, world = worldAt()): string {
  const next = advancePackage(record, fact, world);
  return isRefusal(next) ? next.code : next.state;
}
