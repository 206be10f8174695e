// Floor prototype of the command line in bench part P9: one request over Baton's socket, whose answer is printed.
//
//   node bench/floor/request.mjs SOCKET TOKEN PATH

import { request } from 'node:http';

const [socketPath, token, path] = process.argv.slice(2);
request({ socketPath, path, headers: { authorization: `Bearer ${token}` } }, (answer) =>
  answer.pipe(process.stdout),
).end();
