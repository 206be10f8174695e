import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Agent, Run } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Tests the real server with faults of its environment, such as a locked store or a frozen server process. */

let baton: BatonProcess;
beforeEach(async () => {
  baton = new BatonProcess();
  await baton.start();
});
afterEach(() => baton.cleanUp());

const database = () => join(baton.home, 'baton.db');
const startAgain = () => run(process.execPath, [PROGRAM, 'start'], { ...process.env, BATON_HOME: baton.home });
const handOver = (agentId: number) => baton.call<{ run_id: number }>('POST', `/api/agents/${agentId}/handoff`, {});

describe('faults of the store', () => {
  it('[F5] while the store is locked, a request is answered with 503', async () => {
    const agent = await baton.agent();
    const other = new Database(database());
    // Wait up to 10 s for the lock, because the server may be in the middle of a transaction.
    other.exec('PRAGMA busy_timeout = 10000');
    other.exec('BEGIN IMMEDIATE');
    const refused = await handOver(agent.id);
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'store_unavailable', error: expect.stringContaining('nothing was done') },
    });
    other.exec('ROLLBACK');
    other.close();
    expect((await baton.get<{ runs: Run[] }>('/api/runs')).runs).toEqual([]);
    const { body } = await handOver(agent.id);
    expect(await baton.over(body.run_id)).toMatchObject({ step: 'completed' });
    expect(baton.accepted(agent.id, '-instruction]')).toBe(1);
  });

  it('[F7] Baton does not start with a damaged store', async () => {
    const agent = await baton.agent({ persona: false });
    await baton.kill('SIGTERM');
    const good = readFileSync(database());
    const damaged = Buffer.from(good).fill(0x55, 4096, 4 * 4096);
    writeFileSync(database(), damaged);
    expect(await startAgain()).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') });
    expect(readFileSync(database()).equals(damaged)).toBe(true);
    writeFileSync(database(), good);
    await baton.start();
    expect(await baton.get<Agent>(`/api/agents/${agent.id}`)).toMatchObject({ state: 'idle' });
  });

  it('[F8] if the store cannot be opened, `baton start` fails with an error about the store', async () => {
    await baton.kill('SIGTERM');
    for (const ending of ['', '-wal', '-shm']) rmSync(`${database()}${ending}`, { force: true });
    mkdirSync(database());
    const { code, stderr } = await startAgain();
    expect(code).toBe(1);
    expect(stderr).toContain(`Baton's store ${database()} cannot be opened`);
    expect(stderr).toContain('then start Baton again');
  });
});

describe('a server that hangs', () => {
  it('[F37] if the server hangs for a while, a handoff still completes', async () => {
    const agent = await baton.agent({ behaviour: { handoff: 'slow' } });
    const { body } = await handOver(agent.id);
    await baton.step(body.run_id, 'awaiting_document');
    process.kill(baton.pid, 'SIGSTOP');
    // Wait for the turn's end in the agent's own log, because the hung server reports no events.
    const turns = () => baton.evidence(agent.id).filter(({ type }) => type === 'turn_ended').length;
    const before = turns();
    for (const end = Date.now() + 120_000; turns() === before && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 25));
    expect(turns()).toBe(before + 1);
    process.kill(baton.pid, 'SIGCONT');
    expect(await baton.over(body.run_id)).toMatchObject({ step: 'completed', acknowledged: true, warnings: [] });
    expect(baton.accepted(agent.id, '-instruction]')).toBe(1);
  });
});

describe('a successor that does not start properly', () => {
  it('[F39] if a successor asks a question before its session begins, the inbox shows the question', async () => {
    const agent = await baton.agent({ behaviour: { successor: { startDialog: 'Do you trust this folder?' } } });
    const { body } = await handOver(agent.id);
    const asked = await baton.event(
      ({ type, data }) => type === 'inbox_opened' && String(data.sentence).includes('Do you trust this folder?'),
    );
    expect(asked.data).toMatchObject({ kind: 'question', hint: expect.stringContaining('baton agent attach') });
    const successor = (await baton.get<Run>(`/api/runs/${body.run_id}`)).successor_agent_id ?? 0;
    const keys = baton.evidence(successor).filter(({ type }) => ['key', 'paste', 'dialog_answered'].includes(type));
    expect(keys).toEqual([]);
  });

  it('[F38] if the session of a successor does not begin in time, the run fails and says so', async () => {
    await baton.restart({ deadlines_seconds: { awaiting_registration: 2 } });
    const agent = await baton.agent({ behaviour: { successor: { startDelayMs: 60_000 } } });
    const { body } = await handOver(agent.id);
    const halted = await baton.over(body.run_id);
    expect(halted).toMatchObject({ failure: { code: 'successor_not_registered' }, handoff_id: expect.any(Number) });
    expect(halted.failure?.sentence).toContain('its session did not begin in time');
    expect(readFileSync(halted.document?.absolute_path ?? '', 'utf8')).not.toBe('');
  });
});
