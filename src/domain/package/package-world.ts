import { type Instant, instantFromMs, msBetween } from '../instant.ts';
import { DEFAULT_TIMERS, MOST_ROUNDS } from './limits.ts';
import { HUMAN, namedConstraints, namedCriteria, type PackageInput, type PackageType } from './package.ts';
import type { PackageWorld } from './package-facts.ts';
import type { ReceiveReport } from './receive-report.ts';
import type { NewPackage } from './record.ts';

const NOTHING_SEEN: ReceiveReport = { findings: [], blocked: false, unusable: [] };

/** What is true around a package when a fact about it is judged. */
export function packageWorld(content: PackageInput, now: Instant, report = NOTHING_SEEN): PackageWorld {
  const criteria = namedCriteria(content).map(({ id }) => id);
  return {
    now,
    timers: { ...DEFAULT_TIMERS, ...gateTimer(content, now) },
    rounds: MOST_ROUNDS,
    toCover: [...namedConstraints(content).map(({ id }) => id), ...criteria],
    criteria,
    report,
  };
}

/** A gate's own deadline says when its person is reminded first. */
function gateTimer({ gate }: PackageInput, now: Instant): { readonly gate?: number } {
  const until = gate?.deadline === undefined ? 0 : msBetween(now, gate.deadline as Instant);
  return until > 0 ? { gate: until } : {};
}

/** What the record takes over from the content. */
export const recordFields = (id: string, type: PackageType, content: PackageInput): NewPackage => ({
  id,
  type,
  from: content.from.agent,
  to: content.to.agent,
  gate:
    content.gate === undefined
      ? null
      : { kind: content.gate.type, items: content.validation_request?.items.length ?? 0 },
  expiresAt: lapsesAt(content),
});

/** All instants have one form, so that their texts can be compared. */
function lapsesAt({ expectations, to }: PackageInput): Instant | null {
  const deadline = Date.parse(expectations?.deadline ?? '');
  return Number.isNaN(deadline) || to.agent === HUMAN ? null : instantFromMs(deadline);
}
