// Floor prototype for bench part P9, which Baton's command line is compared with: does only the least that is needed,
// one request over Baton's socket, and prints the answer.
//
//   node bench/floor/request.mjs SOCKET TOKEN PATH

import { request } from 'node:http';

const [socketPath, token, path] = process.argv.slice(2);
request({ socketPath, path, headers: { authorization: `Bearer ${token}` } }, (answer) =>
  answer.pipe(process.stdout),
).end();
