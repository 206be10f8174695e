import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../../../src/adapters/home/open-home.ts';
import { readConfig } from '../../../src/adapters/home/read-config.ts';
import { readOrMakeSecret } from '../../../src/adapters/home/secret-file.ts';
import { takeServerLock } from '../../../src/adapters/home/server-lock.ts';
import { DEFAULT_TIMERS } from '../../../src/domain/packages/package-facts.ts';
import { needs, ROOT_ACCOUNT } from '../../support/needs.ts';

const scratch = (): string => mkdtempSync(join(tmpdir(), 'bth-'));

const made = (path: string, make: (path: string) => void): string => {
  make(path);
  return path;
};

describe("Baton's home", () => {
  it('Baton creates its home with access for the operator only', () => {
    const home = openHome(join(scratch(), 'deep', 'home'));
    for (const folder of [home.path, home.spool, home.bin, home.agents, home.documents])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(openHome(home.path)).toEqual(home);
  });

  it.each<[string, (root: string) => string, RegExp]>([
    ['its path is relative', () => 'home', /absolute/],
    ['its path is too long for a socket', (root) => join(root, 'x'.repeat(90)), /at most 90/],
    ['its path contains a #', (root) => join(root, 'a#b'), /"#"/],
    ['its path contains a control character', (root) => join(root, 'a\nb'), /control/],
    ['it is a file', (root) => made(join(root, 'f'), (path) => writeFileSync(path, '')), /not a folder/],
    ['it is a link', (root) => made(join(root, 'l'), (path) => symlinkSync(root, path)), /symbolic link/],
    [
      'others can read it',
      (root) =>
        made(join(root, 'o'), (path) => {
          mkdirSync(path);
          chmodSync(path, 0o755);
        }),
      /chmod 700/,
    ],
    [
      'it is in a folder that everybody can change',
      (root) => {
        mkdirSync(join(root, 'p'));
        chmodSync(join(root, 'p'), 0o777);
        return join(root, 'p', 'home');
      },
      /could replace/,
    ],
  ])('[T5] Baton refuses its home when %s', (_why, make, sentence) => {
    expect(() => openHome(make(scratch()))).toThrow(sentence);
  });

  it('[T5] Baton refuses a home that belongs to another user (the test needs root)', needs(ROOT_ACCOUNT), () => {
    const path = join(scratch(), 'theirs');
    mkdirSync(path, { mode: 0o700 });
    chownSync(path, 65534, 65534);
    expect(() => openHome(path)).toThrow(/another user/);
  });

  it('each secret is stored in a file that only the operator can read', () => {
    const path = join(scratch(), 'token');
    const secret = readOrMakeSecret(path, () => 'one');
    expect(secret).toBe('one');
    expect(readOrMakeSecret(path, () => 'two')).toBe('one');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(() => readOrMakeSecret(path, () => 'x')).toThrow(/read by others/);
    const empty = join(scratch(), 'token');
    writeFileSync(empty, '', { mode: 0o600 });
    expect(() => readOrMakeSecret(empty, () => 'x')).toThrow(/empty/);
    expect(readFileSync(path, 'utf8').trim()).toBe('one');
  });

  it('[F48] only one server can hold the lock of the home', () => {
    const path = join(scratch(), 'lock.db');
    const release = takeServerLock(path);
    expect(() => takeServerLock(path)).toThrow(/already running/);
    release();
    takeServerLock(path)();
  });
});

const TOLD = { os: true, waits: true, finished: true, near_threshold: true, notices: true };

describe('the config file', () => {
  const config = (text: string): string => {
    const path = join(scratch(), 'config.json');
    writeFileSync(path, text);
    return path;
  };

  it('Baton uses the default settings if the config file does not exist', () => {
    expect(readConfig('/does/not/exist.json')).toMatchObject({ port: 7421, reconcileEveryMs: 2000 });
  });

  it('a setting that the config file omits keeps its default', () => {
    const read = readConfig(config('{"port": 0, "deadlines_seconds": {"shutting_down": 5}}'));
    expect(read).toMatchObject({ port: 0, deadlines: { shutting_down: 5_000, instructing: 20_000 } });
  });

  it('[T6] additional host names for the page are allowed only if the config file lists them', () => {
    const names = ['baton.my-tailnet.ts.net', 'box', 'xn--bcher-kva.test:8443', '1a.test'];
    expect(readConfig(config(JSON.stringify({ allowed_hosts: names }))).allowedHosts).toEqual(names);
    expect(readConfig('/does/not/exist.json').allowedHosts).toEqual([]);
  });

  it('the config enables desktop notifications by default', () => {
    expect(readConfig('/does/not/exist.json').notifications).toEqual(TOLD);
    const told = { os: false, ntfy: 'https://ntfy.sh/con', webhook: 'http://127.0.0.1:9/hook?x=1' };
    expect(readConfig(config(JSON.stringify({ notifications: told }))).notifications).toEqual({ ...TOLD, ...told });
    expect(readConfig(config('{"notifications": {}}')).notifications).toEqual(TOLD);
  });

  it('[004 Persistence] [package P19] changing one package timer in the config leaves the other package timers at their defaults', () => {
    const unset = readConfig('/does/not/exist.json');
    expect([unset.packageTimers, unset.packageArchive]).toEqual([DEFAULT_TIMERS, true]);
    const set = readConfig(config('{"package_timers_seconds": {"acknowledge": 5}, "package_archive": false}'));
    expect([set.packageTimers, set.packageArchive]).toEqual([{ ...DEFAULT_TIMERS, acknowledge: 5_000 }, false]);
  });

  it('the config can set variables for all agents or for one project', () => {
    const env = { API_URL: 'https://example.test', OLD: null };
    const read = readConfig(config(JSON.stringify({ env, projects: { shop: { env: { A: '' } }, '/p': {} } })));
    expect([read.env, read.projects]).toEqual([env, { shop: { A: '' }, '/p': {} }]);
  });

  it.each([
    ['{"env": {"A B": "s3cr3t"}}', /"env\.A B": is not a valid variable name/],
    ['{"env": {"1A": "s3cr3t"}}', /"env\.1A": is not a valid variable name/],
    ['{"env": {"A": 5}}', /"env\.A": must be a string, or null/],
    ['{"env": {"A": ["s3cr3t"]}}', /"env\.A": must be a string, or null/],
    ['{"env": {"A": "s3cr3t\\u0000"}}', /"env\.A": contains a NUL character/],
    ['{"env": {"BATON_AGENT_TOKEN": "s3cr3t"}}', /"env\.BATON_AGENT_TOKEN": is set by Baton itself/],
    ['{"env": {"TMUX": "s3cr3t"}}', /"env\.TMUX": is set by the terminal or the shell/],
    ['{"env": "s3cr3t"}', /"env": /],
    ['{"projects": {"shop": {"env": {"A": 1}}}}', /"projects\.shop\.env\.A": must be a string, or null/],
    ['{"projects": {"shop": {"evn": {}}}}', /Unknown key "projects\.shop\.evn"; the allowed keys are env\./],
    ['{"env": {"A": "s3cr3t"} "port": 1}', /is not valid JSON \(.*\)\. Correct this file, then try again\.$/],
  ])('an invalid variable in the config is reported without its value: %s', (text, sentence) => {
    expect(() => readConfig(config(text))).toThrow(sentence);
    expect(() => readConfig(config(text))).toThrow(/^(?!.*s3cr3t)/s);
  });

  it('if the config file cannot be read, the error says what to do', () => {
    const path = join(scratch(), 'config.json');
    mkdirSync(path);
    expect(() => readConfig(path)).toThrow(
      /config\.json cannot be read \(EISDIR.*\)\. Make it a file that your user can read, then try again\.$/,
    );
  });

  it('no config error shows a webhook or ntfy address, because the address may be a secret', () => {
    const path = config('{"notifications": {"webhook": "ftp://example.org/s3cr3t", "ntfy": "https://a:s3cr3t@b/c"}}');
    expect(() => readConfig(path)).toThrow(/^(?!.*s3cr3t).*$/);
  });

  it.each([
    ['{"prot": 1}', /Unknown key "prot"; the allowed keys are port, deadlines_seconds, package_timers_seconds/],
    [
      '{"deadlines_seconds": {"exiting": 1}}',
      /Unknown key "deadlines_seconds\.exiting"; the allowed keys are requested, .*shutting_down/,
    ],
    ['{"port": "x"}', /"port": .*number/],
    ['{"port": 70000}', /"port": .*65535/],
    [
      '{"package_timers_seconds": {"gates": 5}}',
      /Unknown key "package_timers_seconds\.gates"; the allowed keys are draft, acknowledge, clarify, gate, work, gone\./,
    ],
    ['{"notifications": {"mail": "a@b"}}', /Unknown key "notifications\.mail"; the allowed keys are os, ntfy, webhook/],
    ['{"notifications": {"os": "yes"}}', /"notifications\.os": .*boolean/],
    ['{"notifications": true}', /"notifications": .*object/],
    ['{"notifications": {"failures": false}}', /Unknown key "notifications\.failures"/],
    ['{"quiet_hours": {"from": "22:00"}}', /"quiet_hours\.to"/],
    ['{"quiet_hours": {"from": "24:00", "to": "07:00"}}', /"quiet_hours\.from": must be a time such as 22:00/],
    ['{"quiet_hours": {"from": "7:00", "to": "08:00"}}', /"quiet_hours\.from": must be a time/],
    ['{"quiet_hours": {"from": "07:00", "to": "07:00"}}', /"quiet_hours": from and to must differ/],
    ['{"quiet_hours": {"from": "07:00", "to": "08:00", "on": 1}}', /"quiet_hours\.on"; the allowed keys are from, to/],
    ['{"notify_finished_after_seconds": 0}', /"notify_finished_after_seconds"/],
    ['{"allowed_hosts": "a.test"}', /"allowed_hosts": .*array/],
    ['{"allowed_hosts": ["a.test", "*.ts.net"]}', /"allowed_hosts\.1": must be an exact name, without a wildcard/],
    ['{"allowed_hosts": ["https://a.test"]}', /no http:\/\//],
    ['{"allowed_hosts": ["a.test/"]}', /no path/],
    ['{"allowed_hosts": ["con@a.test"]}', /must be only a name with or without a port/],
    ['{"allowed_hosts": ["0.0.0.0"]}', /not an IP address/],
    ['{"allowed_hosts": ["[::]:80"]}', /not an IP address/],
    ['{"allowed_hosts": ["::"]}', /not an IP address/],
    ['{"allowed_hosts": ["192.168.1.5:8080"]}', /not an IP address/],
    ['{"allowed_hosts": ["2130706433"]}', /not an IP address/],
    ['{"allowed_hosts": ["0x7f.1"]}', /not an IP address/],
    ['{"allowed_hosts": ["Baton.test"]}', /lower case/],
    ['{"allowed_hosts": ["baton.test."]}', /must be a host name/],
    ['{"allowed_hosts": [""]}', /must be a host name/],
    ['{"allowed_hosts": ["a_b.test"]}', /must be a host name/],
    ['{"allowed_hosts": ["a.test:443"]}', /leave out :443/],
    ['{"allowed_hosts": ["a.test:0"]}', /port from 1/],
    ['{"allowed_hosts": ["a.test:99999"]}', /port from 1/],
    ['{"allowed_hosts": ["localhost:7421"]}', /loopback is always allowed/],
    ['{"allowed_hosts": ["evil.localhost"]}', /loopback is always allowed/],
    [
      '{"notifications": {"webhook": "file:///etc/passwd"}}',
      /"notifications\.webhook": must be an http or https address/,
    ],
    ['{"notifications": {"webhook": "https://con:pw@example.org/"}}', /"notifications\.webhook": .*without user/],
    ['{"notifications": {"webhook": "example.org"}}', /"notifications\.webhook": must be an http/],
    ['{"notifications": {"ntfy": "https://ntfy.sh/"}}', /"notifications\.ntfy": must end with a topic/],
    ['{', /not valid JSON/],
    ['[]', /object/],
  ])('an invalid config file is refused with an error that says what is wrong: %s', (text, sentence) => {
    expect(() => readConfig(config(text))).toThrow(sentence);
  });
});
