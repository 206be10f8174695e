import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Reporter, type Taken } from '../../../../src/adapters/runtimes/opencode/host/reporter.ts';
import { createOpencodeRuntime } from '../../../../src/adapters/runtimes/opencode/opencode-runtime.ts';
import type { ServerEvent } from '../../../../src/adapters/runtimes/opencode/wire.ts';
import { recallFrom } from '../../../../src/adapters/runtimes/recall.ts';

const SESSION = 'ses_e13d5fc58ffeAm9Qc8yjD2nNpy';
const EVENTS = readFileSync(fileURLToPath(new URL('../../../fixtures/opencode/events.jsonl', import.meta.url)), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as ServerEvent);

const newReporter = (): Reporter =>
  new Reporter({
    sessionId: SESSION,
    transcriptPath: '/home/op/.baton/agents/7/conversation.jsonl',
    isOwnMessage: (id) => id.endsWith('BatonTest00001'),
    limitOf: () => ({ context: 200_000, output: 8_192 }),
    config: () => ({}),
  });

const hooksOf = (taken: readonly Taken[]): string[] => taken.flatMap(({ reports }) => reports.map(({ hook }) => hook));
const event = (type: string, properties: object): ServerEvent => ({
  type,
  properties: { sessionID: SESSION, ...properties },
});
const prompt = (id: string, text: string, sessionID = SESSION): readonly ServerEvent[] => [
  event('message.updated', { sessionID, info: { id, sessionID, role: 'user' } }),
  event('message.part.updated', { sessionID, part: { id: `prt_${id}`, sessionID, messageID: id, type: 'text', text } }),
];
const answer = (id: string, parentID: string, more: object): ServerEvent =>
  event('message.updated', { info: { id, sessionID: SESSION, role: 'assistant', parentID, ...more } });
const status = (type: string, more = {}): ServerEvent => event('session.status', { status: { type, ...more } });

/** Finds the prompt that contains `text`, and returns the recorded events from this prompt up to the next prompt. */
function scene(text: string): { hooks: string[]; taken: readonly Taken[] } {
  const reporter = newReporter();
  const all = EVENTS.map((each) => reporter.take(each));
  const begins = (taken: Taken): boolean => taken.reports.some(({ hook }) => hook === 'UserPromptSubmit');
  const from = all.findIndex((taken) => taken.reports.some(({ payload }) => String(payload.prompt).includes(text)));
  const length = all.slice(from + 1).findIndex(begins);
  const taken = all.slice(from, length === -1 ? undefined : from + 1 + length);
  return { hooks: hooksOf(taken).filter((hook) => hook !== 'StatusLine'), taken };
}

describe('the reporter of opencode', () => {
  it('the opencode reporter reports a prompt and the end of its turn with the same id', () => {
    const { hooks, taken } = scene('please');
    expect(hooks).toEqual(['UserPromptSubmit', 'Stop']);
    const [submitted, , ended] = taken
      .flatMap(({ reports }) => reports)
      .filter(({ hook }) => hook !== 'StatusLine' || true);
    expect(submitted?.payload).toMatchObject({ session_id: SESSION, prompt: 'please [[stub:slow 6]]' });
    expect(ended?.payload.prompt_id).toBe(submitted?.payload.prompt_id);
  });

  it('the opencode reporter reports no tool use before a permission request is answered', () => {
    expect(scene('[[stub:write').hooks).toEqual([
      'UserPromptSubmit',
      'Notification',
      'PreToolUse',
      'PostToolUse',
      'Stop',
    ]);
  });

  it('the opencode reporter reports a question with its text', () => {
    const { hooks, taken } = scene('"input":{"questions":[{"question":"Which');
    expect(hooks).toEqual(['UserPromptSubmit', 'Notification', 'PreToolUse', 'PostToolUse', 'Stop']);
    const notified = taken.flatMap(({ reports }) => reports).find(({ hook }) => hook === 'Notification');
    expect(notified?.payload.message).toBe('asks: Which color do you want?');
  });

  it('if an opencode retry is interrupted, the opencode reporter writes the interruption to the transcript but reports no end of the turn', () => {
    const { hooks, taken } = scene('again [[stub:error 429]]');
    expect(hooks).toEqual(['UserPromptSubmit']);
    const said = taken.flatMap(({ lines }) => lines).map(({ message }) => (message as { content?: unknown }).content);
    expect(said.at(-1)).toBe('[Request interrupted by user]');
  });

  it('the opencode reporter does not report a shell command of the operator as an interruption', () => {
    const reporter = newReporter();
    const part = (type: string, more = {}): ServerEvent =>
      event('message.part.updated', { part: { id: 'prt_c', sessionID: SESSION, messageID: 'msg_2', type, ...more } });
    const tool = (now: string): ServerEvent =>
      part('tool', { tool: 'bash', callID: 'c1', state: { status: now, input: { command: 'ls' } } });
    const events = [
      event('message.updated', { info: { id: 'msg_1', sessionID: SESSION, role: 'user' } }),
      status('busy'),
      answer('msg_2', 'msg_1', {}),
      tool('running'),
      answer('msg_2', 'msg_1', { time: { created: 1, completed: 2 } }),
      tool('completed'),
      status('idle'),
    ];
    const taken = events.map((each) => reporter.take(each));
    expect(hooksOf(taken)).toEqual(['PreToolUse', 'PostToolUse', 'Stop']);
    expect(taken.flatMap(({ lines }) => lines)).toEqual([]);
  });

  it('the opencode reporter writes an interruption to the transcript once, even if the server reports idle twice', () => {
    const reporter = newReporter();
    const aborted = { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } };
    const events = [...prompt('msg_1', 'go'), status('busy'), answer('msg_2', 'msg_1', aborted)];
    const taken = [...events, status('idle'), event('session.idle', {}), status('idle')].map((each) =>
      reporter.take(each),
    );
    expect(hooksOf(taken)).toEqual(['UserPromptSubmit']);
    expect(taken.flatMap(({ lines }) => lines)).toHaveLength(2);
  });

  it("the opencode reporter reports a failed turn in opencode's own words", () => {
    const reporter = newReporter();
    const failed = { error: { name: 'APIError', data: { message: 'no credit', statusCode: 400 } } };
    for (const each of [...prompt('msg_1', 'go'), status('busy')]) reporter.take(each);
    reporter.take(answer('msg_2', 'msg_1', failed));
    expect(reporter.take(status('idle')).reports).toEqual([
      expect.objectContaining({
        hook: 'StopFailure',
        payload: expect.objectContaining({ last_assistant_message: 'no credit', prompt_id: 'msg_1' }),
      }),
    ]);
  });

  it('the opencode reporter ignores the prompts and status of a subagent, but reports the permission requests of the subagent', () => {
    const reporter = newReporter();
    const child = 'ses_child';
    reporter.take(event('session.created', { sessionID: child, info: { id: child, parentID: SESSION } }));
    const events = [
      ...prompt('msg_c', 'do a part', child),
      event('session.status', { sessionID: child, status: { type: 'idle' } }),
      event('permission.asked', { id: 'per_1', sessionID: child, permission: 'bash', patterns: ['ls'] }),
    ];
    expect(hooksOf(events.map((each) => reporter.take(each)))).toEqual(['Notification']);
  });

  it("the opencode reporter writes the agent's plan and the names of the changed files to the transcript", () => {
    const reporter = newReporter();
    const used = (tool: string, input: object, state = 'completed'): Taken => {
      const part = { id: `prt_${tool}`, sessionID: SESSION, messageID: 'msg_9', type: 'tool', tool };
      const callID = `call_${tool}_${state}`;
      return reporter.take(
        event('message.part.updated', { part: { ...part, callID, state: { status: state, input } } }),
      );
    };
    const patchText = '*** Begin Patch\n*** Add File: c.ts\n+x\n*** Update File: d.ts\n@@\n*** End Patch';
    const taken = [
      used('todowrite', { todos: [{ content: 'mend the parser', status: 'in_progress' }] }),
      used('write', { filePath: '/p/a.ts', content: 'x' }),
      used('edit', { filePath: '/p/b.ts' }),
      used('edit', { filePath: '/p/refused.ts' }, 'error'),
      used('apply_patch', { patchText }),
      used('bash', { command: 'true' }),
    ];
    expect(recallFrom(taken.flatMap(({ lines }) => lines.map((each) => JSON.stringify(each))))).toEqual({
      said: [],
      plan: ['mend the parser (in_progress)'],
      files: ['/p/a.ts', '/p/b.ts', 'c.ts', 'd.ts'],
    });
    expect(hooksOf(taken)).toEqual(Array.from({ length: 6 }, () => 'PostToolUse'));
  });

  it('after /new, the opencode reporter reports the new session of the operator', () => {
    const reporter = newReporter();
    const taken = prompt('msg_n', 'a new beginning', 'ses_new').map((each) => reporter.take(each));
    expect(taken.at(-1)?.movedTo).toBe('ses_new');
    expect(hooksOf(taken)).toEqual(['SessionStart', 'UserPromptSubmit']);
    expect(taken.at(-1)?.reports[0]?.payload).toMatchObject({ session_id: 'ses_new', source: 'clear' });
  });

  it('the opencode reporter does not report the skill text that the host gave to the session', () => {
    expect(hooksOf(prompt('msg_BatonTest00001', 'the skill').map((each) => newReporter().take(each)))).toEqual([]);
  });

  it('the opencode reporter reports context use as a share of the tokens at which opencode compacts', () => {
    const tokens = { total: 96_000, input: 95_980, output: 20, cache: { read: 0, write: 0 } };
    const [report] = newReporter().take(answer('msg_2', 'msg_1', { finish: 'stop', tokens })).reports;
    const { parseHook } = createOpencodeRuntime('/opt/baton/host.js', {});
    expect(parseHook({ event: 'StatusLine', payload: report?.payload }).facts).toEqual([
      { type: 'context_measured', usedPercent: 50, usedTokens: 96_000, windowTokens: 200_000 },
    ]);
  });

  it('the opencode reporter reports a compaction with its summary', () => {
    const reporter = newReporter();
    const part = {
      sessionID: SESSION,
      messageID: 'msg_s',
      id: 'prt_s',
      type: 'text',
      text: 'we fixed it',
      time: { end: 1 },
    };
    const events = [
      event('message.part.updated', {
        part: { id: 'prt_c', sessionID: SESSION, messageID: 'msg_c', type: 'compaction' },
      }),
      answer('msg_s', 'msg_c', { summary: true }),
      event('message.part.updated', { part }),
      event('session.compacted', {}),
    ];
    const reports = events.flatMap((each) => reporter.take(each).reports);
    expect(reports.map(({ hook }) => hook)).toEqual(['PreCompact', 'PostCompact']);
    expect(reports[1]?.payload.compact_summary).toBe('we fixed it');
  });

  it('if the opencode server ends during a turn, the opencode reporter reports a failed turn', () => {
    const reporter = newReporter();
    for (const each of prompt('msg_1', 'go')) reporter.take(each);
    expect(hooksOf([reporter.serverEnded(), reporter.serverEnded()])).toEqual(['StopFailure']);
  });
});
