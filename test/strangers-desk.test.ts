import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { strangersEnvironment } from '../scripts/prove/strangers-desk.mjs';

const HOSTILE: Record<string, readonly string[]> = {
  'shell files': ['ENV', 'BASH_ENV', 'ZDOTDIR', 'CDPATH', 'PROMPT_COMMAND'],
  'git settings': ['GIT_DIR', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_COUNT', 'GIT_EDITOR', 'GIT_TRACE'],
  direnv: ['DIRENV_DIR', 'DIRENV_DIFF'],
  'a desktop': ['DBUS_SESSION_BUS_ADDRESS', 'DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR', 'SSH_AUTH_SOCK'],
  'a locale': ['LC_ALL', 'LC_CTYPE', 'LANGUAGE'],
  tmux: ['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'COLUMNS'],
  npm: ['npm_config_prefix', 'npm_config_omit', 'npm_config_offline', 'npm_lifecycle_event', 'INIT_CWD'],
  Node: ['NODE_OPTIONS', 'NODE_DEBUG', 'NODE_PATH', 'NODE_V8_COVERAGE'],
  proxies: ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'],
  colors: ['NO_COLOR', 'FORCE_COLOR', 'CI', 'GITHUB_ACTIONS'],
  'an editor': ['EDITOR', 'VISUAL', 'PAGER'],
  'an agent': ['CLAUDECODE', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'ANTHROPIC_API_KEY', 'BATON_HOME', 'BATON_AGENT_TOKEN'],
};

describe('the test environment', () => {
  it.each(Object.entries(HOSTILE))(
    "the test environment contains none of the caller's variables for %s",
    (_, names) => {
      const own = Object.fromEntries(names.map((name) => [name, 'theirs']));
      const { npm_config_https_proxy, npm_config_proxy, ...desk } = strangersEnvironment(own, '/new');
      expect(Object.keys(desk).filter((name) => names.includes(name))).toEqual([]);
    },
  );

  it('the test environment sets home, shell, locale, terminal, time zone and git settings', () => {
    const own = { HOME: '/theirs', SHELL: '/bin/false', LANG: 'tr_TR', TERM: 'dumb', TZ: 'Asia/Tokyo' };
    expect(strangersEnvironment(own, '/new')).toEqual(strangersEnvironment({}, '/new'));
    expect(strangersEnvironment({}, '/new')).toEqual({
      HOME: '/new',
      SHELL: '/bin/sh',
      LANG: expect.stringMatching(/UTF-8$/),
      TERM: 'xterm-256color',
      TZ: 'UTC',
      GIT_CONFIG_NOSYSTEM: '1',
    });
  });

  it("the test environment keeps the PATH and npm's settings", () => {
    const own = {
      PATH: '/bin',
      npm_config_registry: 'http://127.0.0.1:1/',
      npm_config_userconfig: '/theirs/.npmrc',
      BATON_PLANT: 'a bug',
    };
    expect(strangersEnvironment(own, '/new')).toMatchObject(own);
  });

  it('only npm gets the proxy settings in the test environment', () => {
    const desk = strangersEnvironment({ HTTPS_PROXY: 'http://proxy:1', no_proxy: 'localhost' }, '/new');
    expect(desk).toMatchObject({ npm_config_https_proxy: 'http://proxy:1', npm_config_noproxy: 'localhost' });
    expect(desk.HTTPS_PROXY).toBeUndefined();
  });

  it('the test environment omits certificates that cannot be read', () => {
    expect(
      strangersEnvironment({ NODE_EXTRA_CA_CERTS: '/nowhere/ca.pem' }, '/new').NODE_EXTRA_CA_CERTS,
    ).toBeUndefined();
    const here = process.execPath;
    expect(strangersEnvironment({ NODE_EXTRA_CA_CERTS: here }, '/new').NODE_EXTRA_CA_CERTS).toBe(here);
  });
});

it('a test and its child processes run in the test environment', () => {
  const printed = execFileSync(
    '/bin/sh',
    ['-c', 'umask; echo "$HOME $SHELL $TERM $TZ $GIT_CONFIG_NOSYSTEM"; git config --list'],
    {
      encoding: 'utf8',
      cwd: '/',
    },
  );
  expect(printed).toBe(`0022\n${process.env.HOME} /bin/sh xterm-256color UTC 1\n`);
  // The whole test run uses one temporary folder. A temporary folder inside another one would make socket paths too
  // long.
  expect(process.env.HOME).toMatch(/\/bt\w{6}\/bt-desk-\w{6}$/);
  expect(process.env.HOME).not.toMatch(/\/bt\w{6}\/bt\w{6}\//);
  expect(Object.keys(process.env).filter((name) => Object.values(HOSTILE).flat().includes(name))).toEqual([]);
});
