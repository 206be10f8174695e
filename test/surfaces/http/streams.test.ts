import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createStreams, type StreamReader } from '../../../src/surfaces/http/server/streams.ts';

it('after the server has closed a stream, further data for the stream is dropped without an error', async () => {
  const streams = createStreams(() => 0);
  const readers: StreamReader[] = [];
  const errors: unknown[] = [];
  const server = createServer((_request, response) => {
    response.on('error', (error) => errors.push(error));
    streams.open(response, undefined, (reader) => {
      readers.push(reader);
      return { resume: () => reader.write('data: news\n\n'), stop: () => undefined };
    });
    streams.closeAll();
    streams.resumeAll();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/`)).text();
  expect(readers).toHaveLength(1);
  expect(text.match(/news/g)).toHaveLength(1);
  expect(errors).toEqual([]);
  await new Promise((closed) => server.close(closed));
});
