import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClaudeCodeRuntime } from '../../../src/adapters/runtimes/claude-code/claude-code-runtime.ts';
import { createStatusReader } from '../../../src/adapters/runtimes/status-file.ts';
import { transcriptReader } from '../../../src/adapters/runtimes/transcript.ts';
import { needs } from '../../support/needs.ts';

const home = mkdtempSync(join(tmpdir(), 'bt-status-'));
const moved = join(home, 'moved');
let client: ChildProcess;
let elsewhere: ChildProcess;
const pids = (): number[] => [client.pid as number, elsewhere.pid as number];

/**
 * Starts two processes that act as clients. One client uses the default settings folder. The environment of the other
 * client names another settings folder.
 */
beforeAll(() => {
  const start = (env: NodeJS.ProcessEnv) => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { env });
  client = start({ HOME: home });
  elsewhere = start({ HOME: home, CLAUDE_CONFIG_DIR: moved });
  for (const folder of [join(home, '.claude'), moved]) mkdirSync(join(folder, 'sessions'), { recursive: true });
});
afterAll(() => {
  client.kill('SIGKILL');
  elsewhere.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const runtime = createClaudeCodeRuntime({ HOME: '/nowhere' });
const procStart = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19] ?? '';
const says = (pid: number, what: object, folder = join(home, '.claude')) =>
  writeFileSync(join(folder, 'sessions', `${pid}.json`), JSON.stringify(what));
const read = (pid: number) => runtime.readStatus?.(pid);

const LINUX = { what: 'Linux (/proc)', isThere: process.platform === 'linux' };

describe("the client's own status", needs(LINUX), () => {
  it.each(['idle', 'busy', 'waiting', 'shell'] as const)(
    "the client's status is read from its status file: %s",
    async (status) => {
      const [pid = 0] = pids();
      says(pid, { pid, procStart: procStart(pid), status, waitingFor: 'permission prompt', sessionId: 's' });
      expect(await read(pid)).toEqual({ status, waitingFor: 'permission prompt', forMs: expect.any(Number) });
    },
  );

  it("Baton looks for the client's status file in the settings folder that the client's environment names", async () => {
    const [, pid = 0] = pids();
    says(pid, { pid, procStart: procStart(pid), status: 'busy' }, moved);
    expect(await read(pid)).toEqual({ status: 'busy', forMs: expect.any(Number) });
  });

  it("Baton ignores the status file of a killed client, even if another process now has the client's process id", async () => {
    const [pid = 0] = pids();
    says(pid, { pid, procStart: String(Number(procStart(pid)) - 1), status: 'idle' });
    expect(await read(pid)).toBeUndefined();
    says(pid, { pid: pid + 1, procStart: procStart(pid), status: 'idle' });
    expect(await read(pid)).toBeUndefined();
  });

  it.each([{}, { status: 'resting' }, { status: null }, []])(
    "the client's status is undefined if its status file contains %j",
    async (what) => {
      const [pid = 0] = pids();
      says(pid, Array.isArray(what) ? what : { pid, procStart: procStart(pid), ...what });
      expect(await read(pid)).toBeUndefined();
    },
  );

  it("the age of the client's status starts at zero after every write of the status file", async () => {
    const [pid = 0] = pids();
    let nowMs = 0;
    const readAt = createStatusReader(
      () => join(home, '.claude', 'sessions'),
      () => nowMs,
    );
    const ageAt = async (ms: number): Promise<number | undefined> => {
      nowMs = ms;
      return readAt(pid)?.forMs;
    };
    const idle = { pid, procStart: procStart(pid), status: 'idle' };
    says(pid, idle);
    expect(await ageAt(1_000)).toBe(0);
    expect(await ageAt(1_700)).toBe(700);
    // Change only the time of the status file. Baton must take this as a new status, because the client may have
    // completed a whole turn since Baton last read the file.
    const file = join(home, '.claude', 'sessions', `${pid}.json`);
    utimesSync(file, 1, 1);
    expect(await ageAt(2_000)).toBe(0);
    says(pid, { ...idle, status: 'busy' });
    expect(await ageAt(3_000)).toBe(0);
    says(pid, []);
    expect(await ageAt(4_000)).toBeUndefined();
    says(pid, { ...idle, status: 'busy' });
    utimesSync(file, 1, 1);
    expect(await ageAt(5_000)).toBe(0);
    expect(await ageAt(5_001)).toBe(1);
  });

  it('Baton reads a rewritten status file again even if its size and modification time did not change', async () => {
    const [pid = 0] = pids();
    const file = join(home, '.claude', 'sessions', `${pid}.json`);
    const readNow = createStatusReader(() => join(home, '.claude', 'sessions'));
    says(pid, { pid, procStart: procStart(pid), status: 'idle' });
    utimesSync(file, 1, 1);
    // Wait until the last change of the file is more than 1.5 s old. Baton then reads the content again only if the
    // metadata of the file changes.
    const { ctimeMs } = statSync(file);
    await expect.poll(() => readNow(pid)?.status === 'idle' && Date.now() - ctimeMs > 1_500).toBe(true);
    says(pid, { pid, procStart: procStart(pid), status: 'busy' });
    utimesSync(file, 1, 1);
    expect(readNow(pid)?.status).toBe('busy');
    rmSync(file);
    expect(readNow(pid)).toBeUndefined();
  });

  it("the client's status is undefined for a client without a status file", async () => {
    expect(await read(process.pid)).toBeUndefined();
  });
});

describe('an interruption in the transcript', () => {
  const path = join(home, 't.jsonl');
  const line = (type: string, text: string, more: object = {}) =>
    `${JSON.stringify({ type, message: { content: [{ type: 'text', text }] }, ...more })}\n`;
  const ends = async (...lines: readonly string[]) => {
    writeFileSync(path, lines.join(''));
    return transcriptReader.endsInterrupted(path);
  };
  const broken = line('user', '[Request interrupted by user]');

  it('Baton finds an interruption in the transcript even if the client writes other lines after the interruption', async () => {
    expect(await ends(line('user', 'go'), line('assistant', 'well'), broken)).toBe(true);
    expect(await ends(line('user', '[Request interrupted by user for tool use]'))).toBe(true);
    expect(await ends(broken, '{"type":"system"}\n', '{"type":"last-prompt"}\n')).toBe(true);
    expect(await ends(broken, line('user', 'a helper', { isSidechain: true }))).toBe(true);
  });

  it('[L25] a prompt counts as interrupted if a hook of the user blocked the prompt (client version 2.0.77)', async () => {
    const content = 'UserPromptSubmit operation blocked by hook:\n[policy]: No stderr output\n\nOriginal prompt: go';
    const blocked = `${JSON.stringify({ type: 'system', subtype: 'informational', content })}\n`;
    expect(await ends(line('user', 'go'), line('assistant', 'done'), blocked)).toBe(true);
    expect(await ends(blocked, line('user', 'go on'))).toBe(false);
    expect(await ends(line('assistant', content))).toBe(false);
  });

  it('Baton ignores an interruption in the transcript if a later turn has begun', async () => {
    expect(await ends(broken, line('user', 'go on'))).toBe(false);
    expect(await ends(line('user', 'what does "[Request interrupted by user]" mean?'))).toBe(false);
    expect(await ends()).toBe(false);
    expect(await transcriptReader.endsInterrupted('/nowhere')).toBe(false);
  });
});
