import { isRestoreUnfinished } from '../../adapters/maintenance/swap-in.ts';
import { examineDatabase } from '../../adapters/stores/sqlite/upkeep/examine-database.ts';
import type { Finding } from '../../contract/maintenance.ts';
import { error, note, ok, warning } from './finding.ts';
import type { Keeper } from './maintenance.ts';

/** Tolerance for clock corrections; a larger difference means that the clock was set back. */
const CLOCK_SLACK_MS = 60_000;
/** The time of writing; a correct clock shows a later one. */
const SURELY_PAST = Date.parse('2026-01-01T00:00:00Z');

export function examineStore({ home }: Keeper): readonly Finding[] {
  if (isRestoreUnfinished(home.path))
    return [warning('database', 'A restore was cut short.', 'It is finished by the next start: baton start')];
  const found = examineDatabase(home.database);
  const { exists, schema, newestSchema, events, damage, closed, firstBroken, lastAt, lost } = found;
  if (!exists) return [note('database', 'There is no database yet; Baton makes it when it starts.'), clock(undefined)];
  if (closed !== undefined)
    return [
      error(
        'database',
        `${home.database} cannot be opened: ${closed}`,
        'Mend that (who owns it, its permissions, a full or read-only disk); nothing says that it is damaged.',
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
        `${home.database} has lost what was written last: ${lost}`,
        'Put baton.db-wal back if you have it, or restore a backup: baton restore FILE',
      ),
      clock(undefined),
    ];
  const chain =
    firstBroken === undefined
      ? ok('events', `${events} events, and each follows from the one before it.`)
      : error(
          'events',
          `Event ${firstBroken} does not follow from the one before it: the log was changed there.`,
          'Find out who changed it; a backup from before can be restored: baton restore FILE',
        );
  return [version(schema, newestSchema), chain, clock(lastAt)];
}

function version(schema: number, newest: number): Finding {
  if (schema > newest)
    return error(
      'database',
      `The database was written by a newer Baton (schema ${schema}, this one knows ${newest}).`,
      'Install the newer Baton again, or restore a backup: baton restore FILE',
    );
  if (schema < newest)
    return note(
      'database',
      `The database is whole, of schema ${schema}; the next start brings it to ${newest} and keeps a copy.`,
    );
  return ok('database', `The database is whole (schema ${schema}).`);
}

function clock(lastAt: string | undefined): Finding {
  const now = Date.now();
  const remedy = 'Set the clock of this machine right, such as with: timedatectl set-ntp true';
  if (now < SURELY_PAST)
    return error('clock', `The clock says ${new Date(now).toISOString()}, which cannot be.`, remedy);
  if (lastAt && Date.parse(lastAt) > now + CLOCK_SLACK_MS)
    return warning(
      'clock',
      `The last event is of ${lastAt}, and the clock says ${new Date(now).toISOString()}: it was set back.`,
      remedy,
    );
  return ok('clock', 'The clock goes forward.');
}
