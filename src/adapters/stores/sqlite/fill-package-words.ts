import { wordsOf } from '../../../domain/package/stored-package.ts';
import { type Connection, sql } from './connection.ts';
import { toPackage } from './rows.ts';

/** After the migration that brought them, once; a crash in between leaves what is left to the next start. */
export function fillPackageWords(db: Connection): void {
  const numbers = db.all(sql.selectFrom('packages').select('number').where('words', 'is', null));
  if (numbers.length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  for (const { number } of numbers) {
    const row = db.first(sql.selectFrom('packages').select('detail').where('number', '=', number));
    const words = row === undefined ? '' : wordsOf(toPackage(row));
    db.run(sql.updateTable('packages').set({ words }).where('number', '=', number));
  }
  db.exec('COMMIT');
}
