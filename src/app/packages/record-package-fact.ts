import { type Instant, msBetween } from '../../domain/instant.ts';
import { advancePackage } from '../../domain/packages/advance-package.ts';
import { canonicalJson } from '../../domain/packages/content/canonical-json.ts';
import { namedCriteria, type PackageInput, pendingDecisions } from '../../domain/packages/content/package.ts';
import type { PackageFact, PackageFactContext } from '../../domain/packages/package-facts.ts';
import type { ReceiveReport } from '../../domain/packages/receive-report.ts';
import type { PackageRecord } from '../../domain/packages/record.ts';
import type {
  PackageChanges,
  PackageEventData,
  PackageNote,
  StoredPackage,
} from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { type PackageEvent, recordPackageEvent } from '../engine/record-facts.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { heldUpChange } from './background/addressees.ts';

/** Further data that is stored together with a fact about a package. */
export interface WithFact {
  readonly agentId?: number | null;
  readonly changes?: PackageChanges;
  readonly said?: string | undefined;
  readonly report?: ReceiveReport;
  /** Fields of the package record that change because the content was rewritten. */
  readonly fields?: Partial<PackageRecord>;
}

/**
 * Applies a fact to a package by the transition table. If the table refuses the fact, returns the refusal. If the table
 * accepts it, logs the fact and saves the package. A fact without effect, such as a repeated acknowledgment, is not
 * logged.
 */
export function recordPackageFact(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock' | 'settings'>,
  before: StoredPackage,
  fact: PackageFact,
  { agentId = null, changes = {}, said, report, fields = {} }: WithFact = {},
): StoredPackage | Refusal {
  const world = packageFactContext(ports, changes.content ?? before.content, report);
  const advanced = advancePackage({ ...before.record, ...fields }, fact, world);
  if (isRefusal(advanced)) return advanced;
  const record = advanced;
  const isNews = Object.keys(changes).length > 0 || said !== undefined;
  if (!isNews && canonicalJson(record) === canonicalJson(before.record)) return before;
  const told = said === undefined ? {} : { said };
  return keep(tx, ports, before, {
    type: `package_${fact.type}`,
    agentId,
    data: { packageId: record.id, fact, ...told, record, changes },
  });
}

const NOTHING_SEEN: ReceiveReport = { findings: [], blocked: false, unusable: [] };

/**
 * Returns the context in which the transition table applies a fact now. For a gate with a deadline, the first reminder
 * is due at this deadline.
 */
export function packageFactContext(
  ports: Pick<Ports, 'clock' | 'settings'>,
  content: PackageInput,
  report = NOTHING_SEEN,
): PackageFactContext {
  const now = ports.clock.now();
  const { packageTimers: timers } = ports.settings;
  const { deadline } = content.gate ?? {};
  const untilGate = deadline === undefined ? 0 : msBetween(now, deadline as Instant);
  return {
    now,
    timers: untilGate > 0 ? { ...timers, gate: untilGate } : timers,
    criteria: namedCriteria(content).map(({ id }) => id),
    toDecide: pendingDecisions(content)[0]?.decision,
    report,
  };
}

/** Records a change of a package's data. The state of the package stays the same. */
export function notePackage(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  before: StoredPackage | undefined,
  { note, agentId, record, changes }: Noted,
): StoredPackage {
  const data = { packageId: record.id, record, changes };
  return keep(tx, ports, before, { type: `package_${note}`, agentId, data });
}

interface Noted {
  readonly note: PackageNote;
  readonly agentId: number | null;
  readonly record: PackageRecord;
  readonly changes: PackageChanges;
}

function keep(
  tx: Tx,
  ports: Pick<Ports, 'secrets' | 'clock'>,
  before: StoredPackage | undefined,
  { data, ...event }: PackageEvent,
): StoredPackage {
  const changes = { ...data.changes, ...heldUpChange(tx, now(before, data)) };
  return recordPackageEvent(tx, ports, before, { ...event, data: { ...data, changes } });
}

const now = (before: StoredPackage | undefined, { record, changes }: PackageEventData): StoredPackage => ({
  ...((before ?? changes) as StoredPackage),
  ...changes,
  record,
});
