import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Host } from '../../../../src/adapters/runtimes/opencode/host/host.ts';
import { ADDRESS_FILE, addressIn, createApi } from '../../../../src/adapters/runtimes/opencode/opencode-api.ts';
import { createOpencodeRuntime } from '../../../../src/adapters/runtimes/opencode/opencode-runtime.ts';
import { launchContext } from '../runtime-contract.ts';

const FAKE = fileURLToPath(new URL('../../../fixtures/opencode/fake-opencode.mjs', import.meta.url));
const before = { ...process.env };
let folder: string;
let running: Promise<number> | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-host-'));
  Object.assign(process.env, { FAKE_LOG: join(folder, 'fake.jsonl'), FAKE_EXIT: join(folder, 'exit') });
});
afterEach(async () => {
  // End the opencode host and its programs even if a test fails.
  leave();
  await running;
  process.env = { ...before };
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the opencode host with the files of a launch plan. Each hook writes one line to a file. */
function start(clientArgs: readonly string[] = [], resumes: string | null = null, program = FAKE): void {
  const hookCommand = (event: string): string =>
    `p=$(cat); printf '%s %s %s\\n' ${event} "\${BATON_SESSION_START:+given}" "$p" >> '${join(folder, 'hooks')}'`;
  const runtime = createOpencodeRuntime('/opt/baton/host.js', { BATON_OPENCODE: program });
  const plan = runtime.planLaunch(launchContext({ agentFolder: folder, hookCommand, clientArgs }));
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, plan.files['settings.json'] ?? '');
  running = new Host(settings, resumes).run();
}

interface Hooked {
  readonly event: string;
  readonly given: string;
  readonly payload: Record<string, unknown>;
}

const linesOf = (name: string): string[] =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean) : [];
const hooks = (): Hooked[] =>
  linesOf('hooks').map((line) => {
    const [, event = '', given = '', json = ''] = /^(\S+) (\S*) (.*)$/.exec(line) ?? [];
    return { event, given, payload: JSON.parse(json) as Record<string, unknown> };
  });
interface Noted {
  readonly pathname?: string;
  readonly body?: Record<string, unknown>;
  readonly attached?: string[];
  readonly serving?: number;
  readonly continued?: true;
}

const noted = (): Noted[] => linesOf('fake.jsonl').map((line) => JSON.parse(line) as Noted);

async function until<T>(look: () => T | undefined): Promise<T> {
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    await sleep(20);
  }
}

const hook = (event: string) => until(() => hooks().find((each) => each.event === event));
const leave = (): void => writeFileSync(process.env.FAKE_EXIT ?? '', '');

describe('the host of opencode', () => {
  it('the opencode host connects a client to its session, and stops its server when the client ends', async () => {
    start();
    const { payload } = await hook('SessionStart');
    expect(payload).toMatchObject({ source: 'startup', session_id: expect.stringMatching(/^ses_/) });
    const client = await until(() => noted().find(({ attached }) => attached));
    expect(client.attached).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), '-s', payload.session_id]);
    const address = addressIn(folder);
    expect(statSync(join(folder, ADDRESS_FILE)).mode & 0o077).toBe(0);
    leave();
    expect(await running).toBe(0);
    expect((await hook('SessionEnd')).payload).toMatchObject({ reason: 'prompt_input_exit' });
    expect(existsSync(join(folder, ADDRESS_FILE))).toBe(false);
    await expect(createApi(address ?? { url: '', password: '' }).get('/config', 1_000)).rejects.toThrow();
  });

  it('the opencode host continues the terminal client after Ctrl+Z, because the pane has no shell that could do so', async () => {
    start();
    await until(() => noted().find(({ attached }) => attached));
    process.emit('SIGTSTP');
    await until(() => noted().find(({ continued }) => continued));
    leave();
    await running;
  });

  it('the opencode host continues the terminal client after Ctrl+Z even if a wrapper script has started the client', async () => {
    const wrapper = join(folder, 'opencode');
    writeFileSync(wrapper, `#!/bin/sh\n[ "$1" = attach ] || exec '${FAKE}' "$@"\n'${FAKE}' "$@"\n`, { mode: 0o700 });
    start([], null, wrapper);
    await until(() => noted().find(({ attached }) => attached));
    process.emit('SIGTSTP');
    await until(() => noted().find(({ continued }) => continued));
    leave();
    await running;
  });

  it('the opencode host reports a prompt and its answer by hooks, and writes both to the transcript', async () => {
    start();
    const { payload } = await hook('SessionStart');
    const sessionId = String(payload.session_id);
    await until(() => noted().find(({ attached }) => attached));
    const api = createApi(addressIn(folder) ?? { url: '', password: '' });
    await api.send('POST', `/session/${sessionId}/prompt_async`, { parts: [{ type: 'text', text: 'hello' }] }, 5_000);
    await hook('Stop');
    expect(hooks().map(({ event }) => event)).toEqual(['SessionStart', 'UserPromptSubmit', 'StatusLine', 'Stop']);
    expect((await hook('StatusLine')).payload).toMatchObject({ context_window: { used_percentage: 50 } });
    const said = await until(() =>
      linesOf('conversation.jsonl').length === 2 ? linesOf('conversation.jsonl') : undefined,
    );
    expect(said.map((line) => JSON.parse(line).message.content)).toEqual([
      'hello',
      [{ type: 'text', text: 'An answer.' }],
    ]);
    expect(payload.transcript_path).toBe(join(folder, 'conversation.jsonl'));
    leave();
    await running;
  });

  it('the opencode host of a resumed session writes the earlier answers with the times at which they were created', async () => {
    const info = {
      id: 'msg_1',
      sessionID: 'ses_old',
      role: 'assistant',
      finish: 'stop',
      time: { created: Date.parse('2026-11-18T09:00:00.000Z') },
      tokens: { total: 30, input: 20, output: 10 },
    };
    process.env.FAKE_SESSIONS = JSON.stringify({ ses_old: [{ info, parts: [] }] });
    start([], 'ses_old');
    expect((await hook('SessionStart')).payload).toMatchObject({ source: 'resume', session_id: 'ses_old' });
    const lines = linesOf('conversation.jsonl').map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toMatchObject([{ type: 'usage', timestamp: '2026-11-18T09:00:00.000Z' }]);
    leave();
    await running;
  });

  it('the opencode host gives the prepared skill to the session before the host reports the start of the session', async () => {
    const runtime = createOpencodeRuntime('/opt/baton/host.js', {});
    const text = 'You are Con.\nBe kind.';
    writeFileSync(join(folder, 'start'), `skill-1\n${runtime.sessionStartOutput?.(text)}`);
    process.env.BATON_SESSION_START = join(folder, 'start');
    start();
    expect((await hook('SessionStart')).given).toBe('given');
    const message = noted().find(({ pathname }) => pathname?.endsWith('/message'));
    expect(message?.body).toMatchObject({ noReply: true, parts: [{ type: 'text', text, synthetic: true }] });
    leave();
    await running;
    expect(hooks().map(({ event }) => event)).not.toContain('UserPromptSubmit');
  });

  it("the opencode host configures Baton's tools, the permission rules and the chosen model for the session", async () => {
    start(['--model', 'stub/m', '--agent', 'plan']);
    await hook('SessionStart');
    const made = noted().find(({ pathname }) => pathname === '/session')?.body;
    expect(made).toMatchObject({ agent: 'plan', model: { providerID: 'stub', id: 'm' } });
    const handoffs = '/home/op/.baton/data/personas/developer-con-1/handoffs/*';
    expect(made?.permission).toContainEqual({ permission: 'external_directory', pattern: handoffs, action: 'allow' });
    const tools = noted().find(({ pathname }) => pathname === '/mcp')?.body;
    expect(tools).toMatchObject({ name: 'baton', config: { command: ['/home/op/.baton/bin/baton', 'mcp'] } });
    leave();
    await running;
  });

  it('if the opencode server dies, the opencode host starts a new server on the same port', async () => {
    start();
    await hook('SessionStart');
    await until(() => noted().find(({ attached }) => attached));
    const address = addressIn(folder);
    process.kill(noted().find(({ serving }) => serving)?.serving ?? 0, 'SIGKILL');
    await until(() => (noted().filter(({ serving }) => serving).length === 2 ? true : undefined));
    expect(addressIn(folder)).toEqual(address);
    leave();
    expect(await running).toBe(0);
  });

  it('the opencode host exits with code 1 if the program opencode cannot be started', async () => {
    rmSync(join(folder, 'exit'), { force: true });
    const settings = join(folder, 'settings.json');
    const runtime = createOpencodeRuntime('/opt/baton/host.js', { BATON_OPENCODE: join(folder, 'nowhere') });
    const plan = runtime.planLaunch(launchContext({ agentFolder: folder }));
    writeFileSync(settings, plan.files['settings.json'] ?? '');
    expect(await new Host(settings, null).run()).toBe(1);
  });
});
