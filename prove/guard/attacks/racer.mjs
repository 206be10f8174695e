// One of many processes that send the same request at the same time. The process reports that it is ready, waits for
// the signal, connects, sends the request and prints the status. The process connects only after the signal, because
// the server closes a connection on which no request has come for five seconds.

import { connect } from 'node:net';

const [port, path, token, body = ''] = process.argv.slice(2);
const lines = [
  `POST ${path} HTTP/1.1`,
  `Host: 127.0.0.1:${port}`,
  ...(token === '' ? [] : [`Authorization: Bearer ${token}`]),
  'Content-Type: application/json',
  'Connection: close',
  `Content-Length: ${Buffer.byteLength(body)}`,
];
let answer = '';
process.stdin.once('data', () => {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`));
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    process.stdout.write(`${/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0}\n`);
    process.exit(0);
  });
});
process.stdout.write('ready\n');
