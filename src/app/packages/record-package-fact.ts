import { type Instant, msBetween } from '../../domain/instant.ts';
import { advancePackage } from '../../domain/packages/advance-package.ts';
import { canonicalJson } from '../../domain/packages/content/canonical-json.ts';
import { namedCriteria, type PackageInput } from '../../domain/packages/content/package.ts';
import type { PackageFact, PackageFactContext } from '../../domain/packages/package-facts.ts';
import type { ReceiveReport } from '../../domain/packages/receive-report.ts';
import type { PackageRecord } from '../../domain/packages/record.ts';
import {
  type PackageChanges,
  type PackageEventData,
  type PackageNote,
  type StoredPackage,
  withEvent,
} from '../../domain/packages/stored-package.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { syncInboxForPackage } from '../inbox/sync-inbox.ts';
import type { Ports } from '../ports/index.ts';
import type { Tx } from '../ports/store.ts';
import { heldUpChange } from './background/addressees.ts';

/** Data that accompanies a fact. */
export interface WithFact {
  readonly agentId?: number | null;
  readonly changes?: PackageChanges;
  readonly said?: string | undefined;
  readonly report?: ReceiveReport;
  /** Record fields that follow from rewritten content. */
  readonly fields?: Partial<PackageRecord>;
}

/**
 * The single door for facts about packages. In one transaction the table validates the fact, and the fact is logged
 * with all its changes, saved, and reflected in the inbox. A fact without effect (a repeated acknowledgment) is not
 * logged.
 */
export function recordPackageFact(
  tx: Tx,
  ports: Ports,
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

/** The context for advancing a package now. A gate's own deadline sets the time of the first reminder. */
export function packageFactContext(ports: Ports, content: PackageInput, report = NOTHING_SEEN): PackageFactContext {
  const now = ports.clock.now();
  const { packageTimers: timers } = ports.settings;
  const { deadline } = content.gate ?? {};
  const untilGate = deadline === undefined ? 0 : msBetween(now, deadline as Instant);
  return {
    now,
    timers: untilGate > 0 ? { ...timers, gate: untilGate } : timers,
    criteria: namedCriteria(content).map(({ id }) => id),
    report,
  };
}

/** Records a note that causes no state transition. */
export function notePackage(
  tx: Tx,
  ports: Ports,
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

interface Kept {
  readonly type: string;
  readonly agentId: number | null;
  readonly data: PackageEventData;
}

function keep(
  tx: Tx,
  ports: Ports,
  before: StoredPackage | undefined,
  { type, agentId, ...kept }: Kept,
): StoredPackage {
  const data = { ...kept.data, changes: { ...kept.data.changes, ...heldUpChange(tx, now(before, kept.data)) } };
  const event = { at: ports.clock.now(), agentId, runId: null, type, data: { ...data }, dedupeKey: null };
  const logged = tx.appendEvent(event);
  if (logged === undefined) throw new Error('an event without a dedupe key was treated as a duplicate');
  const after = withEvent(before, { seq: logged.seq, at: logged.at, data });
  tx.savePackage(after);
  syncInboxForPackage(tx, ports, after);
  return after;
}

/** The package after this event, before the event has its number. */
const now = (before: StoredPackage | undefined, { record, changes }: PackageEventData): StoredPackage => ({
  ...((before ?? changes) as StoredPackage),
  ...changes,
  record,
});
