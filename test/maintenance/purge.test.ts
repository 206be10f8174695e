import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstBrokenEvent } from '../../prove/memory-store/first-broken-event.ts';
import { takeServerLock } from '../../src/adapters/home/server-lock.ts';
import { examineDatabase } from '../../src/adapters/stores/sqlite/upkeep/examine-database.ts';
import { systemClock } from '../../src/adapters/system/system-clock.ts';
import { packagesFromLog } from '../../src/app/packages/background/rebuild-packages.ts';
import { addLesson } from '../../src/app/personas/keep-lesson.ts';
import { createKnownSecrets } from '../../src/app/settings/known-secrets.ts';
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
  it('a purge without --yes is a dry run', async () => {
    const before = readFileSync(join(history.home, 'baton.db'));
    const report = await purge('--older-than', '90d');
    expect(report).toMatchObject({ done: false, agents: [1, 2], runs: 1, packages: ['HO-2026-001'], documents: [] });
    expect(readFileSync(join(history.home, 'baton.db')).equals(before)).toBe(true);
  });

  it('the output of a purge of packages says that any copies in projects are kept, and does not claim that such copies exist', async () => {
    const { stdout } = await runInHome(history.home, ['purge', '--older-than', '90d']);
    expect(stdout).toContain('Copies that packages have in projects (.project/07-audit/sessions) stay.');
    const named = await runInHome(history.home, ['purge', '--agent', '1']);
    expect(named.stdout).not.toContain('.project/07-audit');
  });

  it('a purge keeps live agents, active runs and open packages', async () => {
    const { kept } = await purge('--all');
    expect(kept).toEqual([
      { what: 'package HO-2026-002', why: 'it is open' },
      { what: 'agent 3', why: 'agent 4 is running and works from its handoff' },
      { what: 'agent 4', why: 'it has not ended' },
      { what: 'agent 5', why: 'handoff 3 is in progress' },
      { what: 'agent 6', why: 'package HO-2026-002 refers to it' },
    ]);
  });

  it('a purge of handoffs keeps the open points of a chain that still has an agent, and keeps a lesson that is being accepted', async () => {
    const store = history.store();
    const at = '2026-01-01T00:00:00.000Z' as Instant;
    const about = { personaId: 1, runId: 1, createdAt: at };
    const point = { ...about, kind: 'next_step', namedByRunId: 1, closed: null } as const;
    await store.write((tx) => {
      tx.insertPoint({ ...point, lineage: 1, text: 'open in a deleted chain' });
      tx.insertPoint({ ...point, lineage: 4, text: 'open in a chain that lives' });
      tx.insertPoint({ ...point, lineage: 4, text: 'closed', closed: { by: 'person', runId: null, at } });
      tx.insertLesson({ ...about, text: 'lesson one', state: 'accepted', decidedAt: at, isAutomatic: false });
      const offered = {
        ...about,
        text: 'lesson okapiwort',
        state: 'offered',
        decidedAt: null,
        isAutomatic: false,
      } as const;
      addLesson(tx, { secrets: createKnownSecrets(), clock: systemClock }, offered);
      tx.insertLesson({ ...about, text: 'lesson two', state: 'accepting', decidedAt: at, isAutomatic: false });
    });
    store.close();
    const okapi = () => read((tx) => tx.searchTexts([[{ folded: 'okapiwort', isPrefix: false }]], { limit: 5 }).length);
    const waiting = () => read((tx) => tx.openInboxItems().filter(({ cause }) => cause.of === 'persona').length);
    expect([okapi(), waiting()]).toEqual([1, 1]);
    await purge('--older-than', '90d', '--yes');
    expect([okapi(), waiting()]).toEqual([0, 0]);
    expect(bytes()).not.toContain('okapiwort');
    expect(read((tx) => tx.pointsOfPersona(1, 9).map(({ text }) => text))).toEqual(['open in a chain that lives']);
    expect(read((tx) => [1, 2, 3].map((id) => tx.lessonById(id)?.text))).toEqual([undefined, undefined, 'lesson two']);
  });

  it('a purge deletes the usage of purged agents and keeps the usage of other agents', async () => {
    const store = history.store();
    const usage = { tokens: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 }, costMicros: null };
    const of = { day: '2026-01-01', personaId: 1, projectId: 1, runtime: 'practice' };
    await store.write((tx) => [1, 4].map((agentId) => tx.addUsage({ ...of, agentId }, usage)));
    store.close();
    await purge('--agent', '1', '--yes');
    expect(read((tx) => tx.usageBy('agent', {}).map(({ key }) => key))).toEqual([4]);
  });

  it('a purge keeps an agent whose run is still in the inbox', async () => {
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
  const WAITS = 'handoff 1 waits for you in the inbox';

  it('a purge deletes agents, runs and prompts, but no documents', async () => {
    await purge('--all', '--yes');
    expect(read((tx) => tx.agents().map(({ id }) => id))).toEqual([3, 4, 5, 6]);
    expect(read((tx) => tx.runs({ limit: 10 }).map(({ id }) => id))).toEqual([3, 2]);
    expect(read((tx) => tx.promptText('r-1'))).toBeUndefined();
    expect(read((tx) => tx.packages({}).map(({ record }) => record.id))).toEqual(['HO-2026-002']);
    expect(existsSync(join(history.home, 'agents/1'))).toBe(false);
    expect(existsSync(join(history.home, 'agents/6'))).toBe(true);
    expect(existsSync(join(history.home, keptDocument(1)))).toBe(true);
    const said = bytes().split(SECRET_WORDS).length - 1;
    // The secret words must remain only in data that was not purged. They occur once for each of the agents 3 to 6, and
    // four times for the open package: in its row, in its search words, in the index of the search words and in its
    // event.
    expect(said).toBe(8);
  });

  it('a purge removes the words of the purged texts from the search index and from the database file', async () => {
    const found = (word: string): readonly string[] =>
      read<readonly { key: string }[]>((tx) => tx.searchTexts([[{ folded: word, isPrefix: false }]], { limit: 5 })).map(
        ({ key }) => key,
      );
    expect(['zebrawort', 'gnuwort', 'lynxwort'].map(found)).toEqual([['prompt/1'], ['package/1'], ['prompt/3']]);
    expect(bytes()).toContain('zebrawort');
    await purge('--all', '--yes');
    expect(['zebrawort', 'gnuwort', 'lynxwort'].map(found)).toEqual([[], [], ['prompt/3']]);
    expect(bytes()).not.toContain('ebrawort');
    expect(bytes()).not.toContain('nuwort');
  });

  it('after a purge, the hash chain of the log is valid', async () => {
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

  it("if a field of a purged event is changed, the check of the log's hash chain fails", async () => {
    await purge('--agent', '1', '--yes');
    const db = new Database(join(history.home, 'baton.db'));
    db.exec('DROP TRIGGER events_are_not_changed');
    db.exec(`UPDATE events SET at = '2020-01-01T00:00:00.000Z' WHERE seq = 1`);
    db.close();
    expect(chain().firstBroken).toBe(10);
  });

  it('after a purge, the remaining packages can be rebuilt from the log', async () => {
    await purge('--all', '--yes');
    expect(read((tx) => packagesFromLog(tx).map(({ record }) => record.id))).toEqual(['HO-2026-002']);
    expect(read((tx) => tx.packagesBehind(10).length)).toBe(1);
  });

  it('`baton purge --documents` keeps a document that a live agent got in a handoff', async () => {
    const { documents } = await purge('--all', '--documents', '--yes');
    expect(documents).toEqual([ownDocument(1), keptDocument(1)]);
    for (const place of [ownDocument, keptDocument]) {
      expect(existsSync(join(history.home, place(1)))).toBe(false);
      expect(existsSync(join(history.home, place(3)))).toBe(true);
    }
  });

  it('a purge of an agent also deletes the continuation package of its handoff', async () => {
    const continuation = async (id: string, state: PackageState) => {
      const store = history.store();
      const made = aPackage(id, { senderAgentId: 1, receiverAgentId: 2, runId: 1 });
      const lineage = { ...made.lineage, root: 'HO-2026-003' };
      await store.write((tx) => tx.savePackage({ ...made, lineage, record: { ...made.record, state }, overSeq: 1 }));
      store.close();
    };
    await continuation('HO-2026-003', 'completed');
    expect(await purge('--agent', '1')).toMatchObject({ agents: [1], packages: ['HO-2026-003'], kept: [] });
    // The package belongs to the handoff of agent 1. A purge of agent 2, the receiver, therefore keeps the package.
    expect(await purge('--agent', '2')).toMatchObject({ agents: [2], packages: [] });
    await continuation('HO-2026-004', 'pending');
    expect(await purge('--agent', '1')).toMatchObject({
      agents: [],
      packages: [],
      kept: [{ what: 'agent 1', why: 'package HO-2026-003 refers to it' }],
    });
  });

  it('a purge of everything keeps the package of a handoff whose successor is running', async () => {
    const store = history.store();
    const made = aPackage('HO-2026-003', { senderAgentId: 3, receiverAgentId: 4, runId: 2 });
    const lineage = { ...made.lineage, root: 'HO-2026-003' };
    const record = { ...made.record, state: 'completed' as const };
    await store.write((tx) => tx.savePackage({ ...made, lineage, record, overSeq: 1 }));
    store.close();
    const report = await purge('--all');
    expect(report.packages).toEqual(['HO-2026-001']);
    expect(report.kept).toContainEqual({ what: 'agent 3', why: 'agent 4 is running and works from its handoff' });
  });

  it('`baton purge` refuses to run without a selection', async () => {
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

  it('while a server uses the home, a purge with --yes is refused', async () => {
    const unlock = takeServerLock(join(history.home, 'lock.db'));
    try {
      const ran = await runInHome(history.home, ['purge', '--all', '--yes']);
      expect([ran.code, ran.stderr]).toEqual([
        1,
        expect.stringMatching(/^Baton is running on .* nothing was purged\. Stop Baton first/),
      ]);
    } finally {
      unlock();
    }
  });

  it('while a server uses the home, a dry run of a purge is possible', async () => {
    const unlock = takeServerLock(join(history.home, 'lock.db'));
    try {
      const before = readFileSync(join(history.home, 'baton.db'));
      expect(await purge('--older-than', '90d')).toMatchObject({ done: false, agents: [1, 2] });
      expect(readFileSync(join(history.home, 'baton.db')).equals(before)).toBe(true);
      const db = new Database(join(history.home, 'baton.db'));
      db.exec('PRAGMA user_version = 13');
      // The store has an older schema than this Baton. The purge must not migrate the store while a server is running.
      expect((await runInHome(history.home, ['purge', '--all'])).stderr).toContain('Stop Baton first');
      expect(db.prepare('PRAGMA user_version').all()).toEqual([{ user_version: 13 }]);
      db.close();
    } finally {
      unlock();
    }
  });

  it('a purge of an unknown agent or persona fails', async () => {
    for (const [option, name, list] of [
      ['--agent', '99', 'baton agent list --all'],
      ['--persona', 'nobody-1', 'baton persona list'],
    ] as const)
      for (const more of [[], ['--yes']]) {
        const ran = await runInHome(history.home, ['purge', option, name, ...more]);
        expect([ran.code, ran.stdout, ran.stderr]).toEqual([
          1,
          '',
          `There is no ${option.slice(2)} ${name}, so nothing was purged. See the list: ${list}\n`,
        ]);
      }
  });

  it('if the store is damaged, a purge says so in one sentence', async () => {
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
    '[F1] if a purge is killed at %s, the database is changed completely or not at all',
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

it('a purged home can be backed up and restored', async () => {
  await purge('--all', '--yes');
  const file = join(history.home, '..', `${Date.now()}.tar.gz`);
  expect((await runInHome(history.home, ['backup', file])).code).toBe(0);
  const ran = await runInHome(history.home, ['restore', file, '--yes']);
  rmSync(file);
  expect([ran.stderr, ran.code]).toEqual(['', 0]);
});
