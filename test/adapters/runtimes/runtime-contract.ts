import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentRuntime, LaunchContext } from '../../../src/app/ports/agent-runtime.ts';
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

/** Baton's requirements for every agent CLI. */
export function runtimeContract(runtime: AgentRuntime): void {
  describe(`the runtime ${runtime.id}`, () => {
    const plan = runtime.planLaunch(launchContext());
    const settings = JSON.parse(plan.files['settings.json'] ?? '{}') as Settings;
    const commands = Object.entries(settings.hooks).map(([event, [entry]]) => [event, entry?.hooks[0]?.command]);

    it('is launched with the session id of the registered agent', () => {
      expect(plan.argv).toContain(SESSION);
      expect(plan.argv).toContain(join('/home/op/.baton/agents/7', 'settings.json'));
    });

    it('has no secret in its arguments, environment and files', () => {
      // The token comes only through the launch script, since `ps` shows arguments to everybody.
      const { argv, env, files } = plan;
      // The name of the variable may appear if the client reads the value from the environment.
      const named = /\\"BATON_AGENT_TOKEN\\": \\"\$\{BATON_AGENT_TOKEN\}\\"/g;
      const said = JSON.stringify({ argv, env, files }).replace(named, '');
      expect(said).not.toMatch(/token|secret|sk-ant|BATON_AGENT/i);
    });

    it('reports each event by the same constant command', () => {
      for (const [event, command] of commands) expect(command).toBe(`'/home/op/.baton/bin/baton-hook' ${event}`);
      expect(settings.statusLine).toEqual({ type: 'command', command: `'/home/op/.baton/bin/baton-hook' StatusLine` });
    });

    it.each(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'PreCompact', 'SessionEnd'])(
      'subscribes to the hook event %s',
      (event) => expect(Object.keys(settings.hooks)).toContain(event),
    );

    it('parses every event that it subscribes to, and ignores invalid payloads', () => {
      for (const event of [...Object.keys(settings.hooks), 'StatusLine']) {
        expect(runtime.parseHook({ event, payload: { session_id: SESSION } }).sessionId).toBe(SESSION);
        expect(runtime.parseHook({ event, payload: 'nonsense' })).toEqual({
          sessionId: null,
          startedBy: null,
          facts: [],
        });
      }
    });

    it('gives a session the prepared text as one line of hook output, if the runtime supports that', () => {
      const text = 'two\nlines, "quoted"';
      const output = runtime.sessionStartOutput?.(text) ?? JSON.stringify({ typed: text });
      expect(output).not.toContain('\n');
      expect(JSON.stringify(JSON.parse(output))).toContain(JSON.stringify(text));
    });

    it('exits by a command that the terminal may type', () => {
      expect(runtime.exitCommand).toMatch(/^\/[a-z]+$/);
      expect(runtime.settleMs).toBeGreaterThan(0);
    });

    it('reads a screen without a composer as starting', () => {
      expect(runtime.readScreen({ lines: ['', ''], cursorX: 0, cursorY: 0 })).toEqual({ kind: 'starting' });
    });

    it.each(screensOf(runtime.id))('reads the recorded screen $name', ({ name, screen }) => {
      expect(runtime.readScreen(screen).kind).toBe(name.split('-')[0]);
    });
  });
}
