import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createCodexRuntime } from '../../../src/adapters/runtimes/codex/codex-runtime.ts';
import { hashOf } from '../../../src/adapters/runtimes/codex/session-flags.ts';
import { usageLimitIn } from '../../../src/adapters/runtimes/codex/usage-limit.ts';
import { hooksOf, screenOf } from './fixtures.ts';
import { launchContext } from './runtime-contract.ts';

const scratch = mkdtempSync(join(tmpdir(), 'bt-codex-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});
mkdirSync(join(scratch, '.codex'));
const runtime = createCodexRuntime({ PATH: scratch, HOME: scratch });
const LINES = readFileSync(fileURLToPath(new URL('../../fixtures/codex/rollout.jsonl', import.meta.url)), 'utf8')
  .trimEnd()
  .split('\n');

/**
 * Writes the first lines of the recorded rollout (the transcript of Codex), up to the given line. Returns the path of
 * the file.
 */
function rolloutUntil(line: number, name = `rollout-${line}`): string {
  const path = join(scratch, '.codex/sessions/2026/11/18', `${name}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${LINES.slice(0, line).join('\n')}\n`);
  return path;
}

/**
 * Maps some moments of a recorded rollout (the transcript of Codex) to the number of the last line that belongs to the
 * moment. For example, after the line `interrupted` the rollout shows an interrupted turn.
 */
const AFTER = { start: 2, text: 6, interrupted: 23, failed: 31, limited: 35 };

describe('the program of Codex', () => {
  it('a missing Codex is reported with an error and a hint', async () => {
    expect(await runtime.unavailableReason()).toMatch(/no program "codex" on the PATH.*BATON_CODEX/);
    const path = join(scratch, 'my-codex');
    writeFileSync(path, "#!/bin/sh\necho 'codex-cli 0.166.0'\n", { mode: 0o755 });
    const named = createCodexRuntime({ BATON_CODEX: path, PATH: process.env.PATH });
    expect(await named.unavailableReason()).toBeUndefined();
    expect(named.planLaunch(launchContext()).argv[2]).toBe(path);
    expect(await named.standing?.()).toMatchObject({ version: '0.166.0', standing: 'tried' });
  });

  it("Baton refuses an operator's extra argument for Codex if only Baton may set that argument", () => {
    expect(runtime.refuseArgs?.(['--model', 'gpt-5', '-c', 'x=1'])).toBeUndefined();
    for (const args of [['exec', 'hi'], ['fix the bug'], ['--model', 'x', '--remote=ws://x'], ['-C', '/']])
      expect(runtime.refuseArgs?.(args)).toMatch(/cannot be passed to Codex here/);
  });
});

describe('the launch of Codex', () => {
  const { argv } = runtime.planLaunch(launchContext());
  const alone = createCodexRuntime({ PATH: scratch, HOME: scratch, BATON_CODEX_SERVER: 'off' });

  it('Baton configures Codex only by arguments and writes no settings file of the operator', () => {
    expect(argv).toContain('projects={"/home/op/shop"={trust_level="trusted"}}');
    expect(argv.join(' ')).toContain('mcp_servers.baton={command="/home/op/.baton/bin/baton",args=["mcp"]');
    expect(argv).not.toContain('--dangerously-bypass-hook-trust');
    expect(Object.keys(runtime.planLaunch(launchContext()).files)).toEqual(['codex.sh']);
    expect(runtime.prepareLaunch).toBeUndefined();
  });

  it('Codex may write the handoff document without asking for permission if Codex runs without its server', () => {
    expect(alone.control).toBeUndefined();
    expect(alone.planLaunch(launchContext()).argv.slice(-4)).toEqual([
      '--add-dir',
      '/home/op/.baton/data/personas/developer-con-1/handoffs',
      '--add-dir',
      '/home/op/.baton/spool',
    ]);
  });

  it.each([
    ['Stop', 30, 'sha256:7bbefbac05f1963d294bc96fd0cf4a07c02eeb195b9b224299156bb7ab932230'],
    ['SessionStart', 30, 'sha256:709232484c0cb4132bc208dd2f1a8d31d9e145b0cf4cb4b8d57c17d1c10772ee'],
    ['Interrupt', 3, 'sha256:72b6ce0e04b82915b908abafe4cb4167a680effdf2edf9759c0b41a1e0e41ff7'],
  ])("Baton and Codex 0.166.0 compute the same trust hash for Baton's %s hook", (event, timeout, hash) => {
    expect(hashOf({ event, command: `exec /home/op/hook ${event}`, timeout })).toBe(hash);
  });

  it("the operator's own writable folders stay writable for the Codex server", () => {
    writeFileSync(
      join(scratch, '.codex/config.toml'),
      'model = "x"\n[sandbox_workspace_write]\nwritable_roots = [\n  "/srv/a b", \'/srv/c\',\n]\n[other]\nx = 1\n',
    );
    const script = runtime.planLaunch(launchContext()).files['codex.sh'];
    rmSync(join(scratch, '.codex/config.toml'));
    expect(script).toContain('writable_roots=["/srv/a b","/srv/c","/home/op/.baton/data/personas/');
  });

  it('the command that resumes Codex has the session id and otherwise the same arguments as the command for a new session', () => {
    const resumes = { sessionId: '01a1ec28', transcriptPath: null };
    const again = runtime.planLaunch(launchContext({ resumes })).argv;
    expect(again.slice(3)).toEqual(['01a1ec28', ...argv.slice(4)]);
    expect(alone.planLaunch(launchContext({ resumes })).argv.slice(1, 3)).toEqual(['resume', '01a1ec28']);
  });
});

describe('the hooks of Codex', () => {
  const facts = hooksOf('codex').flatMap((hook) => runtime.parseHook(hook).facts);

  it('the hooks of a recorded Codex session report prompts, tools, ends of turns and an interruption', () => {
    expect(facts.map(({ type }) => type).filter((type) => type !== 'permission_mode_seen')).toEqual(
      expect.arrayContaining(['session_started', 'prompt_submitted', 'tool_used', 'turn_ended', 'input_requested']),
    );
    expect(facts).toContainEqual({ type: 'agent_seen_idle', by: 'hooks', shows: 'interrupted' });
  });

  it('the Codex hook at the end of a turn contains the id of the prompt', () => {
    const [prompt] = facts.filter((fact) => fact.type === 'prompt_submitted');
    const [end] = facts.filter((fact) => fact.type === 'turn_ended');
    expect(prompt?.promptId).toMatch(/^01a1ddd3-/);
    expect(end?.promptId).toBe(prompt?.promptId);
  });

  it("the hooks of a Codex subagent do not change the agent's state", () => {
    const payload = { session_id: 's', turn_id: 't', agent_id: 'a', agent_type: 'helper', prompt: 'look around' };
    expect(runtime.parseHook({ event: 'UserPromptSubmit', payload })).toMatchObject({ sessionId: 's', facts: [] });
  });

  it("a hook of a Codex side conversation does not change the agent's state", () => {
    const side = { session_id: 's', turn_id: 't', transcript_path: null };
    expect(runtime.parseHook({ event: 'UserPromptSubmit', payload: { ...side, prompt: 'aside' } }).facts).toEqual([]);
    expect(runtime.parseHook({ event: 'SessionStart', payload: { ...side, source: 'startup' } }).facts).toEqual([]);
    expect(runtime.parseHook({ event: 'Stop', payload: side }).facts).toEqual([]);
  });
});

describe('the rollout (transcript file) of Codex', () => {
  it.each([
    ['start', undefined],
    ['text', { outcome: 'completed' }],
    ['interrupted', { outcome: 'interrupted' }],
    ['failed', { outcome: 'failed', error: expect.stringContaining('stub bad request') }],
    ['limited', { outcome: 'failed', error: expect.stringMatching(/^You’ve hit your usage limit.*try again at/) }],
  ] as const)('Baton reads from a Codex rollout how the last turn ended: case "%s"', async (moment, expected) => {
    const turn = await runtime.transcript?.lastTurn?.(rolloutUntil(AFTER[moment]));
    if (expected === undefined) expect(turn).toBeUndefined();
    else expect(turn).toMatchObject(expected);
  });

  it('the reader of Codex rollouts finds only prompts that the user wrote', async () => {
    const path = rolloutUntil(LINES.length);
    const prompts = (await runtime.transcript?.promptsBehind(path, 0)) ?? [];
    expect(prompts).toHaveLength(7);
    expect(prompts[0]).toBe('⟦slow 8⟧ talk');
    expect(await runtime.transcript?.holds(path, 'talk on')).toBe(true);
    expect(await runtime.transcript?.holds(path, 'turn_aborted')).toBe(false);
    expect(await runtime.transcript?.endsInterrupted(rolloutUntil(AFTER.interrupted))).toBe(true);
    expect(await runtime.transcript?.endsInterrupted(path)).toBe(false);
  });

  it.each([
    ['try again at 4:05 PM.', new Date(2026, 10, 18, 16, 6)],
    ['or try again at Nov 20th, 2026 12:30 AM.', new Date(2026, 10, 20, 0, 31)],
    ['Quota exceeded. Check your plan and billing details.', null],
  ])('Baton looks for the end time of a Codex usage limit in the words "%s"', (words, until) => {
    const limit = usageLimitIn(words, new Date(2026, 10, 18, 12).toISOString());
    expect(limit).toEqual({ words, until: until?.toISOString() ?? null, continuesItself: false });
  });

  it('a failed Codex turn is reported as a usage limit only if a usage limit ended the turn', async () => {
    const limited = await runtime.transcript?.lastTurn?.(rolloutUntil(AFTER.limited));
    expect(limited?.limit).toMatchObject({ words: expect.stringMatching(/^You’ve hit your usage limit/) });
    expect(limited?.limit?.until).toMatch(/^2026-11-18T/);
    expect(await runtime.transcript?.lastTurn?.(rolloutUntil(AFTER.failed))).not.toHaveProperty('limit');
  });

  it('the context use of Codex is a percentage of the tokens at which Codex compacts', async () => {
    const path = rolloutUntil(LINES.length);
    const used = path && (await runtime.contextInTranscript?.(path));
    expect(used).toEqual({ usedTokens: 1225, windowTokens: 190_000, usedPercent: 1 });
    writeFileSync(join(scratch, '.codex/config.toml'), 'model_auto_compact_token_limit = 2_450\n[other]\n');
    expect(await runtime.contextInTranscript?.(path)).toMatchObject({ usedPercent: 50 });
    rmSync(join(scratch, '.codex/config.toml'));
    appendFileSync(path, `${JSON.stringify({ timestamp: '2026-11-18T02:00:00Z', type: 'compacted', payload: {} })}\n`);
    expect(await runtime.contextInTranscript?.(path)).toBeUndefined();
  });
});

describe('the status of a running Codex', () => {
  /** Starts a process that keeps the given rollout files open, as Codex does. */
  async function holding(...paths: readonly string[]): Promise<number> {
    const opened = paths.map((path, at) => `exec ${3 + at}>>'${path}';`).join(' ');
    const child = spawn('/bin/sh', ['-c', `${opened} echo ready; exec sleep 600`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    await new Promise((resolve) => child.stdout?.once('data', resolve));
    return child.pid ?? 0;
  }
  const event = (type: string, more: object = {}) =>
    `${JSON.stringify({ timestamp: new Date(Date.now() + 5_000).toISOString(), type: 'event_msg', payload: { type, ...more } })}\n`;

  it('Codex is busy until the turn in its rollout ends', async () => {
    const path = rolloutUntil(AFTER.text, 'rollout-live');
    const pid = await holding(path);
    expect(await runtime.readStatus?.(pid)).toMatchObject({ status: 'idle', lastTurn: { outcome: 'completed' } });
    appendFileSync(path, event('task_started', { turn_id: 't2' }));
    expect(await runtime.readStatus?.(pid)).toMatchObject({ status: 'busy' });
    appendFileSync(path, event('task_complete', { turn_id: 't2', error: { message: 'no luck' } }));
    expect(await runtime.readStatus?.(pid)).toMatchObject({
      status: 'idle',
      lastTurn: { id: 't2', outcome: 'failed', error: 'no luck' },
    });
  });

  it('Codex is busy while a turn runs in any of its conversations', async () => {
    const [main, other] = [rolloutUntil(AFTER.text, 'rollout-main'), rolloutUntil(AFTER.text, 'rollout-sub')];
    const pid = await holding(main, other);
    appendFileSync(main, event('task_started', { turn_id: 't3' }));
    expect(await runtime.readStatus?.(pid)).toMatchObject({ status: 'busy' });
    appendFileSync(main, event('turn_aborted', { turn_id: 't3' }));
    expect(await runtime.readStatus?.(pid)).toMatchObject({ status: 'idle' });
  });

  it('a turn that an earlier Codex process left unfinished does not make a resumed Codex busy', async () => {
    const pid = await holding(rolloutUntil(AFTER.start, 'rollout-killed'));
    expect(await runtime.readStatus?.(pid)).toMatchObject({ status: 'idle' });
  });

  it('Baton gets no status from a Codex process that has no open rollout file', async () => {
    expect(await runtime.readStatus?.(process.pid)).toBeUndefined();
    expect(await runtime.readStatus?.(2 ** 22 + 1)).toBeUndefined();
  });
});

describe('the screen of Codex', () => {
  it('the Codex screen parser reports an interruption only if the interruption is the last entry on the screen', () => {
    expect(runtime.readScreen(screenOf('codex', 'ready-interrupted'))).toEqual({ kind: 'ready', interrupted: true });
    expect(runtime.readScreen(screenOf('codex', 'ready-after-turn'))).toEqual({ kind: 'ready' });
  });

  it('the Codex screen parser finds the numbered options of an approval', () => {
    expect(runtime.readQuestion(screenOf('codex', 'dialog-approval'))).toMatchObject({
      text: expect.stringMatching(
        /^Would you like to run the following command\?[\s\S]*\$ touch \/home\/op\/shop\/made$/,
      ),
      options: [{ number: 1, label: 'Yes, proceed (y)' }, { number: 2 }, { number: 3 }],
      highlighted: 1,
    });
    expect(runtime.readQuestion(screenOf('codex', 'dialog-small-approval'))).toMatchObject({
      options: [],
      isCut: true,
    });
  });

  it('the Codex screen parser finds the options of a question that the agent asks', () => {
    const { text, options } = runtime.readQuestion(screenOf('codex', 'dialog-ask')) ?? {};
    expect(text).toMatch(/Which colour\?$/);
    expect(options?.map(({ label }) => label.split(/ {2,}/)[0])).toEqual(['Red', 'Blue', 'None of the above']);
  });

  it('if the operator opened a menu, the Codex screen parser offers no answers', () => {
    expect(runtime.readQuestion(screenOf('codex', 'dialog-menu-model'))).toMatchObject({ options: [], isMenu: true });
    expect(runtime.readQuestion(screenOf('codex', 'dialog-hooks-review'))).toMatchObject({
      text: expect.stringMatching(/^Hooks need review/),
      options: [],
    });
  });

  it('the Codex screen parser recognizes a long paste by its number of characters', () => {
    const draft = runtime.readScreen(screenOf('codex', 'draft-chip'));
    expect(draft).toEqual({ kind: 'draft', text: '[Pasted Content 2549 chars]' });
    expect(runtime.isOurDraft('[Pasted Content 2549 chars]', 'x'.repeat(2549))).toBe(true);
    expect(runtime.isOurDraft('[Pasted Content 2549 chars]', 'x'.repeat(2550))).toBe(false);
  });

  it('if a draft begins with empty rows, the Codex screen parser returns the text between them and the cursor', () => {
    const recorded = screenOf('codex', 'draft-empty-lines');
    const top = recorded.cursorY - 1;
    /**
     * Returns the recorded screen, but with the given rows in the composer and the cursor at the end of the last row.
     */
    const screenWith = (...rows: readonly string[]) => {
      const last = rows.at(-1) ?? '';
      const draw = (lines: readonly string[]) => [...lines.slice(0, top), ...rows, ...lines.slice(top + 2)];
      const cursor = { cursorX: Math.max(2, last.length), cursorY: top + rows.length - 1 };
      return { lines: draw(recorded.lines), solid: draw(recorded.solid ?? []), ...cursor };
    };
    expect(runtime.readScreen(screenWith('›', ''))).toEqual(runtime.readScreen(recorded));
    expect(runtime.readScreen(screenWith('›', '', '  hello'))).toEqual({ kind: 'draft', text: 'hello' });
    const own = runtime.readScreen(screenWith('›', '', '  Hi', '', '  Mend it.'));
    expect(own).toEqual({ kind: 'draft', text: 'Hi\n\nMend it.' });
    expect(runtime.isOurDraft('Hi\n\nMend it.', '\n\nHi\n\nMend it.')).toBe(true);
    expect(runtime.readScreen(screenWith('›', '', ''))).toEqual({
      kind: 'draft',
      text: 'only spaces or empty lines before the cursor',
    });
  });
});
