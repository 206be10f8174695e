import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCodexControl } from '../../../src/adapters/runtimes/codex/codex-control.ts';
import { createCodexRuntime } from '../../../src/adapters/runtimes/codex/codex-runtime.ts';
import { launchContext } from './runtime-contract.ts';

const scratch = mkdtempSync(join(tmpdir(), 'bt-cx-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

interface FakeThread {
  readonly id: string;
  readonly createdAt: number;
  readonly preview: string;
  readonly status: { readonly type: string; readonly activeFlags?: readonly string[] };
  readonly parentThreadId?: string;
  readonly ephemeral?: boolean;
  readonly threadSource?: string;
}

/**
 * A fake Codex server with real WebSocket frames. It implements only those parts of Codex's protocol that Baton uses.
 */
class FakeCodexServer {
  threads: FakeThread[] = [];
  readonly asked: { readonly method: string; readonly params: Record<string, unknown> }[] = [];
  /**
   * The fake server's reaction to turn/start: it accepts the turn, refuses the turn with an error, or closes the
   * connection without an answer.
   */
  turns: 'accepted' | 'refused' | 'silent' = 'accepted';
  /** The approval requests that the fake server repeats when a client resumes the conversation. */
  approvals: { readonly id: number; readonly method: string; readonly params: object }[] = [];
  /** The replies of the client to the approval requests of the fake server. */
  readonly replies: { readonly id: number; readonly result: unknown }[] = [];
  /** If false, the fake server does not confirm that an approval request is resolved. */
  confirms = true;
  #server: Server | undefined;
  #sockets: Socket[] = [];

  async listen(path: string): Promise<void> {
    this.#server = createServer((socket) => {
      this.#sockets.push(socket);
      let bytes = Buffer.alloc(0);
      let isOpen = false;
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        if (!isOpen) {
          const end = bytes.indexOf('\r\n\r\n');
          if (end === -1) return;
          const [, key = ''] = /Sec-WebSocket-Key: (\S+)/.exec(bytes.toString('latin1')) ?? [];
          const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
          socket.write(`HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
          bytes = bytes.subarray(end + 4);
          isOpen = true;
        }
        for (let text = this.#take(); text !== undefined; text = this.#take()) this.#answer(socket, text);
      });
      this.#take = () => {
        if (bytes.length < 6) return undefined;
        const short = (bytes[1] ?? 0) & 0x7f;
        const head = short === 126 ? 4 : short === 127 ? 10 : 2;
        const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
        if (bytes.length < head + 4 + length) return undefined;
        const mask = bytes.subarray(head, head + 4);
        const text = bytes.subarray(head + 4, head + 4 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
        bytes = bytes.subarray(head + 4 + length);
        return Buffer.from(text).toString();
      };
    });
    await new Promise<void>((resolve) => this.#server?.listen(path, resolve));
  }

  #take: () => string | undefined = () => undefined;

  #answer(socket: Socket, text: string): void {
    const { id, method, params } = JSON.parse(text) as {
      id?: number;
      method?: string;
      params: Record<string, unknown>;
    };
    if (method === undefined) {
      this.replies.push(JSON.parse(text));
      if (this.confirms) send(socket, { method: 'serverRequest/resolved', params: { threadId: 't1', requestId: id } });
      return;
    }
    this.asked.push({ method, params });
    if (id === undefined) return;
    // Send a notification before each answer, as the real Codex server does.
    send(socket, { method: 'thread/status/changed', params: {} });
    if (method === 'turn/start' && this.turns === 'silent') socket.destroy();
    else send(socket, { id, ...this.#result(method, params) });
    if (method === 'thread/resume') for (const request of this.approvals) send(socket, request);
  }

  #result(method: string, params: Record<string, unknown>): object {
    if (method === 'turn/start' && this.turns === 'refused') return { error: { message: 'thread not found' } };
    if (method === 'thread/loaded/list') return { result: { data: this.threads.map((each) => each.id) } };
    if (method === 'thread/read') return { result: { thread: this.threads.find(({ id }) => id === params.threadId) } };
    return { result: {} };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server?.close(resolve));
  }
}

function send(socket: Socket, message: object): void {
  const payload = Buffer.from(JSON.stringify(message));
  const head = payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.alloc(4);
  if (payload.length >= 126) {
    head[0] = 0x81;
    head[1] = 126;
    head.writeUInt16BE(payload.length, 2);
  }
  // Send the WebSocket frame in two parts, because a socket may deliver any number of bytes at a time.
  socket.write(Buffer.concat([head, payload.subarray(0, 5)]));
  socket.write(payload.subarray(5));
}

describe('the control API of Codex', () => {
  let server: FakeCodexServer;
  let agentFolder = '';
  let count = 0;
  const session = (sessionId: string | null) => ({ agentId: 7, agentFolder, sessionId, clientPid: null });
  // On a busy machine, the fake server can be slow, so use long timeouts in all tests that expect an answer.
  const patient = { connect: 120_000, answer: 120_000, submit: 120_000, repeat: 120_000, confirm: 120_000 };
  const control = createCodexControl((window) => window, patient);
  const thread = (id: string, change: Partial<FakeThread> = {}): FakeThread => ({
    id,
    createdAt: 1,
    preview: 'hello',
    status: { type: 'idle' },
    ...change,
  });

  beforeEach(async () => {
    count += 1;
    agentFolder = join(scratch, String(count));
    mkdirSync(agentFolder);
    server = new FakeCodexServer();
    await server.listen(join(agentFolder, 'codex.sock'));
  });
  afterEach(() => server.close());

  it('Baton takes the session id from the status of the Codex server only if Baton does not know the id yet', async () => {
    server.threads = [thread('t1', { preview: '' })];
    expect(await control.readStatus(session(null))).toEqual({ status: 'idle', sessionId: 't1' });
    expect(await control.readStatus(session('t1'))).toEqual({ status: 'idle' });
  });

  it.each([
    [{ type: 'idle' }, { status: 'idle' }],
    [{ type: 'systemError' }, { status: 'idle' }],
    [{ type: 'active', activeFlags: [] }, { status: 'busy' }],
    [
      { type: 'active', activeFlags: ['waitingOnApproval'] },
      { status: 'waiting', waitingFor: 'an approval' },
    ],
  ])('a Codex conversation with the status %j is reported to Baton as %j', async (status, expected) => {
    server.threads = [thread('t1', { status })];
    expect(await control.readStatus(session('t1'))).toEqual(expected);
  });

  it('a Codex agent is busy while its subagent works, but not while Codex only generates a title for the conversation', async () => {
    const active = { type: 'active' };
    server.threads = [thread('t1'), thread('t2', { status: active, ephemeral: true, threadSource: 'thread_title' })];
    expect(await control.readStatus(session('t1'))).toEqual({ status: 'idle' });
    server.threads.push(thread('t3', { status: active, parentThreadId: 't1', threadSource: 'subagent' }));
    expect(await control.readStatus(session('t1'))).toEqual({ status: 'busy' });
  });

  it('after /clear, Baton sends a prompt to the new Codex conversation', async () => {
    server.threads = [thread('old'), thread('new', { createdAt: 2, preview: '' })];
    expect(await control.submit(session('old'), { id: 'd1', text: 'Größe\n"two"' })).toEqual({
      verdict: 'typed',
      enters: 0,
    });
    expect(server.asked.at(-1)).toMatchObject({
      method: 'turn/start',
      params: { threadId: 'new', input: [{ type: 'text', text: 'Größe\n"two"' }] },
    });
  });

  it('Baton gets no status of an old Codex conversation if a newer conversation has a prompt', async () => {
    server.threads = [thread('old'), thread('new', { createdAt: 2 })];
    expect(await control.readStatus(session('old'))).toBeUndefined();
    expect(await control.submit(session('old'), { id: 'd1', text: 'x' })).toMatchObject({ verdict: 'refused' });
  });

  it('Baton refuses to send a prompt to Codex during a turn, because Codex would add the prompt to that turn', async () => {
    server.threads = [thread('t1', { status: { type: 'active' } })];
    expect(await control.submit(session('t1'), { id: 'd1', text: 'x' })).toMatchObject({
      verdict: 'refused',
      reason: 'busy',
    });
    expect(server.asked.map(({ method }) => method)).not.toContain('turn/start');
  });

  it.each([
    ['refused', 'refused'],
    ['silent', 'unconfirmed'],
  ] as const)(
    'if the Codex server\'s reaction to a prompt is "%s", Baton reports the prompt as %s',
    async (turns, verdict) => {
      server.threads = [thread('t1')];
      server.turns = turns;
      expect(await control.submit(session('t1'), { id: 'd1', text: 'x'.repeat(70_000) })).toMatchObject({ verdict });
    },
  );

  describe('an approval of a command', () => {
    const approval = (id: number, command: string) => ({
      id,
      method: 'item/commandExecution/requestApproval',
      params: {
        threadId: 't1',
        command: `/bin/bash -lc '${command}'`,
        commandActions: [{ type: 'unknown', command }],
        availableDecisions: [
          'accept',
          { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch'] } },
          'cancel',
        ],
      },
    });
    const labels = ['Yes, proceed (y)', "Yes, and don't ask again (p)", 'No, and tell Codex what to do (esc)'];
    const question = 'Would you like to run the following command?\n$ touch a-file-with-a-\n  long-name';
    const answer = (choice: number, change: object = {}, by = control) =>
      by.answer?.(session('t1'), { question, choice, labels, ...change });
    const impatient = createCodexControl((window) => window, { ...patient, repeat: 200, confirm: 200 });

    beforeEach(() => {
      server.threads = [thread('t1', { status: { type: 'active', activeFlags: ['waitingOnApproval'] } })];
      server.approvals = [approval(0, 'ls -la'), approval(1, 'touch a-file-with-a-long-name')];
    });

    it.each([
      [1, 'accept'],
      [2, { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch'] } }],
      [3, 'cancel'],
    ])('Baton answers a Codex approval with option %i through the Codex server', async (choice, decision) => {
      expect(await answer(choice)).toEqual({ verdict: 'typed', enters: 0, by: 'api' });
      expect(server.replies).toEqual([{ id: 1, result: { decision } }]);
    });

    it.each([
      ['the server asks about another command', { question: 'Would you like to run it?\n$ make' }],
      ['the screen shows fewer options than the server has decisions', { labels: labels.slice(0, 2) }],
      ['the option on the screen means the opposite of the decision', { labels: [...labels].reverse() }],
      ['two approvals have the command that is on the screen', { question: `${question}\n$ ls -la` }],
    ])('Baton sends no answer to the Codex server if %s', async (_, change) => {
      expect(await answer(1, change, impatient)).toBeUndefined();
      expect(server.replies).toEqual([]);
    });

    it('an answer to a Codex approval gets the verdict "unconfirmed" if the server does not confirm the answer', async () => {
      server.confirms = false;
      expect(await answer(1, {}, impatient)).toMatchObject({ verdict: 'unconfirmed', by: 'api' });
    });

    it('Baton sends no answer to a Codex server that has died', async () => {
      await server.close();
      expect(await answer(1)).toBeUndefined();
    });
  });

  it('Baton reconnects to a Codex server that was restarted', async () => {
    server.threads = [thread('t1')];
    expect(await control.readStatus(session('t1'))).toEqual({ status: 'idle' });
    await server.close();
    rmSync(join(agentFolder, 'codex.sock'), { force: true });
    expect(await control.readStatus(session('t1'))).toBeUndefined();
    await server.listen(join(agentFolder, 'codex.sock'));
    expect(await control.readStatus(session('t1'))).toEqual({ status: 'idle' });
  });
});

describe('the launch script of Codex', () => {
  /**
   * A fake client that writes its arguments to a log. If it is started as a server, it creates its socket and keeps
   * running. In all other cases, it ends when it has read a line from its input.
   */
  const CLIENT = `#!/bin/sh
printf '%s|' "$@" >> "$LOG"; echo >> "$LOG"
case "$*" in
  *app-server*) [ -e "$LOG.broken" ] && exit 1
    for last; do :; done
    node -e 'require("net").createServer().listen(process.argv[1])' "\${last#unix://}" & echo $! > "$LOG.server"
    trap 'kill %1 2>/dev/null; kill $(cat "$LOG.server")' TERM EXIT; wait ;;
  *) read -r _ ;;
esac
`;

  function launch(name: string, isBroken = false) {
    const agentFolder = join(scratch, name, 'agents', '7');
    mkdirSync(agentFolder, { recursive: true });
    const program = join(scratch, name, 'codex');
    writeFileSync(program, CLIENT, { mode: 0o755 });
    const log = join(scratch, name, 'log');
    if (isBroken) writeFileSync(`${log}.broken`, '');
    const runtime = createCodexRuntime({ BATON_CODEX: program, HOME: join(scratch, name) });
    const plan = runtime.planLaunch(launchContext({ agentFolder, projectPath: scratch }));
    for (const [file, text] of Object.entries(plan.files)) writeFileSync(join(agentFolder, file), text);
    const [shell = '', ...args] = plan.argv;
    const child = spawn(shell, args, { env: { ...process.env, LOG: log }, stdio: ['pipe', 'ignore', 'inherit'] });
    children.push(child);
    const lines = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
    return { child, log, lines, socket: join(agentFolder, 'codex.sock') };
  }

  const until = async (fits: () => boolean): Promise<void> => {
    for (let tries = 0; tries < 400 && !fits(); tries++) await sleep(50);
    expect(fits()).toBe(true);
  };
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('the launch script starts a Codex server and a terminal client, and both end together', async () => {
    const { child, log, lines, socket } = launch('both');
    await until(() => lines().length === 2);
    const [server = '', terminal = ''] = lines();
    expect(server).toContain(`app-server|--listen|unix://${socket}`);
    expect(server).toContain(
      'sandbox_workspace_write.writable_roots=["/home/op/.baton/data/personas/developer-con-1/handoffs"',
    );
    expect(terminal).toContain(`--remote|unix://${socket}|-C|${scratch}|`);
    expect(terminal).not.toContain('--add-dir');
    const pid = Number(readFileSync(`${log}.server`, 'utf8'));
    child.stdin?.end('\n');
    await until(() => child.exitCode === 0 && !isAlive(pid) && !existsSync(socket));
  });

  it('the Codex server ends even if the launch script is killed', async () => {
    const { child, log, lines } = launch('killed');
    await until(() => lines().length === 2);
    const pid = Number(readFileSync(`${log}.server`, 'utf8'));
    child.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });

  it('the launch script runs Codex without a server if the server cannot be started', async () => {
    const { child, lines } = launch('alone', true);
    await until(() => lines().some((line) => line.includes('--add-dir')));
    expect(lines().at(-1)).not.toContain('--remote');
    child.stdin?.end('\n');
    await until(() => child.exitCode === 0);
  }, 30_000);
});
