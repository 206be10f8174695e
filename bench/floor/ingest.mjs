// Floor prototype (a minimal program for comparison with Baton) for bench part P6. It reads hook events from a spool
// folder, commits all waiting events in one transaction with FULL sync, and removes the files of these events. It
// checks no token, keeps no state and performs no effects.
//
//   node bench/floor/ingest.mjs SPOOL DATABASE     prints "ready"; on SIGTERM prints the number of stored events

import { readdirSync, readFileSync, unlinkSync, watch } from 'node:fs';
import Database from 'libsql';

const [folder = '', path = ''] = process.argv.slice(2);
const db = new Database(path);
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) db.pragma(pragma);
db.exec('CREATE TABLE events (seq INTEGER PRIMARY KEY, name TEXT UNIQUE, agent INTEGER, event TEXT, data TEXT)');
db.exec('CREATE INDEX events_by_agent ON events (agent, seq)');
const insert = db.prepare('INSERT OR IGNORE INTO events (name, agent, event, data) VALUES (?, ?, ?, ?)');

function drain() {
  planned = false;
  const names = readdirSync(folder).filter((name) => /^\d+-\d+-\d+$/.test(name));
  if (names.length === 0) return;
  db.exec('BEGIN IMMEDIATE');
  for (const name of names) {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    const end = text.indexOf('\n');
    const [, , event] = text.slice(0, end).split(' ');
    const { tool_name: tool, tool_use_id: use } = JSON.parse(text.slice(end + 1));
    insert.run(name, Number(name.split('-')[0]), event, JSON.stringify({ tool, use }));
  }
  db.exec('COMMIT');
  for (const name of names) unlinkSync(`${folder}/${name}`);
}

let planned = false;
watch(folder, (_, name) => {
  if (planned || name === null || name.startsWith('.')) return;
  planned = true;
  setImmediate(drain);
});
process.once('SIGTERM', () => {
  const [row] = /** @type {{ count: number }[]} */ (db.prepare('SELECT count(*) AS count FROM events').all());
  process.stdout.write(`${row?.count ?? 0}\n`, () => process.exit(0));
});
process.stdout.write('ready\n');
