import { type Connection, sql } from './connection.ts';
import { fromPackage, toPackage } from './rows.ts';

/**
 * Fills new columns of packages that were stored before a migration added the columns. If a crash interrupts this
 * function, the next start calls it again.
 */
export function fillPackageColumns(db: Connection): void {
  const numbers = db.all(sql.selectFrom('packages').select('number').where('filled', 'is', null));
  if (numbers.length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  for (const { number } of numbers) {
    const row = db.first(sql.selectFrom('packages').select('detail').where('number', '=', number));
    if (row === undefined) continue;
    db.run(
      sql
        .updateTable('packages')
        .set(fromPackage(toPackage(row)))
        .where('number', '=', number),
    );
  }
  db.exec('COMMIT');
}
