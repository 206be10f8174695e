// Floor prototype (a minimal program for comparison with Baton's server) for bench part P9. It is a bare HTTP server
// with an open SQLite store, and answers every request with the last event.
//
//   node bench/floor/server.mjs PORT DATABASE

import { createServer } from 'node:http';
import Database from 'libsql';

const [port = '0', path = ''] = process.argv.slice(2);
const db = new Database(path);
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL']) db.pragma(pragma);
db.exec('CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, data TEXT)');
const last = db.prepare('SELECT max(seq) AS seq FROM events');
const lastSeq = () => /** @type {{ seq: number | null }[]} */ (last.all())[0]?.seq ?? 0;
createServer((_, answer) => {
  answer.setHeader('content-type', 'application/json').end(JSON.stringify({ last_seq: lastSeq() }));
}).listen(Number(port), '127.0.0.1');
