import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSessionHook } from '../../../src/adapters/runtimes/session-hooks.ts';
import { transcriptReader } from '../../../src/adapters/runtimes/transcript.ts';

/**
 * The hook payloads and transcript lines were recorded from Claude Code 2.1.325 with a made-up subscription and then
 * shortened.
 */
const WORDS = "You've hit your 5-hour limit · resets 2:24am (UTC)";

describe('the hooks of a client under a usage limit', () => {
  const facts = (event: string, payload: object) =>
    parseSessionHook({ event, payload: { session_id: 's', prompt_id: 'p', ...payload } }).facts;

  it('the StopFailure hook reports first the usage limit and then the failed turn', () => {
    expect(facts('StopFailure', { error: 'rate_limit', last_assistant_message: WORDS })).toEqual([
      { type: 'usage_limit_hit', words: WORDS, until: null, continuesItself: false },
      { type: 'turn_failed', promptId: 'p', error: WORDS },
    ]);
  });

  it.each(['server_error', 'authentication_failed', 'unknown'])(
    'the StopFailure hook reports no usage limit for the error %s',
    (error) => {
      expect(facts('StopFailure', { error, last_assistant_message: 'API Error' })).toEqual([
        { type: 'turn_failed', promptId: 'p', error: 'API Error' },
      ]);
    },
  );

  it('a hook reports that the usage limit is over and that the client continues by itself', () => {
    expect(
      facts('Notification', { notification_type: 'quota_auto_resume_fired', message: 'Usage limit reset' }),
    ).toEqual([{ type: 'usage_limit_over', by: 'client' }]);
  });
});

describe('the transcript of a client under a usage limit', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'btl-')), 't.jsonl');
  const answer = (over: object = {}) => ({
    type: 'assistant',
    isSidechain: false,
    message: { model: '<synthetic>', content: [{ type: 'text', text: WORDS }] },
    error: 'rate_limit',
    isApiErrorMessage: true,
    quotaLimits: { status: 'rejected', resetsAt: 1794795853, rateLimitType: 'five_hour' },
    ...over,
  });
  const note = { type: 'system', content: 'Usage limit reached · continuing automatically at 2:24am' };
  const read = (...lines: object[]) => {
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return transcriptReader.usageLimit?.(path);
  };

  it('Baton reads from the transcript the end time of a usage limit, and whether the client then continues by itself', async () => {
    const limit = { words: WORDS, until: '2026-11-16T02:24:13.000Z', continuesItself: false };
    expect(await read(answer())).toEqual(limit);
    expect(await read(answer(), note)).toEqual({ ...limit, continuesItself: true });
    expect(await read(answer({ quotaLimits: undefined }))).toEqual({ ...limit, until: null });
  });

  it('Baton reads no usage limit from the transcript if a later prompt or another error follows', async () => {
    expect(await read(answer(), { type: 'user', message: { content: 'go on' } })).toBeUndefined();
    expect(await read(answer({ error: 'server_error' }))).toBeUndefined();
    expect(await read()).toBeUndefined();
  });
});
