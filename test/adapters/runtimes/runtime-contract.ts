import { describe, expect, it } from 'vitest';
import type { AgentRuntime, LaunchContext, LaunchPlan } from '../../../src/app/ports/agent-runtime.ts';
import { screensOf } from './fixtures.ts';

const SESSION = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

export const launchContext = (change: Partial<LaunchContext> = {}): LaunchContext => ({
  agentId: 7,
  sessionUuid: SESSION,
  resumes: null,
  displayName: 'Con',
  clientArgs: [],
  permissionMode: null,
  projectPath: '/home/op/shop',
  personaHandoffsPath: '/home/op/.baton/data/personas/developer-con-1/handoffs',
  agentFolder: '/home/op/.baton/agents/7',
  batonProgram: '/home/op/.baton/bin/baton',
  hookCommand: (event) => `'/home/op/.baton/bin/baton-hook' ${event}`,
  ...change,
});

interface Settings {
  readonly hooks: Record<string, { readonly hooks: { readonly type: string; readonly command: string }[] }[]>;
  readonly statusLine: { readonly type: string; readonly command: string };
}

/**
 * Finds the hook commands of a launch plan. If the plan has no settings file, the commands are in the client's
 * arguments.
 */
function hookCommandsIn({ argv, files }: LaunchPlan): Readonly<Record<string, string | undefined>> {
  const settings = files['settings.json'];
  if (settings === undefined) return hooksInArguments(argv);
  const { hooks, statusLine } = JSON.parse(settings) as Settings;
  const commands = Object.entries(hooks).map(([event, [entry]]) => [event, entry?.hooks[0]?.command]);
  return { ...Object.fromEntries(commands), StatusLine: statusLine.command };
}

const HOOK_FLAG = /^hooks\.(\w+)=\[\{hooks=\[\{type="command",command=("(?:\\.|[^"\\])*")/;

function hooksInArguments(argv: readonly string[]): Readonly<Record<string, string>> {
  const found = argv.map((arg) => HOOK_FLAG.exec(arg) ?? []).filter(([whole]) => whole !== undefined);
  return Object.fromEntries(found.map(([, event = '', command = '']) => [event, JSON.parse(command) as string]));
}

/** Tests the requirements that every runtime (adapter of an agent CLI) must meet. */
export function runtimeContract(runtime: AgentRuntime): void {
  describe(`the runtime ${runtime.id}`, () => {
    const plan = runtime.planLaunch(launchContext());
    const commands = hookCommandsIn(plan);

    it('the runtime starts its client with the session id that Baton chose, unless the client chooses its own id', () => {
      expect(plan.argv.includes(SESSION)).toBe(runtime.choosesSessionId !== true);
    });

    it('the runtime resumes the previous session by its id if the client can resume', () => {
      const resumes = { sessionId: 'a-session-before', transcriptPath: '/home/op/transcript.jsonl' };
      const { argv } = runtime.planLaunch(launchContext({ resumes }));
      expect(argv.includes('a-session-before')).toBe(runtime.canResume);
    });

    it('the runtime puts no secret into the arguments, environment variables or files of its client', () => {
      // The plan must not contain the token, because every user can read arguments with `ps`. Only the launch script
      // passes the token to the agent.
      const { argv, env, files } = plan;
      // Remove the places where a plan contains only the name of the environment variable with the token. The plan is
      // allowed to name this variable, because the client reads the variable itself.
      const named = /\\"BATON_AGENT_TOKEN\\": \\"\$\{BATON_AGENT_TOKEN\}\\"|env_vars=\[[^\]]*\]/g;
      const said = JSON.stringify({ argv, env, files }).replace(named, '');
      expect(said).not.toMatch(/token|secret|sk-ant|BATON_AGENT/i);
    });

    it('the runtime registers the same hook command for every event', () => {
      for (const [event, command] of Object.entries(commands))
        expect(command).toBe(`'/home/op/.baton/bin/baton-hook' ${event}`);
    });

    it.each(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'PreCompact', 'SessionEnd'])(
      'the runtime subscribes to the hook event %s',
      (event) => expect(Object.keys(commands)).toContain(event),
    );

    it('the runtime parses every hook event to which it subscribes', () => {
      for (const event of [...Object.keys(commands), 'StatusLine']) {
        expect(runtime.parseHook({ event, payload: { session_id: SESSION } }).sessionId).toBe(SESSION);
        expect(runtime.parseHook({ event, payload: 'nonsense' })).toEqual({
          sessionId: null,
          startedBy: null,
          facts: [],
        });
      }
    });

    it('the runtime prints the skill for a session start as one line of JSON', () => {
      const text = 'two\nlines, "quoted"';
      const output = runtime.sessionStartOutput?.(text) ?? JSON.stringify({ typed: text });
      expect(output).not.toContain('\n');
      expect(JSON.stringify(JSON.parse(output))).toContain(JSON.stringify(text));
    });

    it('the exit command of the runtime is a slash and one word', () => {
      expect(runtime.exitCommand).toMatch(/^\/[a-z]+$/);
      expect(runtime.settleMs).toBeGreaterThan(0);
    });

    it('the runtime changes nothing in a typed text except white space at its end', () => {
      for (const text of ['plain', 'two\nlines', 'ends with @src/parser.ts', '#tag', '  indented'])
        expect((runtime.asTyped?.(text) ?? text).trimEnd()).toBe(text);
    });

    it('the runtime parses an empty screen as a starting agent', () => {
      expect(runtime.readScreen({ lines: ['', ''], cursorX: 0, cursorY: 0 })).toEqual({ kind: 'starting' });
    });

    it.each(screensOf(runtime.id))('the runtime reads the recorded screen $name', ({ name, screen }) => {
      expect(runtime.readScreen(screen).kind).toBe(name.split('-')[0]);
    });
  });
}
