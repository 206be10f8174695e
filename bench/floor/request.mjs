// Floor prototype (a minimal program for comparison with Baton's command line) for bench part P9. It sends one request
// over Baton's socket and prints the answer.
//
//   node bench/floor/request.mjs SOCKET TOKEN PATH

import { request } from 'node:http';

const [socketPath, token, path] = process.argv.slice(2);
request({ socketPath, path, headers: { authorization: `Bearer ${token}` } }, (answer) =>
  answer.pipe(process.stdout),
).end();
