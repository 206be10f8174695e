import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBatonApi } from '../../../src/surfaces/mcp/baton-api.ts';

/** A fake server that the test can tell to drop connections or to stop answering. */
let home = '';
let server: Server;
let asked: string[] = [];
let breaksOff = 0;
let stoppingFor = 0;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bt-'));
  [asked, breaksOff, stoppingFor] = [[], 0, 0];
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.authorization}`);
    if (asked.length <= breaksOff) return void request.socket.destroy();
    if (asked.length <= stoppingFor) {
      response.statusCode = 503;
      return void response.end('{"error":"Baton is stopping","code":"stopping"}');
    }
    response.end('{"done":true}');
  });
});
afterEach(async () => {
  if (server.listening) await new Promise((resolve) => server.close(resolve));
  rmSync(home, { recursive: true, force: true });
});
const listen = () => new Promise<void>((resolve) => server.listen(join(home, 'baton.sock'), resolve));
const api = (token = 'of-the-agent') => createBatonApi({ homePath: home, token, patienceMs: 30_000 });
const READ = { method: 'GET', path: '/api/packages' } as const;
const WRITE = { method: 'POST', path: '/api/packages', body: {} } as const;

describe('MCP tool calls', () => {
  it('while the server restarts, a call of an MCP tool waits', async () => {
    const early = Promise.all([api().ask(READ), api().ask(WRITE)]);
    await listen();
    expect(await early).toEqual([{ body: { done: true } }, { body: { done: true } }]);
  });

  it('while the server stops, a call of an MCP tool waits for the next server', async () => {
    stoppingFor = 2;
    await listen();
    expect(await api().ask(WRITE)).toEqual({ body: { done: true } });
    expect(asked).toHaveLength(3);
  });

  it('an MCP tool never repeats a write request that the server might have carried out', async () => {
    breaksOff = 1;
    await listen();
    expect(await api().ask(WRITE)).toMatchObject({ refused: { code: 'connection_lost' } });
    expect(asked).toEqual(['POST Bearer of-the-agent']);
    asked = [];
    expect(await api().ask(READ)).toEqual({ body: { done: true } });
    expect(asked).toHaveLength(2);
  });

  it('an MCP tool call without an agent token is refused', async () => {
    await listen();
    expect(await api('').ask(READ)).toMatchObject({ refused: { code: 'unauthorized' } });
    expect(asked).toEqual([]);
  });
});
