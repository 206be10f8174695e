import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRolloutUsage } from '../../../src/adapters/runtimes/codex/rollout/rollout-usage.ts';
import { followLines } from '../../../src/adapters/runtimes/follow-lines.ts';
import { Reporter } from '../../../src/adapters/runtimes/opencode/host/reporter.ts';
import type { ServerEvent } from '../../../src/adapters/runtimes/opencode/wire.ts';
import { createTranscriptUsage } from '../../../src/adapters/runtimes/transcript-usage.ts';
import type { Instant } from '../../../src/domain/instant.ts';

const SINCE = '2026-11-18T08:00:00.000Z' as Instant;
const PERIOD = { since: SINCE, until: null };
const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'baton-usage-'));
  path = join(folder, 'session.jsonl');
});

const USAGE = { input_tokens: 3, output_tokens: 10, cache_read_input_tokens: 500, cache_creation_input_tokens: 40 };
const line = (id: string, usage: object = USAGE, over: object = {}): string =>
  `${JSON.stringify({ type: 'assistant', timestamp: '2026-11-18T09:00:00.000Z', message: { id, usage }, ...over })}\n`;
const write = (...lines: readonly string[]): void => appendFileSync(path, lines.join(''));
const read = async () => (await createTranscriptUsage()(path, PERIOD)).usage?.tokens;

describe('tokens in a transcript of Claude Code', () => {
  it('if an answer is on several transcript lines, Baton counts the answer once, with the output tokens of the last line', async () => {
    write(line('m1', { ...USAGE, output_tokens: 1 }), line('m1'), line('m1'), line('m2'));
    expect(await read()).toEqual({ input: 6, output: 20, cacheRead: 1000, cacheWrite: 80 });
  });

  it("the token count of an agent leaves out transcript lines from before the agent's start", async () => {
    write(line('old', USAGE, { timestamp: '2026-11-18T07:59:59.999Z' }), line('new'));
    expect(await read()).toMatchObject({ output: 10 });
  });

  it("the token count of an agent leaves out transcript lines from after the agent's end", async () => {
    write(line('own'), line('later', USAGE, { timestamp: '2026-11-18T10:00:00.000Z' }));
    const usage = createTranscriptUsage();
    const outputUntil = async (until: string | null) =>
      (await usage(path, { since: SINCE, until: until as Instant | null })).usage?.tokens?.output;
    expect(await outputUntil('2026-11-18T10:00:00.000Z')).toBe(10);
    expect(await outputUntil(null)).toBe(20);
  });

  it('answers that Claude Code copied into the transcript of a branched conversation are not counted again', async () => {
    write(line('m1', USAGE, { forkedFrom: { sessionId: 's1', messageUuid: 'u1' } }), line('m2'));
    expect(await read()).toMatchObject({ output: 10 });
  });

  it("the token count of an agent includes subagents, from the agent's transcript and from the subagents' own files", async () => {
    mkdirSync(join(folder, 'session', 'subagents'), { recursive: true });
    writeFileSync(join(folder, 'session', 'subagents', 'agent-1.jsonl'), line('s1') + line('s1'));
    write(line('m1'), line('side', USAGE, { isSidechain: true }));
    expect(await read()).toMatchObject({ output: 30 });
  });

  it.each([
    ['negative', { ...USAGE, output_tokens: -10 }],
    ['not a number', { ...USAGE, input_tokens: 'NaN' }],
    ['huge', { ...USAGE, cache_read_input_tokens: 9e15 }],
    ['missing', { input_tokens: 3 }],
    ['not an object', 'usage'],
  ])(
    'Baton ignores an answer whose token count is %s, and counts the other answers of the transcript',
    async (_, usage) => {
      write(line('bad', usage as object), '{"usage" broken\n', line('good'));
      expect(await read()).toEqual({ input: 3, output: 10, cacheRead: 500, cacheWrite: 40 });
    },
  );

  it('the tokens of an agent are unknown if its transcript contains no token counts or does not exist', async () => {
    expect(await read()).toBeUndefined();
    write('{"type":"user","message":{"content":"hello"}}\n');
    expect(await read()).toBeUndefined();
  });

  it('the token count stays correct if the transcript grows, ends in a half-written line or is replaced', async () => {
    const usage = createTranscriptUsage();
    const output = async () => (await usage(path, PERIOD)).usage?.tokens?.output;
    write(line('m1'));
    expect(await output()).toBe(10);
    const next = line('m2');
    write(next.slice(0, 40));
    expect(await output()).toBe(10);
    write(next.slice(40));
    expect(await output()).toBe(20);
    writeFileSync(path, line('m9'));
    expect(await output()).toBe(10);
  });

  it('Baton reads a long transcript in several calls, and each line only once', async () => {
    const lines: string[] = [];
    const follow = followLines<string[]>((all, each) => void all.push(each), 300 * 1024);
    const written = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(100 * 1024)}`);
    writeFileSync(path, `${written.join('\n')}\n`);
    let calls = 1;
    while (!(await follow(path, 'k', () => lines)).isComplete) calls++;
    expect(lines.map((each) => each.slice(0, 1)).join('')).toBe('0123456789');
    expect(calls).toBeGreaterThan(1);
  });
});

describe('tokens in a rollout of Codex', () => {
  const used = async (file: string, since: string, until: string | null = null) => {
    const period = { since: since as Instant, until: until as Instant | null };
    return (await createRolloutUsage()(file, period)).usage?.tokens;
  };

  it('although Codex repeats running totals, the token count of a recorded conversation equals the last running total', async () => {
    expect(await used(fixture('codex/rollout.jsonl'), '2026-11-18T00:00:00.000Z')).toEqual({
      input: 7200,
      output: 150,
      cacheRead: 0,
      cacheWrite: 0,
    });
  });

  it("for an agent that resumes a Codex conversation, Baton counts only the tokens that were added after the agent's start", async () => {
    expect(await used(fixture('codex/rollout.jsonl'), '2026-11-18T01:20:00.000Z')).toMatchObject({
      input: 3600,
      output: 75,
    });
  });

  it('if the Codex conversation of an ended agent is resumed, the ended agent keeps only the tokens from before its end', async () => {
    const until = '2026-11-18T01:20:00.000Z';
    expect(await used(fixture('codex/rollout.jsonl'), '2026-11-18T00:00:00.000Z', until)).toMatchObject({
      input: 3600,
      output: 75,
    });
  });

  it('for the rollout of a fork, Baton counts only the answers after the fork, although the totals include the earlier conversation', async () => {
    const counts = (input: number, output: number) => ({
      input_tokens: input,
      cached_input_tokens: 0,
      output_tokens: output,
    });
    const count = (total: object, last: object) =>
      `${JSON.stringify({
        timestamp: '2026-11-18T09:00:00.000Z',
        type: 'event_msg',
        payload: { type: 'token_count', info: { total_token_usage: total, last_token_usage: last } },
      })}\n`;
    write(count(counts(22_033, 251), counts(6_376, 92)), count(counts(30_033, 300), counts(8_000, 49)));
    expect(await used(path, SINCE)).toMatchObject({ input: 14_376, output: 141 });
  });

  it('Baton counts cached input of Codex only once and ignores an impossible total', async () => {
    const total = (input: number, cached: number, output: number) =>
      `${JSON.stringify({
        timestamp: '2026-11-18T09:00:00.000Z',
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { total_token_usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: output } },
        },
      })}\n`;
    write(total(100, 80, 5), total(-1, 0, 0), total(1e300, 0, 0), total(300, 180, 9));
    expect(await used(path, SINCE)).toEqual({ input: 120, output: 9, cacheRead: 180, cacheWrite: 0 });
  });
});

describe('tokens and money of opencode', () => {
  const take = (info: object, reporter = newReporter()) =>
    reporter.take({ type: 'message.updated', properties: { sessionID: 'ses_1', info } } as ServerEvent).lines;
  const newReporter = (): Reporter =>
    new Reporter({
      sessionId: 'ses_1',
      transcriptPath: path,
      isOwnMessage: () => false,
      limitOf: () => undefined,
      config: () => ({}),
    });
  const answer = {
    id: 'msg_1',
    sessionID: 'ses_1',
    role: 'assistant',
    finish: 'stop',
    time: { created: Date.parse('2026-11-18T09:00:00.000Z') },
    cost: 0.25,
    tokens: { total: 1305, input: 1200, output: 25, reasoning: 30, cache: { read: 40, write: 10 } },
  };

  it('the opencode host writes the tokens and cost of each answer once, also for answers of subagents', async () => {
    const reporter = newReporter();
    const lines = [
      ...take({ ...answer, finish: undefined }, reporter),
      ...take(answer, reporter),
      ...take(answer, reporter),
      ...take({ ...answer, id: 'msg_2', sessionID: 'ses_child', cost: 0 }, reporter),
    ];
    expect(lines).toHaveLength(2);
    write(...lines.map((each) => `${JSON.stringify(each)}\n`));
    expect((await createTranscriptUsage()(path, PERIOD)).usage).toEqual({
      tokens: { input: 2400, output: 110, cacheRead: 80, cacheWrite: 20 },
      costMicros: 250_000,
    });
  });

  it('answers that opencode copied into a fork of the session are not counted again', () => {
    const reporter = newReporter();
    const { created } = answer.time;
    const done = { ...answer, time: { created, completed: created + 900 } };
    const next = { ...answer, id: 'msg_2', time: { created: created + 2_000, completed: created + 2_900 } };
    const lines = [
      ...take(answer, reporter),
      ...take(done, reporter),
      ...take(next, reporter),
      ...take({ ...done, id: 'msg_3', sessionID: 'ses_fork' }, reporter),
      ...take({ ...next, id: 'msg_4', sessionID: 'ses_fork' }, reporter),
      ...take({ ...done, id: 'msg_3', sessionID: 'ses_fork' }, reporter),
    ];
    expect(lines.map(({ message }) => (message as { id: string }).id)).toEqual(['msg_1', 'msg_2']);
  });

  it('the recorded answers of opencode contain token counts, and a cost of zero counts as an unknown cost', async () => {
    const reporter = newReporter();
    const events = readFileSync(fixture('opencode/events.jsonl'), 'utf8').trimEnd().split('\n');
    const lines = events.flatMap((each) => reporter.take(JSON.parse(each) as ServerEvent).lines);
    write(...lines.filter(({ type }) => type === 'usage').map((each) => `${JSON.stringify(each)}\n`));
    const { usage } = await createTranscriptUsage()(path, {
      since: '2026-01-01T00:00:00.000Z' as Instant,
      until: null,
    });
    expect(usage?.costMicros).toBeNull();
    expect((usage?.tokens?.input ?? 0) % 1200).toBe(0);
    expect(usage?.tokens?.output).toBeGreaterThan(0);
  });
});
