import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstBrokenEvent } from '../../prove/memory-store/first-broken-event.ts';
import { takeServerLock } from '../../src/adapters/home/server-lock.ts';
import { END, headerOf, paddingFor, readHeader } from '../../src/adapters/maintenance/tar.ts';
import { BackupReport, RestoreReport } from '../../src/contract/maintenance.ts';
import { PROGRAM, run } from '../support/baton-process.ts';
import { runInHome } from '../surfaces/cli/support/run-in-home.ts';
import { type History, homeWithHistory, keptDocument } from './home-with-history.ts';

let history: History;
let folder = '';
beforeEach(async () => {
  history = await homeWithHistory();
  folder = mkdtempSync(join(tmpdir(), 'bkf-'));
});
afterEach(() => {
  for (const path of [history.home, folder]) rmSync(path, { recursive: true, force: true });
});

async function backup(name: string, ...argv: string[]): Promise<BackupReport> {
  const ran = await runInHome(history.home, ['backup', join(folder, name), ...argv, '--json']);
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
  return BackupReport.parse(JSON.parse(ran.stdout));
}
const restore = (name: string, ...argv: string[]) => runInHome(history.home, ['restore', join(folder, name), ...argv]);

/** Returns the content of each file in a backup, by path. */
function entriesOf(file: string): Map<string, Buffer> {
  const tar = gunzipSync(readFileSync(file));
  const entries = new Map<string, Buffer>();
  for (let at = 0; ; ) {
    const entry = readHeader(tar.subarray(at, at + 512));
    if (entry === undefined) return entries;
    entries.set(entry.path, tar.subarray(at + 512, at + 512 + entry.bytes));
    at += 512 + Math.ceil(entry.bytes / 512) * 512;
  }
}

function put(name: string, entries: Iterable<readonly [string, Buffer]>): void {
  const parts = [...entries].flatMap(([path, bytes]) => [
    headerOf({ path, bytes: bytes.length }),
    bytes,
    paddingFor(bytes.length),
  ]);
  writeFileSync(join(folder, name), gzipSync(Buffer.concat([...parts, END])));
}

/**
 * Returns the hash of each file in the home, except lock files, SQLite side files and files that a restore moved aside.
 */
function fingerprint(): Record<string, string> {
  const files = readdirSync(history.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/^(lock\.db|baton\.db-(wal|shm))$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/before-restore-'));
  return Object.fromEntries(
    files.sort().map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

function forge(
  name: string,
  change: (
    entries: Map<string, Buffer>,
    manifest: { files: { path: string; bytes: number; sha256: string }[]; schema: number },
  ) => void,
): void {
  const entries = entriesOf(join(folder, 'good.tar.gz'));
  const manifest = JSON.parse(entries.get('manifest.json')?.toString() ?? '');
  change(entries, manifest);
  if (entries.has('manifest.json')) entries.set('manifest.json', Buffer.from(JSON.stringify(manifest)));
  put(name, entries);
}
const named = (path: string, content: Buffer) => ({
  path,
  bytes: content.length,
  sha256: createHash('sha256').update(content).digest('hex'),
});

/** Returns a function that puts a config.json with the given text into the entries and the manifest of a backup. */
function withConfig(text: string): Parameters<typeof forge>[1] {
  const config = named('config.json', Buffer.from(text));
  return (entries, manifest) => {
    entries.set('config.json', Buffer.from(text));
    manifest.files = manifest.files.map((each) => (each.path === 'config.json' ? config : each));
  };
}

describe('baton backup', () => {
  it('a backup contains the store, documents, personas and templates, but no token', async () => {
    const report = await backup('a.tar.gz');
    const entries = entriesOf(report.file);
    const manifest = JSON.parse(entries.get('manifest.json')?.toString() ?? '');
    expect(manifest.files).toEqual(
      [...entries].filter(([path]) => path !== 'manifest.json').map(([path, content]) => named(path, content)),
    );
    expect([...entries.keys()]).toEqual(
      expect.arrayContaining([
        'baton.db',
        'config.json',
        keptDocument(1),
        'data/personas/developer-con-1/skill.md',
        'data/templates/instruction.txt',
      ]),
    );
    expect(report.left_out).toEqual(['token', 'secret', 'config.json: notifications.webhook', 'config.json: env']);
    expect(statSync(report.file).mode & 0o077).toBe(0);
    const all = gunzipSync(readFileSync(report.file)).toString('latin1');
    for (const secret of ['operator-token', 'the-secret', 'hush']) expect(all, secret).not.toContain(secret);
    expect(readdirSync(history.home).filter((name) => name.startsWith('backup-'))).toEqual([]);
  });

  it("[U17] without a path, a backup is written to the folder `backups` of Baton's home", async () => {
    const before = readdirSync(process.cwd());
    const made = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const ran = await runInHome(history.home, ['backup', '--json']);
      made.push(BackupReport.parse(JSON.parse(ran.stdout)));
    }
    expect(readdirSync(process.cwd())).toEqual(before);
    for (const { file } of made) {
      expect(dirname(file)).toBe(join(history.home, 'backups'));
      expect(file).toMatch(/\/baton-backup-[^/]+\.tar\.gz$/);
      expect([...entriesOf(file).keys()].filter((path) => path.startsWith('backups'))).toEqual([]);
    }
    expect(statSync(join(history.home, 'backups')).mode & 0o777).toBe(0o700);
  });

  it('page logins are in a backup only with --with-secrets', async () => {
    const store = history.store();
    const tokenHash = 'f0'.repeat(32);
    await store.write((tx) =>
      tx.savePageSession({ tokenHash, name: 'Phone', createdOn: '2026-11-15', usedOn: '2026-11-15' }),
    );
    store.close();
    const holds = async (name: string, ...argv: string[]) =>
      entriesOf((await backup(name, ...argv)).file)
        .get('baton.db')
        ?.includes(tokenHash);
    expect([await holds('a.tar.gz'), await holds('b.tar.gz', '--with-secrets')]).toEqual([false, true]);
  });

  it('access tokens and the secrets of the config are in a backup only with --with-secrets', async () => {
    const entries = entriesOf((await backup('a.tar.gz', '--with-secrets')).file);
    expect(entries.get('token')?.toString()).toBe('operator-token\n');
    expect(entries.get('config.json')?.toString()).toContain('hush');
  });

  it('if another process writes during a backup, the backup is still consistent', async () => {
    const writer = new Database(join(history.home, 'baton.db'));
    writer.exec('BEGIN IMMEDIATE');
    writer.exec("UPDATE agents SET runtime = 'half'");
    const { file } = await backup('a.tar.gz');
    writer.exec('ROLLBACK');
    writer.close();
    expect(entriesOf(file).get('baton.db')?.includes('half')).toBe(false);
    const again = await runInHome(history.home, ['backup', file]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already exists')]);
  });

  it('a backup skips symbolic links and lists them as left out', async () => {
    symlinkSync('/etc/passwd', join(history.home, 'data/personas/developer-con-1/link.md'));
    expect((await backup('a.tar.gz')).left_out).toContain('data/personas/developer-con-1/link.md');
  });
});

describe('baton restore', () => {
  it('a restore without --yes only checks the backup', async () => {
    await backup('good.tar.gz');
    const before = fingerprint();
    rmSync(join(history.home, keptDocument(1)));
    writeFileSync(join(history.home, 'data/personas/developer-con-1/skill.md'), 'changed');
    writeFileSync(join(history.home, 'data/new.md'), 'new');
    const looked = await restore('good.tar.gz');
    expect([looked.code, looked.stdout]).toEqual([0, expect.stringMatching(/is complete: .*Nothing was changed/)]);
    expect(readFileSync(join(history.home, 'data/personas/developer-con-1/skill.md'), 'utf8')).toBe('changed');
    const { aside, done, replaces } = RestoreReport.parse(
      JSON.parse((await restore('good.tar.gz', '--yes', '--json')).stdout),
    );
    expect([done, replaces]).toEqual([true, expect.arrayContaining(['baton.db', 'config.json', 'data', 'documents'])]);
    const store = history.store();
    expect(store.read((tx) => [tx.agents().length, firstBrokenEvent(tx)])).toEqual([6, undefined]);
    store.close();
    const after = fingerprint();
    const differing = Object.keys(after).filter((file) => after[file] !== before[file]);
    // After the restore, exactly three files differ from the home that was backed up. A copied SQLite database has other
    // bytes, baton.db.closed contains a time, and config.json lacks the webhook address, which a backup omits as a
    // possible secret.
    const expected = ['baton.db', 'baton.db.closed', 'config.json'];
    expect(differing.map((file) => file.slice(history.home.length + 1))).toEqual(expected);
    expect(existsSync(join(history.home, 'data/new.md'))).toBe(false);
    expect(readFileSync(join(aside ?? '', 'data/new.md'), 'utf8')).toBe('new');
    expect(readFileSync(join(history.home, 'token'), 'utf8')).toBe('operator-token\n');
  });

  it('on a new machine, a restore creates the home', async () => {
    await backup('good.tar.gz', '--with-secrets');
    const home = join(folder, 'home');
    const ran = await runInHome(home, ['restore', join(folder, 'good.tar.gz'), '--yes', '--with-secrets']);
    expect([ran.stderr, ran.code]).toEqual(['', 0]);
    expect(readFileSync(join(home, 'token'), 'utf8')).toBe('operator-token\n');
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect((await runInHome(home, ['doctor', '--json'])).stdout).toContain('the chain of hashes is intact');
  });

  describe('[X-4] a backup of unknown origin', () => {
    const replaced = (
      entries: Map<string, Buffer>,
      manifest: { files: { path: string; bytes: number; sha256: string }[] },
      path: string,
      content: Buffer,
    ) => {
      entries.set(path, content);
      manifest.files = [...manifest.files.filter((each) => each.path !== path), named(path, content)];
    };
    const read = (path: string) => readFileSync(join(history.home, path), 'utf8');
    const CONFIG = {
      port: 0,
      env: { LD_PRELOAD: '/tmp/evil.so' },
      allowed_hosts: ['evil.example.test'],
      projects: { shop: { env: { PATH: '/tmp/evil' } } },
      notifications: { os: true, webhook: 'https://evil.example.test/' },
    };

    it('a restore does not bring back tokens, page logins, variables and webhook addresses', async () => {
      const tokenHash = 'f0'.repeat(32);
      const store = history.store();
      await store.write((tx) =>
        tx.savePageSession({ tokenHash, name: 'Phone', createdOn: '2026-11-15', usedOn: '2026-11-15' }),
      );
      store.close();
      await backup('good.tar.gz', '--with-secrets');
      forge('bad.tar.gz', (entries, manifest) => {
        replaced(entries, manifest, 'token', Buffer.from('planted-token\n'));
        replaced(entries, manifest, 'secret', Buffer.from('planted-secret\n'));
        replaced(entries, manifest, 'config.json', Buffer.from(JSON.stringify(CONFIG)));
      });
      const told = (await restore('bad.tar.gz')).stdout;
      for (const each of ['token', 'secret', 'config.json: env', 'config.json: allowed_hosts', 'page sessions'])
        expect(told).toContain(each);
      expect(told).toContain('--with-secrets');
      const report = RestoreReport.parse(JSON.parse((await restore('bad.tar.gz', '--yes', '--json')).stdout));
      expect(report.not_taken).toEqual([
        'token',
        'secret',
        'page sessions',
        'config.json: env',
        'config.json: projects',
        'config.json: allowed_hosts',
        'config.json: notifications.webhook',
      ]);
      expect([read('token'), read('secret')]).toEqual(['operator-token\n', 'the-secret\n']);
      // The operator's own variables and webhook address must be unchanged.
      expect(JSON.parse(read('config.json'))).toEqual({
        port: 0,
        env: { SHOP_KEY: 'hush-hush' },
        notifications: { os: true, webhook: 'https://example.org/hush' },
      });
      const restored = history.store();
      expect(restored.read((tx) => tx.pageSessions())).toEqual([]);
      restored.close();
    });

    it.each([
      [
        'the slug of a persona',
        "UPDATE personas SET slug = '../../../../tmp/evil'",
        /the persona "\.\.\/.*whose name Baton would not create/,
      ],
      ['the path of a document', "UPDATE handoffs SET file_path = 'data/../../evil.md'", /is outside Baton's home/],
      [
        'the path in a run',
        `UPDATE handoff_runs SET detail = json_set(detail, '$.document', json('{"path":"../evil.md"}'))`,
        /is outside Baton's home/,
      ],
    ])('a restore refuses a backup in which %s leads out of the home', async (_, statement, sentence) => {
      const db = new Database(join(history.home, 'baton.db'));
      db.exec(statement);
      db.close();
      await backup('bad.tar.gz');
      const ran = await restore('bad.tar.gz', '--yes');
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(sentence)]);
    });

    it('a restore refuses a backup whose unpacked size exceeds 64 MiB plus 100 times the size of the backup', async () => {
      await backup('good.tar.gz');
      const entries = entriesOf(join(folder, 'good.tar.gz'));
      put('bomb.tar.gz', [['documents/bomb.md', Buffer.alloc(300 * 1024 * 1024)], ...entries]);
      const { size } = statSync(join(folder, 'bomb.tar.gz'));
      expect(size).toBeLessThan(2 * 1024 * 1024);
      const ran = await restore('bomb.tar.gz', '--yes');
      expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/unpacks to more than/)]);
      expect(readdirSync(history.home).filter((name) => name.startsWith('restore-'))).toEqual([]);
    });
  });

  it.each<[string, Parameters<typeof forge>[1], RegExp]>([
    ['a path out of the home', (entries) => entries.set('../evil', Buffer.from('x')), /not a path of Baton/],
    [
      'a path that leaves the home through a folder',
      (entries) => entries.set('data/../../evil', Buffer.from('x')),
      /not a path of Baton/,
    ],
    ['an absolute path', (entries) => entries.set('/tmp/evil', Buffer.from('x')), /not a path of Baton/],
    ['a program for agents', (entries) => entries.set('bin/baton', Buffer.from('x')), /not a path of Baton/],
    ['a changed file', (entries) => entries.set(keptDocument(1), Buffer.from('x')), /does not match its manifest/],
    [
      'a file of the same length with another letter',
      (entries) => entries.set(keptDocument(1), Buffer.from(`${entries.get(keptDocument(1))}`.replace('H', 'h'))),
      /does not match its manifest/,
    ],
    ['a missing file', (entries) => void entries.delete(keptDocument(1)), /the backup lacks /],
    [
      'an unlisted file',
      (entries) => entries.set('data/more.md', Buffer.from('x')),
      /which its manifest does not list/,
    ],
    ['a backup without a manifest', (entries) => void entries.delete('manifest.json'), /no manifest\.json/],
    [
      'an unknown format',
      (_, manifest) => Object.assign(manifest, { format: 'other/9' }),
      /cannot read the manifest of the backup/,
    ],
    [
      'a store that is no database',
      (entries, manifest) => {
        const content = Buffer.from('no database\n'.repeat(500));
        entries.set('baton.db', content);
        manifest.files = manifest.files.map((each) => (each.path === 'baton.db' ? named('baton.db', content) : each));
      },
      /the database of the backup is damaged/,
    ],
    [
      'a config with which Baton would not start',
      withConfig('{"prot":1}'),
      /the config\.json in the backup cannot be used\. Unknown key "prot".*[^.]\. Restore another backup\.$/m,
    ],
    [
      'a config that is not JSON',
      withConfig('{"port": 0'),
      /bad\.tar\.gz was not restored, and nothing was changed: the config\.json in the backup cannot be used\. It is not valid JSON( \(.*\))?\. Restore another backup\.$/m,
    ],
  ])('[T11] a backup that is refused because of %s changes nothing in the home', async (_what, change, sentence) => {
    await backup('good.tar.gz');
    forge('bad.tar.gz', change);
    const before = fingerprint();
    const ran = await restore('bad.tar.gz', '--yes');
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(ran.stderr).toContain('nothing was changed');
    expect(fingerprint()).toEqual(before);
    expect(existsSync('/tmp/evil') || existsSync(join(history.home, '../evil'))).toBe(false);
  });

  it.each<[string, (tar: Buffer) => Buffer]>([
    ['a link', (tar) => relabelled(tar, '2')],
    ['a folder', (tar) => relabelled(tar, '5')],
    ['a truncated backup', (tar) => tar.subarray(0, tar.length / 2)],
    [
      'a backup with the same file twice',
      (tar) =>
        Buffer.concat([
          tar.subarray(0, 512 + Math.ceil((readHeader(tar.subarray(0, 512))?.bytes ?? 0) / 512) * 512),
          tar,
        ]),
    ],
  ])('[T11] a restore refuses a faulty backup: %s', async (_what, change) => {
    await backup('good.tar.gz');
    writeFileSync(join(folder, 'bad.tar.gz'), gzipSync(change(gunzipSync(readFileSync(join(folder, 'good.tar.gz'))))));
    const before = fingerprint();
    expect((await restore('bad.tar.gz', '--yes')).stderr).toMatch(/not a regular file|is truncated|contains .* twice/);
    writeFileSync(join(folder, 'bad.tar.gz'), readFileSync(join(folder, 'good.tar.gz')).subarray(0, 2_000));
    expect((await restore('bad.tar.gz', '--yes')).stderr).toContain('cannot be unpacked');
    expect(fingerprint()).toEqual(before);
  });

  it('a restore refuses a backup of a newer Baton', async () => {
    const withSql = async (statement: string) => {
      const db = new Database(join(history.home, 'baton.db'));
      db.exec('DROP TRIGGER IF EXISTS events_are_not_changed');
      db.exec(statement);
      db.close();
    };
    await backup('good.tar.gz');
    await withSql("UPDATE events SET type = 'forged' WHERE seq = 2");
    await backup('forged.tar.gz');
    expect((await restore('forged.tar.gz', '--yes')).stderr).toContain('event 2 does not match the hash chain');
    await restore('good.tar.gz', '--yes');
    await withSql('CREATE TRIGGER evil AFTER INSERT ON events BEGIN DELETE FROM personas; END');
    await backup('evil.tar.gz');
    expect((await restore('evil.tar.gz', '--yes')).stderr).toContain("tables or triggers that are not Baton's");
    await withSql('PRAGMA user_version = 99');
    await backup('newer.tar.gz');
    expect((await restore('newer.tar.gz', '--yes')).stderr).toMatch(/newer Baton \(schema 99/);
    const unlock = takeServerLock(join(history.home, 'lock.db'));
    expect((await restore('good.tar.gz', '--yes')).stderr).toMatch(/^Baton is running on .*nothing was restored/);
    // Without --yes, `restore` must only check the backup, which is possible while Baton runs.
    expect((await restore('good.tar.gz')).stdout).toContain('is complete');
    expect(readdirSync(history.home).filter((name) => name.startsWith('restore-'))).toEqual([]);
    unlock();
  });

  it.each([
    ['restore:unpacked', 'old'],
    ['restore:decided', 'new'],
    ['restore:aside#1', 'new'],
    ['restore:placed#1', 'new'],
    ['restore:aside#4', 'new'],
    ['restore:placed#6', 'new'],
  ])('[F1] if a restore is killed at %s, the home has exactly the %s content', async (point, which) => {
    await backup('good.tar.gz');
    mkdirSync(join(history.home, 'data/later'));
    writeFileSync(join(history.home, 'data/later/note.md'), 'later');
    const env = { ...process.env, BATON_HOME: history.home };
    const argv = [PROGRAM, 'restore', join(folder, 'good.tar.gz'), '--yes'];
    expect((await run(process.execPath, argv, { ...env, BATON_CRASH_AT: point })).code).toBe(-1);
    // If the restore was killed after the decision to replace the home, the next command must finish the restore first.
    const next = await run(process.execPath, [PROGRAM, 'backup', join(folder, 'next.tar.gz')], env);
    expect([next.stderr, next.code]).toEqual(['', 0]);
    expect(entriesOf(join(folder, 'next.tar.gz')).has('data/later/note.md')).toBe(which === 'old');
    expect(existsSync(join(history.home, 'restore.json'))).toBe(false);
    const entries = entriesOf(join(folder, 'next.tar.gz'));
    for (const path of ['baton.db', 'config.json', keptDocument(1)]) expect(entries.has(path), path).toBe(true);
  });
});

function relabelled(tar: Buffer, kind: string): Buffer {
  const changed = Buffer.from(tar);
  changed.write(kind, 156, 1, 'latin1');
  const sum = [...changed.subarray(0, 512)].reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
  return changed;
}

describe('baton export', () => {
  it('an export contains personas, handoffs and packages in readable form, but no token', async () => {
    const ran = await runInHome(history.home, ['export', join(folder, 'out'), '--json']);
    expect([ran.stderr, JSON.parse(ran.stdout)]).toEqual([
      '',
      { folder: join(folder, 'out'), personas: 1, handoffs: 2, documents: 2, packages: 2, events: 9 },
    ]);
    const read = (path: string) => readFileSync(join(folder, 'out', path), 'utf8');
    expect(read('handoffs/0001-agent-1/document.md')).toContain('Handoff of agent 1');
    expect(JSON.parse(read('lineage.json'))[1]).toMatchObject({
      id: 2,
      previousAgentId: 1,
      persona: 'developer-con-1',
    });
    expect(read('events.jsonl').trim().split('\n')).toHaveLength(9);
    expect(read('packages/HO-2026-001.yaml')).toContain('state: completed');
    const files = readdirSync(join(folder, 'out'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const all = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join('');
    for (const secret of ['operator-token', 'the-secret', 'hush', '"endToken"']) expect(all).not.toContain(secret);
    expect((await runInHome(history.home, ['export', join(folder, 'out')])).stderr).toContain('already exists');
  });
});
