import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createAgentEnvironment,
  type EnvironmentConfig,
} from '../../../src/adapters/environment/create-agent-environment.ts';

let home = '';
let config: EnvironmentConfig = { env: {}, projects: {} };
let learnt: Record<string, string | null> = {};
let nowMs = 0;
const sockets: Server[] = [];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'bte-')));
  config = { env: {}, projects: {} };
  learnt = {};
  nowMs = Date.parse('2026-11-15T08:00:00.000Z');
});
afterEach(() => {
  for (const server of sockets.splice(0)) server.close();
});

const profile = (lines: string): void => writeFileSync(join(home, '.bash_profile'), lines);
const make = (server: NodeJS.ProcessEnv = {}, shell = '/bin/bash') =>
  createAgentEnvironment({
    server: { HOME: home, PATH: '/usr/bin:/bin', ...server },
    shell,
    config: () => config,
    learn: (found) => Object.assign(learnt, found),
    nowMs: () => nowMs,
    patienceMs: 120_000,
  });
const project = () => ({ name: 'shop', path: home });
const given = async (environment: ReturnType<typeof make>, where: ReturnType<typeof project> | null = project()) => {
  const { variables, removed, problems } = await environment.forProject(where);
  return { value: Object.fromEntries(variables.map((each) => [each.name, each])), removed, problems };
};

describe('the environment variables of agents', () => {
  it('an agent gets the variables of the login shell unless the config overrides them', async () => {
    profile('export FROM_SHELL=shell OVER=shell GONE=shell\n');
    config = {
      env: { OVER: 'config', GONE: null, BOTH: 'config' },
      projects: { shop: { BOTH: 'name' }, [home]: { HERE: 'path' } },
    };
    const { value, removed, problems } = await given(make({ SAME: 'server' }));
    expect(problems).toEqual([]);
    expect(value).toMatchObject({
      FROM_SHELL: { value: 'shell', origin: 'login_shell' },
      SAME: { value: 'server', origin: 'server' },
      OVER: { value: 'config', origin: 'config' },
      BOTH: { value: 'name', origin: 'project' },
      HERE: { value: 'path', origin: 'project' },
    });
    expect(value.GONE).toBeUndefined();
    expect(removed).toContain('GONE');
    expect((await given(make(), { name: 'other', path: home })).value.BOTH?.value).toBe('config');
  });

  it("an agent's environment contains no variables that Baton, tmux or the login shell sets for itself", async () => {
    profile('export BATON_AGENT_TOKEN=x TMUX=/x,1,0 KEPT=1\n');
    const { value } = await given(make({ TMUX_PANE: '%1', INVOCATION_ID: 'x', BATON_HOME: '/x' }));
    const names = Object.keys(value);
    expect(names.filter((name) => /^(BATON_|TMUX|INVOCATION|PWD$|SHLVL$|TERM$|_$)/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['KEPT', 'HOME', 'PATH']));
  });

  it('[U11] an agent gets no variables or PATH entries that `npm start` added', async () => {
    profile('export npm_config_registry=https://npm.example\n');
    const started = {
      npm_execpath: '/npm',
      npm_package_name: 'baton',
      npm_package_json: '/b/package.json',
      INIT_CWD: '/b',
    };
    const { value } = await given(make({ ...started, PATH: '/b/node_modules/.bin:/usr/bin:/bin' }));
    expect(Object.keys(value).filter((name) => /^(npm_|INIT_CWD)/.test(name))).toEqual(['npm_config_registry']);
    expect(value.PATH?.value).not.toContain('node_modules');
  });

  it("in an agent's PATH, Baton's own entries come after the entries of the login shell", async () => {
    profile('export PATH=/mine/bin:/usr/bin\n');
    expect((await given(make({ PATH: '/started/with:/usr/bin' }))).value.PATH?.value).toBe(
      '/mine/bin:/usr/bin:/started/with',
    );
  });

  it("an agent gets the variables of Baton's server if the login shell fails", async () => {
    profile('exit 3\n');
    const environment = make({ OWN: 'server' });
    const first = await given(environment);
    expect(first.value.OWN).toMatchObject({ origin: 'server' });
    expect(first.problems[0]).toMatch(
      /^Your login shell \/bin\/bash ended with code 3 .*Baton's own environment.*--refresh$/,
    );
    expect(environment.state()).toMatchObject({ readAt: null, problem: first.problems[0] });
    profile('export OWN=shell\n');
    await environment.refresh();
    expect((await given(environment)).value.OWN?.value).toBe('shell');
    expect(environment.state()).toMatchObject({ readAt: '2026-11-15T08:00:00.000Z', problem: null });
  });

  it('if the login shell fails after an earlier success, an agent gets the variables that Baton last read from the login shell', async () => {
    profile('export TURN=1\n');
    const environment = make();
    expect((await given(environment)).value.TURN?.value).toBe('1');
    profile('export TURN=2\n');
    expect((await given(environment)).value.TURN?.value).toBe('1');
    nowMs += 13 * 3_600_000;
    expect((await given(environment)).value.TURN?.value).toBe('2');
    profile('exit 1\n');
    await environment.refresh();
    const { value, problems } = await given(environment);
    expect(value.TURN?.value).toBe('2');
    expect(problems[0]).toContain('the environment that it had at 2026-11-15T21:00:00.000Z');
  });

  it("an agent gets SSH_AUTH_SOCK of a running SSH agent if the operator's own socket no longer exists", async () => {
    const listen = (path: string) =>
      new Promise<void>((resolve) => {
        sockets.push(createServer().listen(path, resolve));
      });
    mkdirSync(join(home, 'run/keyring'), { recursive: true });
    await listen(join(home, 'run/keyring/ssh'));
    profile(`export SSH_AUTH_SOCK=${home}/gone.sock\n`);
    const server = { XDG_RUNTIME_DIR: join(home, 'run') };
    expect((await given(make(server))).value.SSH_AUTH_SOCK).toMatchObject({
      value: join(home, 'run/keyring/ssh'),
      origin: 'baton',
    });
    await listen(join(home, 'mine.sock'));
    profile(`export SSH_AUTH_SOCK=${home}/mine.sock\n`);
    expect((await given(make(server))).value.SSH_AUTH_SOCK).toMatchObject({
      value: join(home, 'mine.sock'),
      origin: 'login_shell',
    });
  });

  it('if the login shell does not set LANG, an agent still gets LANG, unless the config removes it', async () => {
    profile('unset LANG LC_ALL LC_CTYPE\n');
    expect((await given(make())).value.LANG).toMatchObject({ origin: 'baton' });
    config = { env: { LANG: null }, projects: {} };
    expect((await given(make())).value.LANG).toBeUndefined();
  });

  it("Baton treats the values of an agent's variables as secrets, whether they come from the shell or from the config", async () => {
    profile('export SHELL_TOKEN=a\n');
    config = { env: { CONFIG_TOKEN: 'b' }, projects: { shop: { PROJECT_TOKEN: 'c' } } };
    await given(make());
    expect(learnt).toMatchObject({ SHELL_TOKEN: 'a', CONFIG_TOKEN: 'b', PROJECT_TOKEN: 'c' });
  });

  it('if the config file can no longer be parsed, Baton keeps using the last valid config', async () => {
    const environment = createAgentEnvironment({
      server: { HOME: home, PATH: '/usr/bin:/bin' },
      shell: '/bin/bash',
      config: () => {
        if (existsSync(join(home, 'broken'))) throw new Error('config.json is not valid JSON');
        return { env: { SET: '1' }, projects: {} };
      },
      learn: () => undefined,
    });
    await given(environment);
    writeFileSync(join(home, 'broken'), '');
    const { value, problems } = await given(environment);
    expect([value.SET?.value, problems.join()]).toEqual(['1', expect.stringContaining('is not valid JSON')]);
  });
});

/**
 * A fake direnv stands in for the real one, which some machines do not have. Baton needs nothing from direnv but its
 * output and its exit code.
 */
describe('the variables that direnv sets', () => {
  const direnv = (script: string): void => {
    mkdirSync(join(home, 'bin'), { recursive: true });
    writeFileSync(join(home, 'bin/direnv'), `#!/bin/sh\n${script}\n`);
    chmodSync(join(home, 'bin/direnv'), 0o700);
    profile(`export PATH="${home}/bin:/usr/bin:/bin" TAKEN=away\n`);
  };

  it("an agent gets the variables that direnv sets for the project's folder", async () => {
    direnv(
      `[ "$1 $2" = "export json" ] && printf '{"DATABASE_URL":"postgres://x","TAKEN":null,"DIRENV_DIFF":"x","WHERE":"%s"}' "$PWD"`,
    );
    const { value, removed } = await given(make());
    expect(value.DATABASE_URL).toEqual({ name: 'DATABASE_URL', value: 'postgres://x', origin: 'direnv' });
    expect(value.WHERE?.value).toBe(home);
    expect(learnt).toMatchObject({ DATABASE_URL: 'postgres://x' });
    expect([value.DIRENV_DIFF, removed.includes('TAKEN')]).toEqual([undefined, true]);
    expect((await given(make(), null)).value.DATABASE_URL).toBeUndefined();
  });

  it("if the operator has not allowed the project's .envrc, Baton reports that agents get no variables from direnv", async () => {
    direnv(`echo "direnv: error $PWD/.envrc is blocked. Run direnv allow" >&2; exit 1`);
    expect((await given(make())).problems).toEqual([
      `direnv is not allowed there (read the .envrc, then run in that folder: direnv allow), so agents in ${home} get no variables from direnv.`,
    ]);
  });

  it.each([
    ['prints no JSON', 'echo nonsense', /is not JSON/],
    ['fails', 'exit 7', /failed with code 7/],
  ])('Baton reports a problem if direnv %s', async (_, script, expected) => {
    direnv(script);
    expect((await given(make())).problems.join()).toMatch(expected);
  });

  it('Baton reports no problem if direnv is not installed', async () => {
    rmSync(join(home, 'bin'), { recursive: true, force: true });
    profile('export PATH=/usr/bin:/bin\n');
    expect((await given(make())).problems).toEqual([]);
  });
});
