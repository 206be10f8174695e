import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bundleProgram } from '../../../scripts/build/bundle.mjs';
import { readLoginShell } from '../../../src/adapters/environment/read-login-shell.ts';
import { isRunning } from '../../support/is-running.ts';
import { needs } from '../../support/needs.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bte-'));
});

const env = () => ({ HOME: home, PATH: '/usr/bin:/bin', FROM_SERVER: 'yes' });
const read = (shell: string, patienceMs = 120_000) => readLoginShell({ shell, env: env(), patienceMs });
const variables = async (shell: string): Promise<Readonly<Record<string, string>>> => {
  const found = await read(shell);
  if ('problem' in found) throw new Error(found.problem);
  return found.env;
};
/** The configuration file that each shell reads when it starts as an interactive login shell. */
const SHELLS: Readonly<Record<string, string>> = { bash: '.bash_profile', dash: '.profile', zsh: '.zprofile' };
const present = Object.keys(SHELLS).filter((shell) => ['/bin', '/usr/bin'].some((bin) => existsSync(join(bin, shell))));
const rc = (shell: string, lines: string): void => writeFileSync(join(home, SHELLS[shell] ?? ''), lines);
const pathOf = (shell: string): string => ['/usr/bin', '/bin'].map((bin) => join(bin, shell)).find(existsSync) ?? shell;

describe.each(present)('%s as the login shell', (shell) => {
  it('Baton reads the exported variables of the login shell, even values with line breaks and quotes', async () => {
    rc(shell, `export PATH="$HOME/.tools/bin:$PATH"\nexport LINES_IN='one\ntwo "three"'\nNOT_EXPORTED=1\n`);
    const found = await variables(pathOf(shell));
    expect(found.PATH?.startsWith(`${home}/.tools/bin:`)).toBe(true);
    expect(found.LINES_IN).toBe('one\ntwo "three"');
    expect(found.FROM_SERVER).toBe('yes');
    expect(found.NOT_EXPORTED).toBeUndefined();
  });

  it('Baton reads the variables correctly even if the login shell also prints NUL bytes or text that looks like variables', async () => {
    rc(shell, `echo "Welcome"; printf 'FAKE=1\\000\\000baton-\\n'; echo oops >&2\nexport REAL=1\n`);
    const found = await variables(pathOf(shell));
    expect(found.REAL).toBe('1');
    expect(found.FAKE).toBeUndefined();
  });

  it('Baton reports a problem if the login shell exits early', async () => {
    rc(shell, 'exit 1\n');
    expect(await read(pathOf(shell))).toEqual({ problem: 'ended with code 1 before it printed its environment' });
  });

  it('Baton kills a login shell that hangs, together with its children', async () => {
    rc(shell, `sleep 1000 & echo $! > "$HOME/pid"; wait; sleep 1000\n`);
    expect(await read(pathOf(shell), 1_500)).toEqual({ problem: 'did not answer within 1.5 s' });
    await vi.waitFor(() => expect(!isRunning(Number(readFileSync(join(home, 'pid'), 'utf8')))).toBe(true), {
      timeout: 120_000,
    });
  });

  it('Baton does not wait for background processes of the login shell before it returns the variables', async () => {
    rc(shell, `sleep 1000 & echo $! > "$HOME/pid"\nexport REAL=1\n`);
    expect((await variables(pathOf(shell))).REAL).toBe('1');
    await vi.waitFor(() => expect(!isRunning(Number(readFileSync(join(home, 'pid'), 'utf8')))).toBe(true), {
      timeout: 120_000,
    });
  });

  it('Baton runs the login shell without input and without a terminal', async () => {
    rc(shell, `read -r line && export GOT="$line"; (: < /dev/tty) 2>/dev/null && export TTY_THERE=1\nexport REAL=1\n`);
    const found = await variables(pathOf(shell));
    expect([found.REAL, found.GOT, found.TTY_THERE]).toEqual(['1', undefined, undefined]);
  });
});

/** Tests fish separately from the other shells, because fish is not POSIX compatible. */
describe('fish as the login shell', needs('fish'), () => {
  const config = (lines: string): void => {
    mkdirSync(join(home, '.config/fish'), { recursive: true });
    writeFileSync(join(home, '.config/fish/config.fish'), lines);
  };
  const isGone = () =>
    vi.waitFor(() => expect(isRunning(Number(readFileSync(join(home, 'pid'), 'utf8')))).toBe(false), {
      timeout: 120_000,
    });

  it('Baton reads the exported variables of fish', async () => {
    mkdirSync(join(home, 'tools'));
    config(
      `echo Welcome; printf 'FAKE=1\\000'; set -g NOT_EXPORTED 1; fish_add_path -g ~/tools\nstatus is-login; and status is-interactive; and set -gx LINES_IN 'one\ntwo "three"'\nset -gx --path MANPATH /a /b\n`,
    );
    const found = await variables(pathOf('fish'));
    expect(found).toMatchObject({ LINES_IN: 'one\ntwo "three"', MANPATH: '/a:/b', FROM_SERVER: 'yes' });
    expect(found.PATH?.startsWith(`${home}/tools:`)).toBe(true);
    expect([found.NOT_EXPORTED, found.FAKE]).toEqual([undefined, undefined]);
  });

  it('Baton reports a problem if fish exits early or hangs', async () => {
    // Use `exec false`, which ends fish. A plain `exit` would only end the reading of this configuration file.
    config('exec false\n');
    expect(await read(pathOf('fish'))).toEqual({ problem: 'ended with code 1 before it printed its environment' });
    config('sleep 1000 &\necho $last_pid > ~/pid\nsleep 1000\n');
    expect(await read(pathOf('fish'), 1_500)).toEqual({ problem: 'did not answer within 1.5 s' });
    await isGone();
  });

  it('Baton does not wait for background processes of fish before it returns the variables', async () => {
    config('sleep 1000 &\necho $last_pid > ~/pid\nset -gx REAL 1\n');
    expect((await variables(pathOf('fish'))).REAL).toBe('1');
    await isGone();
  });
});

describe('reading the variables of the login shell', () => {
  it('Baton kills a login shell that prints endlessly', async () => {
    rc('bash', 'yes\n');
    expect(await read('/bin/bash')).toEqual({ problem: 'printed more than 4 MiB' });
  });

  it('Baton reports a problem if the login shell does not exist', async () => {
    expect(await read('/does/not/exist')).toEqual({ problem: 'ended with code 127 before it printed its environment' });
  });

  it('the login shell ends when Baton ends, even if Baton is killed with kill -9', async () => {
    rc('bash', 'echo $$ > "$HOME/pid"; sleep 1000\n');
    const program = `import { readLoginShell } from '@src/adapters/environment/read-login-shell.ts';
      setInterval(() => undefined, 1000);
      await readLoginShell({ shell: '/bin/bash', env: ${JSON.stringify(env())}, patienceMs: 600_000 });`;
    const baton = spawn(process.execPath, [await bundleProgram(program)], { stdio: 'ignore' });
    await vi.waitFor(
      () => expect(existsSync(join(home, 'pid')) && readFileSync(join(home, 'pid'), 'utf8') !== '').toBe(true),
      { timeout: 120_000 },
    );
    const pid = Number(readFileSync(join(home, 'pid'), 'utf8'));
    expect(isRunning(pid)).toBe(true);
    baton.kill('SIGKILL');
    await vi.waitFor(() => expect(!isRunning(pid)).toBe(true), { timeout: 120_000 });
  });

  it('no process has a secret in its arguments while Baton reads the variables of the login shell', async () => {
    rc('bash', `export SHOP_TOKEN=do-not-show-me\nps -e -o args= > "$HOME/args"\n`);
    mkdirSync(join(home, 'x'));
    await variables('/bin/bash');
    expect(execFileSync('cat', [join(home, 'args')], { encoding: 'utf8' })).not.toContain('do-not-show-me');
  });
});

it("if Baton stops waiting for a slow login shell, the shell's startup script can still remove its lock file", async () => {
  const lock = join(home, 'lock');
  const slow = join(home, 'slow');
  writeFileSync(slow, `trap 'rm -f ${lock}' EXIT\ntouch ${lock} ${lock}.begun\nsleep 60\n`);
  rc('bash', `bash ${slow}\n`);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const reading = read(pathOf('bash'), 20_000);
    while (!existsSync(`${lock}.begun`)) await pause(20);
    vi.advanceTimersByTime(20_000);
    expect(await reading).toEqual({ problem: 'did not answer within 20 s' });
  } finally {
    vi.useRealTimers();
  }
  await expect.poll(() => existsSync(lock)).toBe(false);
});
