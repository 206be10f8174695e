import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { EVENTS_OF_ALL_VERSIONS, MATCHED_BY_TOOL } from '../../../src/adapters/runtimes/claude-code/claude-settings.ts';
import { operatorCommand, pluginCommand } from '../../../src/adapters/spool/external-session-script.ts';

const PLUGINS = fileURLToPath(new URL('../../../plugins', import.meta.url));
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(PLUGINS, ...path), 'utf8'));

describe('the files of the Claude Code plugin', () => {
  it("the plugin's hook file has Baton's hook commands for the events that every version of Claude Code has", () => {
    const { hooks } = readJson('claude-code', 'hooks', 'hooks.json');
    const wanted = EVENTS_OF_ALL_VERSIONS.map((event) => [
      event,
      [
        {
          ...(MATCHED_BY_TOOL.has(event) ? { matcher: '*' } : {}),
          hooks: [{ type: 'command', command: pluginCommand('claude-code', event) }],
        },
      ],
    ]);
    expect(hooks).toEqual(Object.fromEntries(wanted));
  });

  it("the plugin has Baton's version and the name from the marketplace file, and only a person can run the plugin's command /handoff", () => {
    const { plugins } = readJson('.claude-plugin', 'marketplace.json');
    const { name, version } = readJson('claude-code', '.claude-plugin', 'plugin.json');
    expect(plugins).toMatchObject([{ name, source: './claude-code' }]);
    const { version: ours } = JSON.parse(readFileSync(join(PLUGINS, '..', 'package.json'), 'utf8'));
    expect(version).toBe(ours);
    const command = readFileSync(join(PLUGINS, 'claude-code', 'commands', 'handoff.md'), 'utf8');
    expect(command).toContain('disable-model-invocation: true');
    expect(command).toContain('!`baton handoff --self');
  });
});

describe('a hook of the Claude Code plugin', () => {
  let home: string;
  const said = () => (existsSync(join(home, 'said')) ? readFileSync(join(home, 'said'), 'utf8') : '');
  const program = (name: string, mark: string): void => {
    const path = join(home, '.baton', 'bin', name);
    writeFileSync(path, `#!/bin/sh\ncat >/dev/null\nprintf '%s %s;' ${mark} "$*" >>'${join(home, 'said')}'\n`);
    chmodSync(path, 0o755);
  };
  /** Runs the plugin's hook command as a client would. This test process acts as the client. */
  const runHook = (event: string, env: NodeJS.ProcessEnv = {}): void =>
    void execFileSync('/bin/sh', ['-c', pluginCommand('claude-code', event)], {
      input: '{}',
      env: { PATH: process.env.PATH, HOME: home, ...env },
    });

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'bt-plugin-'));
    mkdirSync(join(home, '.baton', 'bin'), { recursive: true });
    mkdirSync(join(home, '.baton', 'adopted'));
    mkdirSync(join(home, '.claude'));
    program('baton-candidate', 'candidate');
    program('baton-adopted', 'adopted');
  });

  it('for a session that is not adopted, the plugin reports only the start and the end of the session', () => {
    for (const event of EVENTS_OF_ALL_VERSIONS) runHook(event);
    expect(said()).toBe(
      `candidate claude-code SessionStart ${process.pid} 2;candidate claude-code SessionEnd ${process.pid} 2;`,
    );
  });

  it('the plugin passes an event of an adopted session to the hook script for adopted sessions', () => {
    writeFileSync(join(home, '.baton', 'adopted', String(process.pid)), '');
    runHook('Stop');
    expect(said()).toBe('adopted Stop;');
  });

  it('the plugin reports nothing for an agent that Baton started, and nothing without a Baton home', () => {
    runHook('SessionStart', { BATON_AGENT_TOKEN: 'x' });
    runHook('SessionStart', { BATON_HOME: join(home, 'nowhere') });
    expect(said()).toBe('');
  });

  it('the plugin reports nothing if `baton hooks install` has written the same hooks', () => {
    const scripts = { adoptedFolder: '/a', adoptedScript: '/b', externalSessionScript: '/c' };
    const command = `${operatorCommand(scripts, 'claude-code', 'SessionStart')} # baton hooks v2`;
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ hooks: [command] }));
    runHook('SessionStart');
    expect(said()).toBe('');
  });
});
