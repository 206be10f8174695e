import { isRestoreUnfinished } from '../../adapters/maintenance/swap-in.ts';
import { examineDatabase } from '../../adapters/stores/sqlite/upkeep/examine-database.ts';
import type { Finding } from '../../contract/maintenance.ts';
import { error, note, ok, warning } from './finding.ts';
import type { MaintenanceContext } from './maintenance.ts';

/**
 * The doctor warns if the newest event is later than the clock by more than this. A smaller difference may come from an
 * ordinary correction of the clock. A larger difference shows that the clock was set back.
 */
const CLOCK_SLACK_MS = 60_000;
/** If the clock shows a time before this one, the clock is wrong, because Baton did not exist then. */
const SURELY_PAST = Date.parse('2026-01-01T00:00:00Z');

export function examineStore({ home }: MaintenanceContext): readonly Finding[] {
  if (isRestoreUnfinished(home.path))
    return [warning('database', 'A restore was interrupted.', 'The next start finishes the restore: baton start')];
  const found = examineDatabase(home.database);
  const { exists, schema, newestSchema, events, damage, closed, firstBroken, lastAt, lost } = found;
  if (!exists)
    return [note('database', 'There is no database yet; Baton creates it when it starts.'), clock(undefined)];
  if (closed !== undefined)
    return [
      error(
        'database',
        `${home.database} cannot be opened: ${closed}`,
        'Fix the cause (owner, permissions, a full or read-only disk). There is no sign of damage.',
      ),
      clock(undefined),
    ];
  if (damage !== undefined)
    return [
      error(
        'database',
        `${home.database} is damaged: ${damage}`,
        'Copy it to a safe place, then restore a backup: baton restore FILE',
      ),
      clock(undefined),
    ];
  if (lost !== undefined)
    return [
      error(
        'database',
        `${home.database} has lost its latest writes: ${lost}`,
        'Put baton.db-wal back if you have it, or restore a backup: baton restore FILE',
      ),
      clock(undefined),
    ];
  const chain =
    firstBroken === undefined
      ? ok('events', `${events} events; the chain of hashes is intact.`)
      : error(
          'events',
          `Event ${firstBroken} does not match the hash chain, so the log was changed at or before this event.`,
          'Find out what changed the log, or restore a backup that was made before the change: baton restore FILE',
        );
  return [version(schema, newestSchema), chain, clock(lastAt)];
}

function version(schema: number, newest: number): Finding {
  if (schema > newest)
    return error(
      'database',
      `The database was written by a newer Baton (schema ${schema}, this one supports up to ${newest}).`,
      'Install the newer Baton again, or restore a backup: baton restore FILE',
    );
  if (schema < newest)
    return note(
      'database',
      `The database is intact (schema ${schema}); the next start migrates it to schema ${newest} and keeps a copy.`,
    );
  return ok('database', `The database is intact (schema ${schema}).`);
}

function clock(lastAt: string | undefined): Finding {
  const now = Date.now();
  const remedy = 'Correct the clock of this machine, for example with: timedatectl set-ntp true';
  if (now < SURELY_PAST)
    return error('clock', `The clock shows ${new Date(now).toISOString()}, which cannot be right.`, remedy);
  if (lastAt && Date.parse(lastAt) > now + CLOCK_SLACK_MS)
    return warning(
      'clock',
      `The last event is from ${lastAt}, but the clock shows ${new Date(now).toISOString()}, so the clock was set back.`,
      remedy,
    );
  return ok('clock', 'The clock is OK.');
}
