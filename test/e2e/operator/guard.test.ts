import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyOf, attackRoutes } from '../../../prove/guard/attacks/attack-routes.ts';
import { sendRaw } from '../../../prove/guard/attacks/raw-request.ts';
import { ALLOWED, compose, OTHER_ALLOWED, plainRequest } from '../../../prove/guard/attacks/request-shapes.ts';
import { ROUTES } from '../../../src/surfaces/http/server/routes.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import { needs, ROOT_ACCOUNT } from '../../support/needs.ts';

const [NAME, OTHER] = [ALLOWED, OTHER_ALLOWED];
const baton = new BatonProcess({ allowed_hosts: [NAME, OTHER] });
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

const raw = (text: string) => sendRaw(baton.port, text);
const parts = (method: string, path: string) => plainRequest(method, path, { port: baton.port, token: baton.token });
const plain = (method: string, path: string): string => compose(parts(method, path));

describe('[T1] [T2] [T3] the access check (guard) before every route', () => {
  it('on every route, the access check refuses every kind of hostile request', async () => {
    const { routes, shapes, refused, found } = await attackRoutes(baton, [baton.token, baton.home]);
    expect(found).toEqual([]);
    expect(shapes).toBeGreaterThanOrEqual(40);
    expect(refused).toBe(routes * shapes);
  });

  it('the access check accepts a well-formed request', async () => {
    expect((await raw(plain('GET', '/api/health'))).status).toBe(200);
  });

  it.each([
    [NAME, []],
    [NAME, [`Origin: https://${NAME}`]],
    [OTHER, [`Origin: https://${OTHER}`]],
    [NAME, [`Origin: https://${NAME}`, 'X-Forwarded-Host: evil.test', 'X-Forwarded-Proto: http']],
  ])(
    '[T6] the access check accepts a request for the allowed host %s with a token and the headers %j',
    async (name, lines) => {
      for (const [method, path, status] of [
        ['GET', '/api/health', 200],
        ['POST', '/api/login-codes', 201],
      ] as const) {
        const asked = parts(method, path);
        const { status: got } = await raw(compose({ ...asked, host: name, headers: [...asked.headers, ...lines] }));
        expect(got).toBe(status);
      }
    },
  );

  it('[T6] Baton gives login addresses only for allowed hosts', async () => {
    const ask = (host: string) => baton.call<{ url: string; code: string }>('POST', '/api/login-codes', { host });
    expect((await ask(OTHER)).body.url).toMatch(/^https:\/\/other\.example\.test:8443\/#code=[\w-]{32}$/);
    for (const host of ['evil.test', `${NAME}/`, `127.0.0.1:${baton.port}`, ''])
      expect(await ask(host)).toMatchObject({ status: 400, body: { code: 'host_not_allowed' } });
  });

  it('every answer of the server forbids browsers to show the answer in a frame or to load content from other origins', async () => {
    for (const path of ['/', '/api/health', '/nowhere']) {
      const { head } = await raw(plain('GET', path));
      expect(head).toMatch(/content-security-policy: default-src 'none'.*frame-ancestors 'none'/i);
      expect(head).toMatch(/x-content-type-options: nosniff/i);
      expect(head).toMatch(/cross-origin-resource-policy: same-origin/i);
      expect(head).not.toMatch(/access-control/i);
    }
  });

  it("[T21] an agent's token is accepted only on the routes for agents", async () => {
    const agent = await baton.agent();
    const token = baton.tokenOf(agent);
    for (const { method, path, callers } of ROUTES.filter(
      (each) => !each.callers.includes('agent') && !each.callers.includes('nobody'),
    )) {
      const answer = await baton.call(method, anyOf(path), method === 'POST' ? {} : undefined, token);
      expect([answer.status, path, callers]).toEqual([403, path, callers]);
    }
    expect(await baton.call('POST', '/api/runs/99/ack', { proof: 'x', task: 'y' }, token)).toMatchObject({
      status: 404,
    });
    expect(await baton.call('POST', '/api/runs/99/ack', { proof: 'x', task: 'y' })).toMatchObject({ status: 403 });
  });

  it('[T4] a login code is accepted only once', async () => {
    const { body } = await baton.call<{ url: string }>('POST', '/api/login-codes', {});
    const code = body.url.split('#code=')[1] ?? '';
    const redeem = () =>
      baton.call<{ token: string; error: string }>('POST', '/api/login', { code }, 'none-at-all-but-long-enough');
    const answers = await Promise.all(Array.from({ length: 8 }, redeem));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    expect((await baton.call('GET', '/api/health', undefined, won[0]?.body.token)).status).toBe(200);
    expect(body.url).not.toContain(baton.token);
  });

  it('[T4] the master token is stored in one file only', async () => {
    const names = readdirSync(baton.home, { recursive: true, withFileTypes: true });
    const holding = names
      .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(baton.token))
      .map(({ name }) => name);
    expect(holding).toEqual(['token']);
  });

  it('a malformed request body is answered with one clear sentence', async () => {
    const ask = (body: string) =>
      raw(
        [
          `POST /api/personas/register HTTP/1.1`,
          `Host: 127.0.0.1:${baton.port}`,
          `Authorization: Bearer ${baton.token}`,
          'Content-Type: application/json',
          'Connection: close',
          `Content-Length: ${Buffer.byteLength(body)}`,
          '',
          body,
        ].join('\r\n'),
      );
    for (const [body, words] of [
      ['{', 'not valid JSON'],
      ['{"role":"x"}', 'name'],
      ['{"role":"x","name":"y","extra":1}', 'extra'],
      ['{"role":1,"name":"y"}', 'role'],
      ['[]', 'object'],
      [`{"role":"${'x'.repeat(300_000)}"}`, 'larger'],
    ] as const) {
      const answer = await ask(body);
      expect(answer.status, body.slice(0, 40)).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect((JSON.parse(answer.body) as { error: string }).error).toContain(words);
    }
  });

  it('[T6] Baton listens on loopback only', async () => {
    const listening = await run('sh', [
      '-c',
      `cat /proc/net/tcp /proc/net/tcp6 | awk '$4=="0A"{print $2}' | grep -i ":${baton.port.toString(16).padStart(4, '0')}$"`,
    ]);
    expect(listening.stdout.trim().split('\n')).toEqual([expect.stringMatching(/^0100007F:/)]);
    for (const name of ['baton.sock', 'token', 'secret', 'baton.db', 'baton.log', 'baton.tmux.conf'])
      expect(statSync(join(baton.home, name)).mode & 0o077, name).toBe(0);
  });

  it('[T5] other users have no access to Baton (tested as the user nobody)', needs(ROOT_ACCOUNT), async () => {
    const asNobody = (script: string) =>
      new Promise<number | null>((resolve) =>
        spawn('sh', ['-c', script], { uid: 65534, gid: 65534, stdio: 'ignore' }).on('close', resolve),
      );
    expect(await asNobody(`cat '${baton.home}/token'`)).not.toBe(0);
    expect(await asNobody(`ls '${baton.home}'`)).not.toBe(0);
    expect(await asNobody(`tmux -S '${baton.home}/tmux.sock' list-sessions`)).not.toBe(0);
    expect(
      await asNobody(
        `node -e "require('net').connect('${baton.home}/baton.sock').on('connect',()=>process.exit(0)).on('error',()=>process.exit(1))"`,
      ),
    ).toBe(1);
  });
});

describe('[F48] the start of Baton', () => {
  it('a second server cannot start on the same home', async () => {
    const second = await run(process.execPath, [PROGRAM, 'start'], { ...process.env, BATON_HOME: baton.home });
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('is already running on this home');
    expect((await baton.call('GET', '/api/health')).status).toBe(200);
  });

  it("[T25] if Baton's port is in use, the start of Baton fails", async () => {
    const other = new BatonProcess({ port: baton.port });
    const ended = await run(process.execPath, [PROGRAM, 'start'], { ...process.env, BATON_HOME: other.home });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`Port ${baton.port} is in use`);
    await other.cleanUp();
  });

  it.each(['0.0.0.0', '::', '192.168.1.5'])(
    '[T6] Baton does not start with HOST=%s, because it accepts only loopback addresses',
    async (HOST) => {
      const other = new BatonProcess();
      const env = { ...process.env, BATON_HOME: other.home, HOST };
      const ended = await run(process.execPath, [PROGRAM, 'start'], env);
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('loopback only') });
      await other.cleanUp();
    },
  );

  it('[T5] if other users can open the home, Baton does not start', async () => {
    const other = new BatonProcess();
    chmodSync(other.home, 0o755);
    const ended = await run(process.execPath, [PROGRAM, 'start'], { ...process.env, BATON_HOME: other.home });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('chmod 700') });
    await other.cleanUp();
  });

  it('[F9] without tmux, Baton does not start and says what to install', async () => {
    const other = new BatonProcess();
    const env = { ...process.env, BATON_HOME: other.home, PATH: '/nowhere' };
    const ended = await run(process.execPath, [PROGRAM, 'start'], env);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('install tmux') });
    await other.cleanUp();
  });

  it('if the config contains an unknown key, Baton does not start', async () => {
    const other = new BatonProcess({ prot: 1 });
    const ended = await run(process.execPath, [PROGRAM, 'start'], { ...process.env, BATON_HOME: other.home });
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('Unknown key "prot"') });
    await other.cleanUp();
  });
});

describe('the API of the real server', () => {
  it('[F47] the event stream resumes after the event id that the client names', async () => {
    await baton.call('POST', '/api/personas/register', { role: 'a', name: 'b' });
    const seen = await new Promise<string[]>((resolve, reject) => {
      const socket = connect(baton.port, '127.0.0.1', () => {
        socket.write(
          [
            `GET /api/events HTTP/1.1`,
            `Host: 127.0.0.1:${baton.port}`,
            `Authorization: Bearer ${baton.token}`,
            'Accept: text/event-stream',
            'Last-Event-ID: 1',
            '',
            '',
          ].join('\r\n'),
        );
      });
      let text = '';
      let asked = false;
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        text += chunk.toString();
        const ids = [...text.matchAll(/^id: (\d+)/gm)].map(([, id]) => id ?? '');
        if (ids.length > 0 && !asked) {
          asked = true;
          baton.call('POST', '/api/personas/register', { role: 'live', name: 'one' }).catch(reject);
        }
        if (text.includes('live-one-')) {
          socket.destroy();
          resolve(ids);
        }
      });
    });
    expect(seen[0]).toBe('2');
    expect(seen.map(Number)).toEqual(seen.map((_, index) => index + 2));
  });

  it('openapi.json lists all routes of the API', async () => {
    const { paths } = await baton.get<{ paths: Record<string, object> }>('/api/openapi.json');
    expect(Object.keys(paths).sort()).toEqual([...new Set(ROUTES.map(({ path }) => path))].sort());
  });
});
