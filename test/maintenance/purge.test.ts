import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstBrokenEvent } from '../../prove/memory-store/first-broken-event.ts';
import { takeServerLock } from '../../src/adapters/home/server-lock.ts';
import { examineDatabase } from '../../src/adapters/stores/sqlite/upkeep/examine-database.ts';
import { packagesFromLog } from '../../src/app/packages/background/rebuild-packages.ts';
import { PurgeReport } from '../../src/contract/maintenance.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { PackageState } from '../../src/domain/packages/record.ts';
import { aPackage } from '../adapters/stores/package-store-contract.ts';
import { PROGRAM, run } from '../support/baton-process.ts';
import { runInHome } from '../surfaces/cli/support/run-in-home.ts';
import { type History, homeWithHistory, keptDocument, ownDocument, SECRET_WORDS } from './home-with-history.ts';

let history: History;
beforeEach(async () => {
  history = await homeWithHistory();
});
afterEach(() => rmSync(history.home, { recursive: true, force: true }));

async function purge(...argv: string[]): Promise<PurgeReport> {
  const ran = await runInHome(history.home, ['purge', ...argv, '--json']);
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
  return PurgeReport.parse(JSON.parse(ran.stdout));
}
function read<T>(work: Parameters<ReturnType<History['store']>['read']>[0]): T {
  const store = history.store();
  try {
    return store.read(work) as T;
  } finally {
    store.close();
  }
}
const bytes = (): string =>
  readdirSync(history.home)
    .filter((name) => name.startsWith('baton.db'))
    .map((name) => readFileSync(join(history.home, name), 'latin1'))
    .join('');
const chain = () => examineDatabase(join(history.home, 'baton.db'));

describe('baton purge', () => {
  it('is a dry run without --yes', async () => {
    const before = readFileSync(join(history.home, 'baton.db'));
    const report = await purge('--older-than', '90d');
    expect(report).toMatchObject({ done: false, agents: [1, 2], runs: 1, packages: ['HO-2026-001'], documents: [] });
    expect(readFileSync(join(history.home, 'baton.db')).equals(before)).toBe(true);
  });

  it('keeps live agents, active runs, open packages and everything they need, each with the reason', async () => {
    const { kept } = await purge('--all');
    expect(kept).toEqual([
      { what: 'package HO-2026-002', why: 'package HO-2026-002 of its chain is open' },
      { what: 'agent 3', why: 'agent 4 is running and works from its handoff' },
      { what: 'agent 4', why: 'it lives' },
      { what: 'agent 5', why: 'run 3 is in flight' },
      { what: 'agent 6', why: 'package HO-2026-002 refers to it' },
    ]);
  });

  it('keeps an agent whose run is in the inbox, until the item is resolved', async () => {
    const store = history.store();
    const item = {
      cause: { of: 'run', runId: 1, what: 'failed' },
      kind: 'failure',
      sentence: 'Run 1 has stopped.',
      hint: '',
      agentId: 1,
      runId: 1,
    } as const;
    const at = '2026-01-01T00:00:00.000Z' as Instant;
    const open = { openedAt: at, current: true, resolvedAt: null, resolution: null, notifiedAt: null, notified: {} };
    const opened = await store.write((tx) => tx.insertInboxItem({ ...item, ...open }));
    const { agents, kept } = await purge('--older-than', '90d');
    expect([agents, kept]).toEqual([[2], expect.arrayContaining([{ what: 'agent 1', why: WAITS }])]);
    await store.write((tx) => tx.saveInboxItem({ ...opened, resolvedAt: at }));
    store.close();
    expect((await purge('--older-than', '90d')).agents).toEqual([1, 2]);
  });
  const WAITS = 'run 1 waits for you in the inbox';

  it('deletes agents, runs, prompts and their words in the log, and keeps documents', async () => {
    await purge('--all', '--yes');
    expect(read((tx) => tx.agents().map(({ id }) => id))).toEqual([3, 4, 5, 6]);
    expect(read((tx) => tx.runs({ limit: 10 }).map(({ id }) => id))).toEqual([3, 2]);
    expect(read((tx) => tx.promptText('r-1'))).toBeUndefined();
    expect(read((tx) => tx.packages({}).map(({ record }) => record.id))).toEqual(['HO-2026-002']);
    expect(existsSync(join(history.home, 'agents/1'))).toBe(false);
    expect(existsSync(join(history.home, 'agents/6'))).toBe(true);
    expect(existsSync(join(history.home, keptDocument(1)))).toBe(true);
    const said = bytes().split(SECRET_WORDS).length - 1;
    // Only the data that was not purged still contains the words: agents 3 to 6, and the open package four times (row,
    // search words, their index, event).
    expect(said).toBe(8);
  });

  it('keeps the hash chain verifiable, and detects an event that was blanked without a purge', async () => {
    await purge('--agent', '1', '--yes');
    await purge('--all', '--yes');
    expect(chain()).toMatchObject({ events: 11, lastAt: expect.any(String) });
    expect(chain().firstBroken).toBeUndefined();
    expect(read(firstBrokenEvent)).toBeUndefined();
    const db = new Database(join(history.home, 'baton.db'));
    expect(() => db.exec("UPDATE events SET data = '{}' WHERE seq = 3")).toThrow(/append-only/);
    db.exec('DROP TRIGGER events_are_not_changed');
    db.exec(`UPDATE events SET data = '{"purged":true}' WHERE seq = 4`);
    db.close();
    expect(chain().firstBroken).toBe(4);
    expect(read(firstBrokenEvent)).toBe(4);
  });

  it('detects a change to the remaining fields of a purged event', async () => {
    await purge('--agent', '1', '--yes');
    const db = new Database(join(history.home, 'baton.db'));
    db.exec('DROP TRIGGER events_are_not_changed');
    db.exec(`UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 1`);
    db.close();
    expect(chain().firstBroken).toBe(10);
  });

  it('leaves a log from which the remaining packages can be rebuilt', async () => {
    await purge('--all', '--yes');
    expect(read((tx) => packagesFromLog(tx).map(({ record }) => record.id))).toEqual(['HO-2026-002']);
    expect(read((tx) => tx.packagesBehind(10).length)).toBe(1);
  });

  it('--documents deletes the documents of purged runs, but no document that a live agent works from', async () => {
    const { documents } = await purge('--all', '--documents', '--yes');
    expect(documents).toEqual([ownDocument(1), keptDocument(1)]);
    for (const place of [ownDocument, keptDocument]) {
      expect(existsSync(join(history.home, place(1)))).toBe(false);
      expect(existsSync(join(history.home, place(3)))).toBe(true);
    }
  });

  it('deletes a continuation package with the agent that handed over, unless a package of its chain is open', async () => {
    const continuation = async (id: string, state: PackageState) => {
      const store = history.store();
      const made = aPackage(id, { senderAgentId: 1, receiverAgentId: 2, runId: 1 });
      const lineage = { ...made.lineage, root: 'HO-2026-003' };
      await store.write((tx) => tx.savePackage({ ...made, lineage, record: { ...made.record, state }, overSeq: 1 }));
      store.close();
    };
    await continuation('HO-2026-003', 'completed');
    expect(await purge('--agent', '1')).toMatchObject({ agents: [1], packages: ['HO-2026-003'], kept: [] });
    // A purge of only the receiver does not delete the package of the predecessor's handoff.
    expect(await purge('--agent', '2')).toMatchObject({ agents: [2], packages: [] });
    await continuation('HO-2026-004', 'pending');
    expect(await purge('--agent', '1')).toMatchObject({
      agents: [],
      packages: [],
      kept: [{ what: 'agent 1', why: 'package HO-2026-003 refers to it' }],
    });
  });

  it('combines --persona and --older-than, and requires a selection', async () => {
    expect(await purge('--persona', 'developer-con-1', '--older-than', '90d')).toMatchObject({
      agents: [1, 2],
      packages: [],
    });
    expect(await purge('--older-than', '90000d')).toMatchObject({ agents: [], packages: [], events: 0 });
    expect(await runInHome(history.home, ['purge'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--older-than 90d'),
    });
    expect((await runInHome(history.home, ['purge', '--older-than', 'long'])).code).toBe(2);
  });

  it('refuses --yes while a server uses the home', async () => {
    const unlock = takeServerLock(join(history.home, 'lock.db'));
    try {
      const ran = await runInHome(history.home, ['purge', '--all', '--yes']);
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringMatching(/^Baton is running on .* nothing was purged\. Stop it first/),
      ]);
    } finally {
      unlock();
    }
  });

  it('can do a dry run while a server uses the home, and changes nothing', async () => {
    const unlock = takeServerLock(join(history.home, 'lock.db'));
    try {
      const before = readFileSync(join(history.home, 'baton.db'));
      expect(await purge('--older-than', '90d')).toMatchObject({ done: false, agents: [1, 2] });
      expect(readFileSync(join(history.home, 'baton.db')).equals(before)).toBe(true);
      const db = new Database(join(history.home, 'baton.db'));
      db.exec('PRAGMA user_version = 13');
      // The store has an older schema than this Baton: it must not be migrated under the running server.
      expect((await runInHome(history.home, ['purge', '--all'])).stderr).toContain('Stop it first');
      expect(db.prepare('PRAGMA user_version').all()).toEqual([{ user_version: 13 }]);
      db.close();
    } finally {
      unlock();
    }
  });

  it('fails for an unknown agent or persona, instead of purging nothing', async () => {
    for (const [option, name, list] of [
      ['--agent', '99', 'baton agent list --all'],
      ['--persona', 'nobody-1', 'baton persona list'],
    ] as const)
      for (const more of [[], ['--yes']]) {
        const ran = await runInHome(history.home, ['purge', option, name, ...more]);
        expect([ran.code, ran.stdout, ran.stderr]).toEqual([
          1,
          '',
          `There is no ${option.slice(2)} ${name}, so nothing was purged. List them: ${list}\n`,
        ]);
      }
  });

  it('reports a damaged store in one sentence, as JSON too', async () => {
    writeFileSync(join(history.home, 'baton.db'), 'no database at all, but long enough to be looked at');
    const ran = await runInHome(history.home, ['purge', '--all']);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      expect.stringMatching(/^Baton's store .* is damaged .*\n.*baton doctor\n$/),
    ]);
    const { stdout } = await runInHome(history.home, ['purge', '--all', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'fault', error: expect.stringContaining('is damaged') });
  });

  it.each([
    ['purge:before-commit', [1, 2, 3, 4, 5, 6], true],
    ['purge:after-commit', [3, 4, 5, 6], false],
    ['purge:file', [3, 4, 5, 6], false],
  ])(
    '[F1] has happened completely or not at all after a kill at %s, and the next purge finishes it',
    async (point, agents, isOld) => {
      const env = { ...process.env, BATON_HOME: history.home, BATON_CRASH_AT: point };
      const { code } = await run(process.execPath, [PROGRAM, 'purge', '--all', '--documents', '--yes'], env);
      expect(code).toBe(-1);
      expect(read((tx) => tx.agents().map(({ id }) => id))).toEqual(agents);
      expect(chain().firstBroken).toBeUndefined();
      expect(bytes().includes('history_purged')).toBe(!isOld);
      await purge('--older-than', '90000d');
      expect(existsSync(join(history.home, keptDocument(1)))).toBe(isOld);
      expect(existsSync(join(history.home, 'agents/1'))).toBe(isOld);
    },
  );
});

it('a purged home can be backed up and restored, because the append-only trigger of the log is unchanged', async () => {
  await purge('--all', '--yes');
  const file = join(history.home, '..', `${Date.now()}.tar.gz`);
  expect((await runInHome(history.home, ['backup', file])).code).toBe(0);
  const ran = await runInHome(history.home, ['restore', file, '--yes']);
  rmSync(file);
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
});
