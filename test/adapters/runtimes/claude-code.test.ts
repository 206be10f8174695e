import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createClaudeCodeRuntime } from '../../../src/adapters/runtimes/claude-code/claude-code-runtime.ts';
import { contextLimit } from '../../../src/adapters/runtimes/claude-code/context-limit.ts';
import { trustFolder, withTrustedFolder } from '../../../src/adapters/runtimes/claude-code/folder-trust.ts';
import { hooksOf, screenOf } from './fixtures.ts';
import { launchContext } from './runtime-contract.ts';

const scratch = mkdtempSync(join(tmpdir(), 'bt-claude-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const runtime = createClaudeCodeRuntime({ PATH: scratch, HOME: scratch });

describe('the program of Claude Code', () => {
  it('a missing Claude Code is reported with an error and a hint', async () => {
    expect(await runtime.unavailableReason()).toMatch(/no program "claude" on the PATH.*BATON_CLAUDE/);
    const path = join(scratch, 'claude');
    writeFileSync(path, '#!/bin/sh\n');
    expect(await runtime.unavailableReason()).toBeDefined();
    chmodSync(path, 0o755);
    expect(await runtime.unavailableReason()).toBeUndefined();
    expect(runtime.planLaunch(launchContext()).argv[0]).toBe(path);
  });

  it('the program of Claude Code may be given by its path', async () => {
    const path = join(scratch, 'another-claude');
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
    const named = createClaudeCodeRuntime({ BATON_CLAUDE: path, PATH: '/nowhere' });
    expect(await named.unavailableReason()).toBeUndefined();
    expect(named.planLaunch(launchContext()).argv[0]).toBe(path);
  });
});

describe('[L10] the version of Claude Code', () => {
  const ofVersion = (version: string) => {
    const path = join(scratch, `claude-${version}`);
    writeFileSync(path, `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 });
    return createClaudeCodeRuntime({ BATON_CLAUDE: path, PATH: process.env.PATH });
  };

  it.each([
    ['2.1.325', 'tried'],
    ['2.1.330', 'near'],
    ['2.1.60', 'near'],
    ['9.9.9', 'untried'],
    ['1.0.128', 'unsupported'],
  ])('version %s of Claude Code counts as %s', async (version, standing) => {
    const known = await ofVersion(version).standing?.();
    expect(known).toMatchObject({ version, standing, sentence: expect.stringContaining(version) });
  });

  it('an unsupported version of Claude Code is refused before the launch', async () => {
    expect(await ofVersion('1.0.128').unavailableReason()).toMatch(
      /1\.0\.128 does not work with Baton.*Update Claude Code/,
    );
    expect(await ofVersion('9.9.9').unavailableReason()).toBeUndefined();
  });
});

describe("the operator's own configuration", () => {
  it("the operator's extra arguments come before Baton's own arguments in the launch command", () => {
    const { argv } = runtime.planLaunch(launchContext({ clientArgs: ['--model', 'opus', '--add-dir', '/a', '/b'] }));
    expect(argv.slice(1, 7)).toEqual(['--model', 'opus', '--add-dir', '/a', '/b', '--session-id']);
    expect(runtime.refuseArgs?.(['--model', 'opus'])).toBeUndefined();
    for (const arg of ['--resume', '-p', '--settings=x', '--session-id'])
      expect(runtime.refuseArgs?.(['--model', 'opus', arg])).toContain(`"${arg}" cannot be passed`);
  });

  it.each([
    ['plan', [], ['--permission-mode', 'plan']],
    ['acceptEdits', ['--permission-mode', 'plan'], ['--permission-mode', 'acceptEdits']],
    ['default', ['--permission-mode', 'plan'], ['--permission-mode', 'default']],
    ['default', [], []],
    ['bypassPermissions', [], []],
  ])(
    "if the predecessor has permission mode %s and arguments %j, Baton adds %j to the successor's command",
    (permissionMode, clientArgs, added) => {
      const { argv } = runtime.planLaunch(launchContext({ permissionMode, clientArgs }));
      expect(argv.slice(1 + clientArgs.length, argv.indexOf('--session-id'))).toEqual(added);
    },
  );

  it('Baton reads the permission mode from the hook events of a turn', () => {
    const payload = { session_id: 's', prompt: 'x', permission_mode: 'plan' };
    expect(runtime.parseHook({ event: 'UserPromptSubmit', payload }).facts).toContainEqual({
      type: 'permission_mode_seen',
      mode: 'plan',
    });
    const strange = runtime.parseHook({ event: 'Stop', payload: { ...payload, permission_mode: '$(x)' } });
    expect(strange.facts.map(({ type }) => type)).toEqual(['turn_ended']);
  });

  it("if Baton sets a status line command, the agent still shows the operator's own status line", () => {
    const home = mkdtempSync(join(scratch, 'home-'));
    const project = mkdtempSync(join(scratch, 'project-'));
    const agentFolder = mkdtempSync(join(scratch, "agent's "));
    mkdirSync(join(home, '.claude'));
    mkdirSync(join(project, '.claude'));
    const heard = join(home, 'heard');
    const context = launchContext({
      projectPath: project,
      agentFolder,
      hookCommand: (event) => `exec /bin/sh -c 'echo "$0 $BATON_CLIENT_PID" >${heard}; cat >>${heard}' ${event}`,
    });
    const own = createClaudeCodeRuntime({ PATH: scratch, HOME: home });
    const statusLine = () => {
      const { files } = own.planLaunch(context);
      for (const [name, text] of Object.entries(files)) writeFileSync(join(agentFolder, name), text);
      return JSON.parse(files['settings.json'] ?? '').statusLine as { command: string; padding?: number };
    };
    expect(statusLine().command).toBe(context.hookCommand('StatusLine'));
    writeFileSync(
      join(home, '.claude/settings.json'),
      JSON.stringify({ statusLine: { type: 'command', command: `printf "it's %s" "$(cat)"`, padding: 0 } }),
    );
    const { command, padding } = statusLine();
    expect(padding).toBe(0);
    const { stdout } = spawnSync('/bin/sh', ['-c', `printf '{"a":"\\\\n"}' | ${command.replace('exec ', '')}`], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('it\'s {"a":"\\n"}');
    expect(readFileSync(heard, 'utf8')).toMatch(/^StatusLine \d+\n/);
    expect(readFileSync(heard, 'utf8')).toContain('{"a":"\\n"}');
    // In Baton, as in Claude Code, the project's settings must override the operator's settings.
    writeFileSync(
      join(project, '.claude/settings.local.json'),
      JSON.stringify({ statusLine: { type: 'command', command: 'echo local' } }),
    );
    statusLine();
    expect(readFileSync(join(agentFolder, 'status-line.sh'), 'utf8')).toContain('echo local');
  });
});

describe('[L17] disabled hooks', () => {
  it("Baton reports which settings file disables Baton's hooks", async () => {
    const home = mkdtempSync(join(scratch, 'home-'));
    const project = mkdtempSync(join(scratch, 'project-'));
    const own = createClaudeCodeRuntime({ PATH: scratch, HOME: home });
    expect(await own.whyNotIn?.(project)).toBeUndefined();
    for (const file of [
      join(project, '.claude/settings.json'),
      join(project, '.claude/settings.local.json'),
      join(home, '.claude/settings.json'),
    ]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '{ "disableAllHooks": true }');
      expect(await own.whyNotIn?.(project)).toContain(`"disableAllHooks" is true in ${file}`);
      writeFileSync(file, '{ "disableAllHooks": false }');
    }
    writeFileSync(join(home, '.claude/settings.json'), 'not JSON');
    expect(await own.whyNotIn?.(project)).toBeUndefined();
  });
});

describe('[L18] a permission rule that denies a tool', () => {
  it('Baton finds a permission rule that denies a whole tool, and names the file of the rule', async () => {
    const home = mkdtempSync(join(scratch, 'home-'));
    const project = mkdtempSync(join(scratch, 'project-'));
    const own = createClaudeCodeRuntime({ PATH: scratch, HOME: home });
    const file = join(project, '.claude/settings.local.json');
    mkdirSync(dirname(file), { recursive: true });
    const denied = (deny: unknown) => {
      writeFileSync(file, JSON.stringify({ permissions: { deny } }));
      return own.deniedByRule?.('run', project);
    };
    expect(await own.deniedByRule?.('run', project)).toBeUndefined();
    for (const rule of ['Bash', 'Bash(*)']) expect(await denied(['Write', rule])).toEqual({ tool: 'Bash', file });
    expect(await own.deniedByRule?.('write', project)).toEqual({ tool: 'Write', file });
    for (const none of [[], ['Bash(rm:*)', 'Write'], 'Bash', null]) expect(await denied(none)).toBeUndefined();
  });
});

describe('the launch of Claude Code', () => {
  const { argv, unsetEnv, files } = runtime.planLaunch(launchContext());
  const settings = JSON.parse(files['settings.json'] ?? '{}');
  const handoffs = '/home/op/.baton/data/personas/developer-con-1/handoffs';
  const ALWAYS = ['Bash(baton ack:*)', 'mcp__baton'];

  it("[T14] Baton's MCP server gets its token only through its environment", () => {
    expect(JSON.parse(files['mcp.json'] ?? '{}')).toEqual({
      mcpServers: {
        baton: {
          type: 'stdio',
          command: '/home/op/.baton/bin/baton',
          args: ['mcp'],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code itself replaces the variable
          env: { BATON_AGENT_TOKEN: '${BATON_AGENT_TOKEN}' },
        },
      },
    });
  });

  it('the launch command of Claude Code contains the session id, the MCP server and the settings', () => {
    expect(argv.slice(1)).toEqual([
      '--session-id',
      launchContext().sessionUuid,
      '--mcp-config',
      '/home/op/.baton/agents/7/mcp.json',
      '--settings',
      '/home/op/.baton/agents/7/settings.json',
      '--add-dir',
      handoffs,
    ]);
    expect(unsetEnv).toEqual(
      expect.arrayContaining(['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID']),
    );
  });

  it('Claude Code may write its handoff document without asking for permission', () => {
    expect(settings.permissions).toEqual({
      allow: [`Write(/${handoffs}/**)`, `Edit(/${handoffs}/**)`, `Read(/${handoffs}/**)`, ...ALWAYS],
      ask: ['Edit(//home/op/.baton/data/personas/developer-con-1/skill.md)'],
    });
  });

  it('an agent without a persona gets no access to a folder outside the project', () => {
    const plan = runtime.planLaunch(launchContext({ personaHandoffsPath: null }));
    expect(plan.argv).not.toContain('--add-dir');
    expect(JSON.parse(plan.files['settings.json'] ?? '{}').permissions).toEqual({ allow: ALWAYS });
  });

  it("the permission rule that lets Claude Code write to a folder escapes special characters in the folder's name", () => {
    const plan = runtime.planLaunch(launchContext({ personaHandoffsPath: '/home/o*p/handoffs' }));
    expect(plan.files['settings.json']).toContain('Edit(//home/o\\\\*p/handoffs/**)');
  });
});

describe('the hook events that Baton subscribes to', () => {
  const OLD = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'PreCompact', 'SessionEnd'];
  const program = join(scratch, 'versioned');
  const answer = (script: string) => writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const eventsOf = async (named: ReturnType<typeof createClaudeCodeRuntime>) => {
    await named.prepareLaunch?.(launchContext());
    const settings = JSON.parse(named.planLaunch(launchContext()).files['settings.json'] ?? '{}');
    return Object.keys(settings.hooks)
      .filter((event) => !OLD.includes(event))
      .sort();
  };
  const fresh = () => createClaudeCodeRuntime({ BATON_CLAUDE: program, HOME: scratch, PATH: process.env.PATH });

  /**
   * The hook events that each version of Claude Code supports in addition to those in `OLD`. The real client accepted
   * them in its settings without a "Settings Error" (docs/decisions/0014).
   */
  it.each([
    ['2.0.42', ['Notification']],
    ['2.0.77', ['Notification', 'PermissionRequest']],
    ['2.1.50', ['Notification', 'PermissionRequest']],
    ['2.1.76', ['Notification', 'PermissionRequest', 'PostCompact']],
    ['2.1.88', ['Notification', 'PermissionRequest', 'PostCompact', 'StopFailure']],
    ['2.1.325', ['Notification', 'PermissionRequest', 'PostCompact', 'StopFailure']],
    ['10.0.0', ['Notification', 'PermissionRequest', 'PostCompact', 'StopFailure']],
  ])('Baton subscribes only to the hook events that version %s of Claude Code supports', async (version, events) => {
    answer(`echo '${version} (Claude Code)'`);
    expect(await eventsOf(fresh())).toEqual(events);
  });

  it.each(['exit 1', 'echo unknown', 'echo 2.1.325; exit 3'])(
    'Baton subscribes to the hook events of the oldest Claude Code if the version cannot be read: %s',
    async (script) => {
      answer(script);
      expect(await eventsOf(fresh())).toEqual(['Notification']);
    },
  );

  it('Baton reads the version of Claude Code again only after the program was changed', async () => {
    const [asked, named] = [join(scratch, 'asked'), fresh()];
    const answerAs = (version: string) => answer(`echo x >>'${asked}'; echo '${version}'`);
    answerAs('2.1.88');
    for (let n = 0; n < 3; n++) expect(await eventsOf(named)).toHaveLength(4);
    expect(readFileSync(asked, 'utf8')).toBe('x\n');
    answerAs('2.0.42 of old');
    expect(await eventsOf(named)).toHaveLength(1);
  });
});

describe("the trusted folder in Claude Code's configuration", () => {
  it("adding a trusted folder changes nothing else in Claude Code's configuration", () => {
    const config = {
      theme: 'dark',
      projects: { '/a': { allowedTools: ['x'] }, '/b': { hasTrustDialogAccepted: false } },
    };
    expect(withTrustedFolder(config, '/a')).toEqual({
      theme: 'dark',
      projects: {
        '/a': { allowedTools: ['x'], hasTrustDialogAccepted: true },
        '/b': { hasTrustDialogAccepted: false },
      },
    });
    expect(withTrustedFolder(undefined, '/a')).toEqual({
      projects: { '/a': { allowedTools: [], hasTrustDialogAccepted: true } },
    });
    expect(withTrustedFolder({ projects: { '/a': { hasTrustDialogAccepted: true } } }, '/a')).toBeUndefined();
    expect(withTrustedFolder(['strange'], '/a')).toBeUndefined();
  });

  it("Claude Code's configuration is replaced atomically", async () => {
    const path = join(scratch, 'trust.json');
    writeFileSync(path, '{"theme":"dark"}');
    await trustFolder(path, '/home/op/shop');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      theme: 'dark',
      projects: { '/home/op/shop': { allowedTools: [], hasTrustDialogAccepted: true } },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(scratch).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it("Claude Code's configuration keeps all trusted folders that are added at the same time", async () => {
    const path = join(scratch, 'many.json');
    await Promise.all(Array.from({ length: 20 }, (_, number) => trustFolder(path, `/p/${number}`)));
    expect(Object.keys(JSON.parse(readFileSync(path, 'utf8')).projects)).toHaveLength(20);
  });

  it('Baton adds no trusted folder to a Claude Code configuration that cannot be parsed', async () => {
    const path = join(scratch, 'broken.json');
    writeFileSync(path, '{"theme": "da');
    await trustFolder(path, '/home/op/shop');
    expect(readFileSync(path, 'utf8')).toBe('{"theme": "da');
  });

  it('Baton marks as trusted only the folder in which the agent is launched', async () => {
    await runtime.prepareLaunch?.(launchContext());
    expect(JSON.parse(readFileSync(join(scratch, '.claude.json'), 'utf8'))).toEqual({
      projects: { '/home/op/shop': { allowedTools: [], hasTrustDialogAccepted: true } },
    });
  });
});

describe('the screen reader for Claude Code', () => {
  const read = (name: string) => runtime.readScreen(screenOf('claude-code', name));
  const draftOf = (name: string) => {
    const state = read(name);
    return state.kind === 'draft' ? state.text : '';
  };

  it('the Claude Code screen parser finds the question of a dialog', () => {
    expect(read('dialog-permission')).toMatchObject({ text: expect.stringContaining('Do you want to proceed?') });
    expect(read('dialog-trust')).toMatchObject({ text: expect.stringContaining('Quick safety check') });
    expect(read('dialog-api-key')).toMatchObject({ text: expect.stringContaining('Detected a custom API key') });
    expect(read('dialog-api-key')).not.toMatchObject({ text: expect.stringContaining('sk-') });
  });

  it('if the last message is an interruption, the Claude Code screen parser reports an interrupted turn', () => {
    expect(read('ready-interrupted')).toEqual({ kind: 'ready', interrupted: true });
    expect(read('ready-after-turn')).toEqual({ kind: 'ready' });
    const { lines, ...cursor } = screenOf('claude-code', 'ready-interrupted');
    const rule = lines.findLastIndex((line, index) => /^─/.test(line) && /^❯/.test(lines[index + 1] ?? ''));
    const later = [...lines.slice(0, rule), '❯ a new prompt', ...lines.slice(rule)];
    expect(runtime.readScreen({ ...cursor, lines: later, cursorY: cursor.cursorY + 1 })).toEqual({ kind: 'ready' });
  });

  it('[L25] the Claude Code screen parser reads only the lower composer frame of a screen with two frames', () => {
    const left = screenOf('claude-code', 'ready-old-two-frames');
    expect(runtime.readScreen(left)).toEqual({ kind: 'ready' });
    const composer = left.lines.findLastIndex((line) => line.startsWith('❯'));
    const works = left.lines.toSpliced(composer - 1, 0, '✻ Gallivanting… (esc to interrupt)');
    expect(runtime.readScreen({ ...left, lines: works, solid: works })).toEqual({ kind: 'busy' });
  });

  it("the Claude Code screen parser finds the operator's draft", () => {
    expect(draftOf('draft')).toBe('half a thought');
    expect(draftOf('draft-two-lines')).toBe('line one\nline two');
    expect(draftOf('draft-shell')).toBe('!ls');
  });

  it('the Claude Code screen parser treats text in the composer as a draft unless the text is faint', () => {
    expect(draftOf('draft-cursor-at-start')).toBe('fix the login bug');
    expect(read('ready-placeholder')).toEqual({ kind: 'ready' });
    expect(read('ready-suggestion')).toEqual({ kind: 'ready' });
    const { solid: _, ...unstyled } = screenOf('claude-code', 'ready-suggestion');
    expect(runtime.readScreen(unstyled)).toEqual({ kind: 'draft', text: 'run the tests now' });
  });

  it('the Claude Code screen parser reports a working agent while Claude Code retries an API request', () => {
    const { lines, solid: _, ...screen } = screenOf('claude-code', 'busy-retry-500');
    const at = lines.findIndex((line) => line.includes('Retrying in'));
    for (const line of [
      '✻ Connection dropped (ECONNRESET) · Retrying in 8s · attempt 5/10',
      '✻ API error · Retrying in 1s · attempt 1/10',
      '· 529 Overloaded · Retrying in 38s · attempt 10/10',
      '● API error · Retrying in 16s · attempt 2/10',
    ])
      expect(runtime.readScreen({ ...screen, lines: lines.with(at, line) })).toEqual({ kind: 'busy' });
  });

  it('the Claude Code screen parser returns "unknown" if a line above the composer is not recognized', () => {
    const { lines, solid: _, ...screen } = screenOf('claude-code', 'busy-retry-500');
    const at = lines.findIndex((line) => line.includes('Retrying in'));
    for (const line of ['✻ Reticulating the splines', '⟳ syncing with the cloud', 'Something new'])
      expect(runtime.readScreen({ ...screen, lines: lines.with(at, line) })).toEqual({ kind: 'unknown', text: line });
    expect(runtime.readScreen({ ...screen, lines: lines.with(at, '✻ Sautéed for 1m 2s · done 9:33 AM') })).toEqual({
      kind: 'ready',
    });
  });

  it('the Claude Code screen parser reports that the client waits for the end of a usage limit', () => {
    expect(read('busy-usage-limit')).toEqual({
      kind: 'busy',
      doing: 'Usage limit reached · continuing automatically at 2:24am',
      waitsForLimit: true,
    });
  });

  it('the Claude Code screen parser names the view that the operator has opened over the composer', () => {
    expect(read('view-transcript')).toEqual({ kind: 'view', text: 'its transcript is open (Ctrl+O closes it)' });
    expect(read('view-transcript-busy')).toMatchObject({ kind: 'view' });
    expect(read('view-history')).toMatchObject({ text: 'the search in its earlier prompts is open (Esc closes it)' });
    expect(read('view-help')).toMatchObject({ text: 'its help is open (Esc closes it)' });
    expect(read('view-resume')).toMatchObject({ text: 'its list of sessions to resume is open (Esc closes it)' });
    expect(draftOf('draft-history')).toBe('/model');
  });

  it('if the operator has opened a menu, the Claude Code screen parser does not report the menu as a question of the agent', () => {
    for (const menu of ['model', 'menu-memory', 'menu-config', 'menu-hooks', 'menu-permissions'].map(
      (each) => `dialog-${each}`,
    ))
      expect(read(menu)).toMatchObject({ kind: 'dialog', isMenu: true });
    for (const asked of ['dialog-permission', 'dialog-mcp', 'dialog-exit-background', 'dialog-auto-mode-gateway'])
      expect(read(asked)).not.toHaveProperty('isMenu');
  });

  it("the Claude Code screen parser recognizes Baton's own text if the composer shows a placeholder for a long paste", () => {
    const lines = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1)).join('\n');
    expect(runtime.isOurDraft(draftOf('draft-chip'), lines(39))).toBe(true);
    expect(runtime.isOurDraft(draftOf('draft-chip'), lines(38))).toBe(false);
    expect(runtime.isOurDraft(draftOf('draft-chip-one-line'), 'b'.repeat(1500))).toBe(true);
    expect(runtime.isOurDraft(draftOf('draft-chip-one-line'), lines(2))).toBe(false);
    expect(runtime.isOurDraft(draftOf('draft-two-lines'), 'line one\nline two')).toBe(true);
    expect(runtime.isOurDraft(draftOf('draft'), 'line one\nline two')).toBe(false);
    expect(runtime.isOurDraft('a zero-width word', 'a zero\u200b-width \u200dword')).toBe(true);
    expect(runtime.isOurDraft('another word', 'a zero\u200b-width word')).toBe(false);
  });
});

describe('the context use of Claude Code', () => {
  /**
   * The context limit that was measured for each window size and setting. The client either showed this limit, or
   * compacted when the context reached this limit (docs/decisions/0013).
   */
  it.each([
    [1_000_000, {}, 967_000],
    [200_000, {}, 180_000],
    [1_000_000, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' }, 490_000],
    [1_000_000, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '100' }, 967_000],
    [200_000, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '50' }, 180_000],
    [1_000_000, { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '400000' }, 367_000],
    [1_000_000, { DISABLE_AUTO_COMPACT: '1' }, 980_000],
    [1_000_000, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: 'much', CLAUDE_CODE_AUTO_COMPACT_WINDOW: '' }, 967_000],
  ])(
    'a context window of %i tokens with the environment variables %j counts as full at %i tokens',
    (window, env, limit) => {
      expect(contextLimit(window, env)).toBe(limit);
      const percentAt = (tokens: number) => {
        const use = { used_percentage: 1, total_input_tokens: tokens, context_window_size: window };
        const payload = { session_id: 's', context_window: use };
        const [fact] = createClaudeCodeRuntime(env).parseHook({ event: 'StatusLine', payload }).facts;
        return fact?.type === 'context_measured' ? [fact.usedPercent, fact.usedTokens, fact.windowTokens] : [];
      };
      expect(percentAt(limit / 2)).toEqual([50, limit / 2, window]);
      expect(percentAt(limit)).toEqual([100, limit, window]);
      expect(percentAt(window)).toEqual([100, window, window]);
    },
  );

  /**
   * In version 2.0.77, `total_input_tokens` counts the tokens of the whole session. This version reports no usage
   * before the first answer.
   */
  it('[L25] if the client reports no percentage, context use is computed from the token counts of the last answer', () => {
    const measured = (usage: unknown) => {
      const use = { total_input_tokens: 900_000, context_window_size: 200_000, current_usage: usage };
      return runtime.parseHook({ event: 'StatusLine', payload: { session_id: 's', context_window: use } }).facts;
    };
    const usage = { input_tokens: 4_000, cache_creation_input_tokens: 6_000, cache_read_input_tokens: 80_000 };
    expect(measured(usage)).toEqual([
      { type: 'context_measured', usedPercent: 50, usedTokens: 90_000, windowTokens: 200_000 },
    ]);
    expect(measured(null)).toEqual([]);
    expect(measured('much')).toEqual([]);
  });
});

describe('the size of the skill that an agent can get at a session start', () => {
  it('Baton gives Claude Code a skill through the session start hook only if the skill has at most 10,000 characters', () => {
    expect(runtime.sessionStartOutput?.('x'.repeat(10_000))).toContain('x'.repeat(10_000));
    expect(runtime.sessionStartOutput?.('x'.repeat(10_001))).toBeUndefined();
    expect(runtime.sessionStartOutput?.('😀'.repeat(5_001))).toBeUndefined();
  });
});

describe('[D11] the question of a permission request', () => {
  it.each([
    [
      { tool_name: 'Bash', tool_input: { command: 'rm -rf build\n&& npm publish' } },
      'asks permission to use Bash: rm -rf build && npm publish',
    ],
    [
      { tool_name: 'Write', tool_input: { content: 'x', file_path: '/a/b.md' } },
      'asks permission to use Write: /a/b.md',
    ],
    [{ tool_name: 'AskUserQuestion', tool_input: { questions: [{ question: 'Which database?' }] } }, 'Which database?'],
    [{ tool_name: 'Bash', tool_input: { command: 7 } }, 'asks permission to use Bash'],
    [{ tool_name: 'Bash', tool_input: 'rm' }, 'asks permission to use Bash'],
    [{}, 'asks permission to use a tool'],
  ])('Baton composes the question of a permission request from the hook payload %j', (given, question) => {
    const payload = { session_id: 's', ...given };
    expect(runtime.parseHook({ event: 'PermissionRequest', payload }).facts).toContainEqual(
      expect.objectContaining({ type: 'input_requested', question }),
    );
  });

  it('a long permission request is shortened', () => {
    const payload = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'x'.repeat(5000) } };
    const [fact] = runtime.parseHook({ event: 'PermissionRequest', payload }).facts;
    expect(fact?.type === 'input_requested' && fact.question.length).toBeLessThan(340);
  });
});

describe('the hooks of a recorded session', () => {
  const hooks = hooksOf('claude-code');
  const parsed = hooks.map((hook) => ({ hook, ...runtime.parseHook(hook) }));
  const factsOf = (event: string, nth = 0) => parsed.filter(({ hook }) => hook.event === event).at(nth)?.facts;

  it('every hook of a recorded Claude Code session has a session id', () => {
    expect(parsed.length).toBeGreaterThan(5);
    expect(parsed.filter(({ sessionId }) => sessionId === null)).toEqual([]);
  });

  it('the hooks of Claude Code report whether a session start came from a launch, a compaction or /clear', () => {
    const sources = parsed.map(({ startedBy }) => startedBy).filter((source) => source !== null);
    expect(sources).toEqual(['startup', 'compact', 'clear']);
    expect(factsOf('SessionStart')).toEqual([
      expect.objectContaining({ type: 'session_started', transcriptPath: expect.stringMatching(/\.jsonl$/) }),
    ]);
  });

  it('the hooks of Claude Code report prompts, tools, questions and ends of turns', () => {
    const modeSeen = { type: 'permission_mode_seen', mode: expect.any(String) };
    expect(factsOf('UserPromptSubmit')).toEqual([
      {
        type: 'prompt_submitted',
        promptId: expect.any(String),
        ref: null,
        excerpt: expect.stringContaining('Read the plan'),
        textHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      modeSeen,
    ]);
    expect(factsOf('PreToolUse')).toEqual([
      expect.objectContaining({ type: 'tool_used', tool: 'Bash', phase: 'began' }),
    ]);
    expect(factsOf('PostToolUse')).toEqual([
      expect.objectContaining({ type: 'tool_used', tool: 'Bash', phase: 'ended' }),
    ]);
    expect(factsOf('PermissionRequest')).toEqual([
      expect.objectContaining({
        type: 'input_requested',
        question: expect.stringMatching(/^asks permission to use \w+: ./),
      }),
    ]);
    expect(factsOf('Stop')).toEqual([
      { type: 'turn_ended', promptId: expect.any(String), backgroundTasks: 0 },
      modeSeen,
    ]);
    expect(factsOf('StopFailure')).toEqual([
      expect.objectContaining({ type: 'turn_failed', error: expect.stringContaining('400') }),
    ]);
    expect(factsOf('PreCompact')).toEqual([{ type: 'compaction_started', trigger: 'manual' }]);
    expect(factsOf('PostCompact')).toEqual([{ type: 'compaction_ended', summary: 'Heard 6361 characters.' }]);
    expect(factsOf('SessionEnd')).toEqual([{ type: 'session_ended', reason: 'clear' }]);
    expect(factsOf('SessionEnd', -1)).toEqual([{ type: 'session_ended', reason: 'prompt_input_exit' }]);
  });

  it("the hooks of Claude Code report the context use as a percentage of the client's own limit", () => {
    const measured = parsed.filter(({ hook }) => hook.event === 'StatusLine').flatMap(({ facts }) => facts);
    expect(measured).toContainEqual({
      type: 'context_measured',
      usedPercent: 75,
      usedTokens: 730_000,
      windowTokens: 1_000_000,
    });
  });

  it('the hooks of Claude Code report a permission question and an idle agent', () => {
    const notes = parsed.filter(({ hook }) => hook.event === 'Notification');
    const of = (kind: string) =>
      notes.find(({ hook }) => (hook.payload as { notification_type: string }).notification_type === kind)?.facts;
    expect(of('permission_prompt')).toEqual([expect.objectContaining({ type: 'input_requested' })]);
    expect(of('idle_prompt')).toEqual([{ type: 'agent_said_idle', promptId: expect.any(String) }]);
  });

  it('[F24] Baton ignores the hook about a stopped subagent', () => {
    expect(parsed.filter(({ hook }) => hook.event === 'SubagentStop').flatMap(({ facts }) => facts)).toEqual([]);
  });
});

describe('the transcript reader for Claude Code', () => {
  const path = join(scratch, 'transcript.jsonl');
  const line = (entry: object) => `${JSON.stringify(entry)}\n`;
  const user = (content: unknown) => line({ type: 'user', message: { role: 'user', content } });
  const holds = (text: string) => runtime.transcript?.holds(path, text);

  it('the transcript reader finds a prompt of the user, whether the transcript stores it as plain text or as a text block', async () => {
    writeFileSync(path, user('Go on. [baton:abcd-one]') + user([{ type: 'text', text: 'Go on. [baton:abcd-two]' }]));
    expect(await holds('[baton:abcd-one]')).toBe(true);
    expect(await holds('[baton:abcd-two]')).toBe(true);
    expect(await holds('[baton:abcd-three]')).toBe(false);
  });

  it('the transcript reader takes no answer, tool result or blocked prompt for a submitted prompt', async () => {
    const mark = '[baton:abcd-blocked]';
    writeFileSync(
      path,
      line({ type: 'system', subtype: 'informational', content: `blocked: "type":"user" ${mark}` }) +
        line({ type: 'assistant', message: { content: [{ type: 'text', text: mark }] } }) +
        user([{ type: 'tool_result', content: mark }]),
    );
    expect(await holds(mark)).toBe(false);
  });

  it('the transcript reader finds a prompt at the end of a large transcript', async () => {
    const noise = line({ type: 'assistant', message: { content: 'x'.repeat(1_000_000) } });
    writeFileSync(path, `${noise.repeat(12) + user('[baton:abcd-late]')}{"type":"user","mess`);
    expect(await holds('[baton:abcd-late]')).toBe(true);
    const none = join(scratch, 'none.jsonl');
    expect(await runtime.transcript?.holds(none, 'x')).toBe(false);
    expect(await runtime.transcript?.end(none)).toBe(0);
    expect(await runtime.transcript?.promptsBehind(none, 7)).toEqual([]);
  });

  it('the transcript reader lists the prompts after a given position', async () => {
    writeFileSync(path, user('same'));
    const before = (await runtime.transcript?.end(path)) ?? 0;
    expect(await runtime.transcript?.promptsBehind(path, before)).toEqual([]);
    appendFileSync(path, line({ type: 'system', content: 'same' }) + user('same') + user([{ type: 'tool_result' }]));
    expect(await runtime.transcript?.promptsBehind(path, before)).toEqual(['same', '']);
    expect(await runtime.transcript?.promptsBehind(path, 0)).toEqual(['same', 'same', '']);
  });
});
