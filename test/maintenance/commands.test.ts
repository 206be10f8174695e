import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { explainConfig } from '../../src/adapters/home/explain-config.ts';
import { createFileLog } from '../../src/adapters/home/file-log.ts';
import { ConfigReport } from '../../src/contract/maintenance.ts';
import { PROGRAM } from '../support/baton-process.ts';
import { runInHome } from '../surfaces/cli/support/run-in-home.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'bc-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const put = (json: unknown) =>
  writeFileSync(join(home, 'config.json'), typeof json === 'string' ? json : JSON.stringify(json));

describe('baton config', () => {
  it('`baton config --explain` says for each setting where its value comes from', async () => {
    put({ port: 0, deadlines_seconds: { shutting_down: 5 } });
    const { code, stdout } = await runInHome(home, ['config', '--explain', '--json']);
    const { keys } = ConfigReport.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(keys.filter(({ meaning }) => meaning.length < 10)).toEqual([]);
    expect(keys.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['port', 'deadlines_seconds.undoing', 'notifications.webhook']),
    );
    expect(keys.find(({ key }) => key === 'port')).toMatchObject({ value: 0, default: 7421, source: 'config.json' });
    expect(keys.find(({ key }) => key === 'deadlines_seconds.shutting_down')).toMatchObject({ value: 5, default: 30 });
    expect(keys.find(({ key }) => key === 'handoff_at_percent')).toMatchObject({ value: 80, source: 'default' });
    const plain = (await runInHome(home, ['config', '--explain'])).stdout;
    expect(plain).toContain('port = 0  (config.json)\n  The port of the web page and the API');
  });

  it('`baton config --explain` shows no value that could be a secret', async () => {
    const env = { SHOP_KEY: 'hush-hush', OLD: null };
    put({ env, projects: { shop: { env } }, notifications: { webhook: 'https://example.org/hush' } });
    for (const more of [[], ['--json']]) {
      const { code, stdout } = await runInHome(home, ['config', '--explain', ...more]);
      expect([code, stdout]).toEqual([0, expect.stringContaining('SHOP_KEY')]);
      expect(stdout).not.toContain('hush');
    }
  });

  it('`baton config check` exits 1 if config.json is invalid', async () => {
    put({ prot: 1 });
    const ran = await runInHome(home, ['config', 'check']);
    expect([ran.code, ran.stdout]).toEqual([
      1,
      expect.stringContaining('Unknown key "prot"; the allowed keys are port'),
    ]);
    put('{');
    expect((await runInHome(home, ['config', 'check', '--json'])).code).toBe(1);
    expect(explainConfig(join(home, 'config.json')).keys.every(({ source }) => source === 'default')).toBe(true);
    rmSync(join(home, 'config.json'));
    expect((await runInHome(home, ['config', 'check'])).code).toBe(0);
  });
});

describe('baton completion', () => {
  /** Completes a command line with the real bash and Baton's real completion script. */
  const completed = (script: string, line: readonly string[]): string[] => {
    const words = line.map((word) => `'${word}'`).join(' ');
    const program = `${script}\nCOMP_WORDS=(${words}); COMP_CWORD=${line.length - 1}; _baton; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' }).trim().split('\n');
  };

  it('bash completes commands, subcommands and options', async () => {
    const { stdout } = await runInHome(home, ['completion', 'bash']);
    expect(completed(stdout, ['baton', 'ba'])).toEqual(['backup']);
    expect(completed(stdout, ['baton', 'service', ''])).toEqual(['status', 'install', 'uninstall', '--help']);
    expect(completed(stdout, ['baton', 'agent', '--json', 'st'])).toEqual(['start', 'stop']);
    expect(completed(stdout, ['baton', 'agent', 'send', '7', '--js'])).toEqual(['--json']);
    expect(completed(stdout, ['baton', 'purge', '--o'])).toEqual(['--older-than']);
  });

  it('zsh and fish complete the same words as bash', async () => {
    for (const shell of ['zsh', 'fish'])
      expect((await runInHome(home, ['completion', shell])).stdout).toContain("'agent start'");
    expect(await runInHome(home, ['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash, zsh, fish'),
    });
  });
});

describe('baton logs', () => {
  const path = () => join(home, 'baton.log');

  it('`baton logs` shows the last lines even if some of them are in the previous log file', async () => {
    writeFileSync(`${path()}.1`, `${JSON.stringify({ at: 'T0', level: 'info', message: 'before' })}\n`);
    const log = createFileLog(path(), (text) => text);
    log.info('first');
    log.warn('an agent said \u001b[31mred\u202e', { agent: 7 });
    appendFileSync(path(), 'no json \u001b]0;title\u0007\n');
    const { stdout, code } = await runInHome(home, ['logs']);
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/^(?:T0|\w{3} +\d+ \d\d:\d\d:\d\d|no) +/, ''))).toEqual([
      'info  before',
      'info  first',
      'warn  an agent said \\u001b[31mred\\u202e agent=7',
      'json \\u001b]0;title\\u0007',
      '',
    ]);
    expect((await runInHome(home, ['logs', '--lines', '2'])).stdout.trim().split('\n')).toHaveLength(2);
    const lines = (await runInHome(home, ['logs', '--json'])).stdout.trim().split('\n');
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({ level: 'warn', agent: 7 });
  });

  it('`baton logs` reports that there is no log yet', async () => {
    expect(await runInHome(home, ['logs'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No log yet at'),
    });
  });

  it('a full log file is renamed to a name that ends with .1', () => {
    writeFileSync(path(), 'x'.repeat(5 * 1024 * 1024 + 1));
    createFileLog(path(), (text) => text).info('next');
    expect([execFileSync('wc', ['-c', `${path()}.1`], { encoding: 'utf8' }).split(' ')[0]]).toEqual([
      String(5 * 1024 * 1024 + 1),
    ]);
  });

  it('after the log file was rotated, `baton logs --follow` continues with the new file', async () => {
    const line = (message: string) => `${JSON.stringify({ at: 'T', level: 'info', message })}\n`;
    writeFileSync(path(), line('one'));
    const child = spawn(process.execPath, [PROGRAM, 'logs', '-f'], { env: { ...process.env, BATON_HOME: home } });
    let seen = '';
    const until = (word: string) =>
      new Promise<void>((resolve) => {
        const look = () => seen.includes(word) && resolve();
        child.stdout.on('data', look);
        look();
      });
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
    });
    await until('one');
    appendFileSync(path(), line('two'));
    await until('two');
    appendFileSync(path(), line('three'));
    renameSync(path(), `${path()}.1`);
    writeFileSync(path(), line('four'));
    await until('four');
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGINT');
    await ended;
    expect(seen.match(/one|two|three|four/g)).toEqual(['one', 'two', 'three', 'four']);
  });
});
