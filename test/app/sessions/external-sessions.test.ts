import { beforeEach, describe, expect, it } from 'vitest';
import { drainSpool } from '../../../src/app/engine/drain-spool.ts';
import type { SpooledSession } from '../../../src/app/ports/spool.ts';
import { listExternalSessions } from '../../../src/app/sessions/list-external-sessions.ts';
import { MAX_EXTERNAL_SESSIONS } from '../../../src/domain/sessions/external-session.ts';
import { SimWorld } from '../engine/sim-world.ts';

describe('external sessions', () => {
  let sim: SimWorld;
  let files = 0;
  beforeEach(() => {
    sim = new SimWorld();
  });

  const tell = (event: string, sessionId: string, over: Partial<SpooledSession> = {}) =>
    sim.hooks.push({
      key: `0-${++files}`,
      runtime: 'sim',
      event,
      payload: { session_id: sessionId, cwd: '/p', transcript_path: '/t' },
      pid: 42,
      tmux: { socket: '/tmp/s', pane: '%1' },
      hooks: 2,
      writtenAtMs: sim.nowMs,
      ...over,
    });
  const candidates = async () => {
    await drainSpool(sim.ports);
    return listExternalSessions(sim.ports);
  };

  it('an external session counts as alive while its process runs', async () => {
    sim.processes.set(42, sim.nowMs - 500);
    tell('SessionStart', 'a');
    const [seen] = await candidates();
    expect(seen).toMatchObject({
      sessionId: 'a',
      folder: '/p',
      transcriptPath: '/t',
      pid: 42,
      endedAt: null,
      alive: true,
    });
    expect(sim.hooks).toEqual([]);
    sim.processes.clear();
    expect((await candidates())[0]?.alive).toBe(false);
  });

  it('an external session counts as ended if another process now has its process id', async () => {
    tell('SessionStart', 'a');
    sim.processes.set(42, sim.nowMs + 3_600_000);
    expect((await candidates())[0]?.alive).toBe(false);
  });

  it('an external session counts as alive again when another process resumes it', async () => {
    sim.processes.set(42, sim.nowMs);
    sim.processes.set(43, sim.nowMs);
    tell('SessionStart', 'a');
    sim.pass(1_000);
    tell('SessionEnd', 'a');
    expect(await candidates()).toMatchObject([{ alive: false, endedAt: '2026-11-15T08:00:01.000Z' }]);
    sim.pass(1_000);
    tell('SessionStart', 'a', { pid: 43, tmux: null });
    expect(await candidates()).toMatchObject([
      { alive: true, pid: 43, tmux: null, endedAt: null, firstSeenAt: '2026-11-15T08:00:00.000Z' },
    ]);
  });

  it('reading the same session report twice changes nothing', async () => {
    const first = sim.nowMs;
    tell('SessionStart', 'a');
    sim.pass(1_000);
    tell('SessionEnd', 'a');
    const before = await candidates();
    tell('SessionStart', 'a', { writtenAtMs: first });
    expect(await candidates()).toEqual(before);
    tell('SessionStart', 'b', { writtenAtMs: sim.nowMs + 1e9 });
    expect((await candidates())[1]).toMatchObject({ sessionId: 'b', lastSeenAt: '2026-11-15T08:00:01.000Z' });
  });

  it('sessions that Baton runs itself are not listed as external', async () => {
    const agent = await sim.addAgent({ runtimeSessionId: 'after-clear' });
    tell('SessionStart', agent.sessionUuid);
    tell('SessionStart', 'after-clear');
    expect(await candidates()).toEqual([]);
  });

  it('an unrecognized hook adds no external session', async () => {
    tell('SessionStart', 'a', { runtime: 'nobody' });
    tell('SessionStart', 'a', { payload: { session_id: 7 } });
    tell('Stop', 'a');
    expect(await candidates()).toEqual([]);
    expect([sim.hooks.length, sim.logged.length]).toEqual([0, 3]);
  });

  it('if the list of external sessions is full, a new session replaces the session that was seen longest ago', async () => {
    for (let n = 0; n < MAX_EXTERNAL_SESSIONS + 5; n++) {
      sim.pass(10);
      tell('SessionStart', `s${n}`);
    }
    // Baton must ignore the end of session s3, because s3 is no longer in the list. The end of session s7, which is
    // still in the list, must move s7 to the front of the list.
    for (const known of ['s3', 's7']) {
      sim.pass(10);
      tell('SessionEnd', known);
    }
    const seen = await candidates();
    expect(seen).toHaveLength(MAX_EXTERNAL_SESSIONS);
    expect([seen[0]?.sessionId, seen.at(-1)?.sessionId]).toEqual(['s7', 's5']);
  });
});
