import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeServerLock } from '../../src/adapters/home/server-lock.ts';
import { DoctorReport, type Finding } from '../../src/contract/maintenance.ts';
import { nodeVersion } from '../../src/main/maintenance/examine-machine.ts';
import { BatonProcess, PROGRAM, run } from '../support/baton-process.ts';
import { runInHome } from '../surfaces/cli/support/run-in-home.ts';
import { type History, homeWithHistory } from './home-with-history.ts';

let history: History;
beforeEach(async () => {
  history = await homeWithHistory();
});
afterEach(() => rmSync(history.home, { recursive: true, force: true }));

const env = () => ({ PATH: process.env.PATH, HOME: history.home });
async function doctor(
  given: NodeJS.ProcessEnv = env(),
): Promise<{ code: number; found: (check: string) => Finding | undefined; report: DoctorReport }> {
  const ran = await runInHome(history.home, ['doctor', '--json'], { env: given });
  const report = DoctorReport.parse(JSON.parse(ran.stdout));
  return { code: ran.code, report, found: (check) => report.findings.find((each) => each.check === check) };
}

describe('baton doctor without a server', () => {
  it('`baton doctor` suggests a fix for each warning and error', async () => {
    const { code, report } = await doctor();
    expect([code, report.ok]).toEqual([0, true]);
    expect(report.findings.map(({ check }) => check)).toEqual([
      'node',
      'tmux',
      'home',
      'config',
      'disk',
      'server',
      'port',
      'service',
      'database',
      'events',
      'clock',
      'worktrees',
      'spool',
      'hooks',
      'hooks',
      'runtime practice',
      'runtime claude-code',
      'runtime codex',
      'runtime opencode',
    ]);
    for (const { level, remedy, check } of report.findings)
      if (level === 'warning' || level === 'error') expect(remedy, check).toBeTruthy();
  });

  it('if a database cannot be opened, `baton doctor` does not report the database as damaged', async () => {
    for (const name of ['baton.db', 'baton.db-wal', 'baton.db-shm']) rmSync(join(history.home, name), { force: true });
    mkdirSync(join(history.home, 'baton.db'));
    const { code, found } = await doctor();
    expect([code, found('database')]).toEqual([
      1,
      expect.objectContaining({
        sentence: expect.stringContaining('cannot be opened'),
        remedy: expect.not.stringContaining('restore'),
      }),
    ]);
  });

  it('`baton doctor` names the first tampered event of the log', async () => {
    const db = new Database(join(history.home, 'baton.db'));
    db.exec('DROP TRIGGER events_are_not_changed');
    db.exec("UPDATE events SET data = '{}' WHERE seq = 3");
    db.close();
    const { code, found } = await doctor();
    expect([code, found('events')]).toEqual([
      1,
      expect.objectContaining({
        level: 'error',
        sentence: expect.stringContaining('Event 3 does not match the hash chain'),
      }),
    ]);
  });

  it.each<[string, string, () => void]>([
    ['a damaged database', 'database', () => writeFileSync(join(history.home, 'baton.db'), 'x'.repeat(9000))],
    ['a home that others can read', 'home', () => chmodSync(history.home, 0o755)],
    ['a token that others can read', 'secrets', () => chmodSync(join(history.home, 'token'), 0o644)],
    ['an unknown key in config.json', 'config', () => writeFileSync(join(history.home, 'config.json'), '{"prot":1}')],
    [
      'a full spool',
      'spool',
      () => {
        mkdirSync(join(history.home, 'spool'));
        writeFileSync(join(history.home, 'spool/full'), '');
      },
    ],
  ])('`baton doctor` reports %s as an error with a suggested fix', async (_what, check, breakIt) => {
    breakIt();
    const { code, found } = await doctor();
    expect([code, found(check)]).toEqual([
      1,
      expect.objectContaining({ level: 'error', remedy: expect.stringMatching(/./) }),
    ]);
  });

  it('if tmux is missing, `baton doctor` prints the command that installs it', async () => {
    const { code, found } = await doctor({ ...env(), PATH: '/nonexistent' });
    expect([code, found('tmux')?.remedy]).toEqual([1, expect.stringContaining('sudo apt install tmux')]);
  });

  it("if another program uses Baton's port, `baton doctor` says so", async () => {
    const taken: Server = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    writeFileSync(
      join(history.home, 'config.json'),
      JSON.stringify({ port: (taken.address() as { port: number }).port }),
    );
    const store = history.store();
    await store.write((tx) =>
      tx.appendEvent({
        at: '2099-01-01T00:00:00.000Z' as never,
        agentId: null,
        runId: null,
        type: 'x',
        data: {},
        dedupeKey: null,
      }),
    );
    store.close();
    const { found } = await doctor();
    taken.close();
    expect(found('port')).toMatchObject({
      level: 'error',
      sentence: expect.stringContaining('another program uses it'),
    });
    expect(found('clock')).toMatchObject({ level: 'warning', sentence: expect.stringContaining('was set back') });
  });

  it('if a server has locked the home but does not answer, `baton doctor` says so', async () => {
    const unlock = takeServerLock(join(history.home, 'lock.db'));
    const { found } = await doctor();
    unlock();
    expect(found('server')).toMatchObject({ level: 'error', sentence: expect.stringContaining('does not answer') });
  });

  it('`baton doctor` reports a Node that is too old', () => {
    expect([nodeVersion('20.18.9').level, nodeVersion('18.20.0').level]).toEqual(['error', 'error']);
    expect([nodeVersion('20.19.0').level, nodeVersion('24.0.0').level]).toEqual(['ok', 'ok']);
  });
});

it('`baton doctor` does not complain about the port that the running server itself uses', async () => {
  const baton = await new BatonProcess().start();
  try {
    const ran = await run(process.execPath, [PROGRAM, 'doctor', '--json'], { ...process.env, BATON_HOME: baton.home });
    const report = DoctorReport.parse(JSON.parse(ran.stdout));
    expect([ran.code, report.findings.find(({ check }) => check === 'server')]).toEqual([
      0,
      expect.objectContaining({ level: 'ok', sentence: expect.stringMatching(/^Baton .* is running\.$/) }),
    ]);
    const plain = await run(process.execPath, [PROGRAM, 'doctor'], { ...process.env, BATON_HOME: baton.home });
    expect(plain.stdout).toContain('✓ server  Baton');
  } finally {
    await baton.cleanUp();
  }
});
