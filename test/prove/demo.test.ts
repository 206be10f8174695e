import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const PROGRAM = resolve(import.meta.dirname, '../../dist/main/baton.js');
const PROMISED = { completed: true, acknowledged: true, proof_ok: true, left_processes: 0 };

/**
 * Each test has its own temporary folder and finds in it the files that the demo failed to remove. The path of the
 * folder is short, because sockets need short paths.
 */
let temp: string;
beforeEach(() => {
  temp = realpathSync(mkdtempSync(join(tmpdir(), 'bd-')));
});
afterEach(() => rmSync(temp, { recursive: true, force: true }));

interface Ran {
  readonly code: number | null;
  readonly lines: string[];
  readonly story: string;
}

function demo({ interruptAt }: { interruptAt?: string }, ...words: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, 'demo', ...words], { env: { ...process.env, TMPDIR: temp } });
  let stdout = '';
  let story = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  let interrupted = interruptAt === undefined;
  child.stderr.on('data', (chunk) => {
    story += chunk;
    if (interrupted || !story.includes(interruptAt ?? '')) return;
    interrupted = child.kill('SIGINT');
  });
  return new Promise((settle) => {
    child.on('close', (code) => settle({ code, lines: stdout.trimEnd().split('\n'), story }));
  });
}

it('`baton demo` completes a handoff with a real server and practice agents', { timeout: 600_000 }, async () => {
  const { code, lines, story } = await demo({}, '--json');
  expect(code, story).toBe(0);
  expect(lines).toHaveLength(1);
  const report = JSON.parse(lines[0] ?? '');
  expect(report).toMatchObject(PROMISED);
  expect(report.problems).toBeUndefined();
  expect(report.steps.map(({ step }: { step: string }) => step)).toContain('awaiting_acknowledgement');
  expect(readdirSync(temp)).toEqual([]);
});

it('`baton demo` completes a handoff although the server is killed twice with kill -9', {
  timeout: 600_000,
}, async () => {
  const { code, lines, story } = await demo({}, '--kill', '--json');
  expect(code, story).toBe(0);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ ...PROMISED, kills: 2 });
  expect(readdirSync(temp)).toEqual([]);
});

it('`baton demo` cleans up after itself when Ctrl-C is pressed', async () => {
  const { code, lines } = await demo({ interruptAt: 'works until' }, '--json');
  expect(code).toBe(130);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ completed: false, left_processes: 0 });
  expect(readdirSync(temp)).toEqual([]);
});
