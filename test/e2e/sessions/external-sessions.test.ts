import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Candidate, HookSettings } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/**
 * Tests how the built product finds external sessions. After `baton hooks install`, the tests run the hook commands
 * from the settings and read the list of sessions.
 */
describe('external sessions', () => {
  const baton = new BatonProcess();
  let settings: HookSettings;
  beforeAll(async () => {
    const user = mkdtempSync(join(tmpdir(), 'btu-'));
    mkdirSync(join(user, '.claude'), { recursive: true });
    const env = { ...process.env, HOME: user, CLAUDE_CONFIG_DIR: '', BATON_HOME: baton.home };
    const { stdout } = await run(process.execPath, [PROGRAM, 'hooks', 'install', '--json'], env);
    settings = JSON.parse(stdout).settings[0];
    await baton.start();
  });
  afterAll(() => baton.cleanUp());

  const tell = (event: string, sessionId: string, env: NodeJS.ProcessEnv = {}) => {
    const command = settings.hooks.find((hook) => hook.event === event)?.command ?? 'exit 9';
    const { TMUX: _server, TMUX_PANE: _pane, ...outside } = process.env;
    const input = JSON.stringify({ session_id: sessionId, cwd: '/p', transcript_path: '/t' });
    return spawnSync('/bin/sh', ['-c', command], { input, env: { ...outside, ...env } }).status;
  };
  const candidatesWhen = async (fits: (all: Candidate[]) => boolean): Promise<Candidate[]> => {
    for (let left = 400; ; left--) {
      const { candidates } = await baton.get<{ candidates: Candidate[] }>('/api/candidates');
      if (fits(candidates)) return candidates;
      if (left === 0) throw new Error(`never came; last seen: ${JSON.stringify(candidates)}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };

  it('the list of external sessions includes those that started while Baton was down', async () => {
    expect(settings.state).toBe('installed');
    expect(tell('SessionStart', 'one', { TMUX: '/tmp/s,1,0', TMUX_PANE: '%5' })).toBe(0);
    expect(tell('SessionStart', 'of-an-agent', { BATON_AGENT_TOKEN: 'x', BATON_AGENT_ID: '1' })).toBe(0);
    expect(await candidatesWhen((all) => all.length > 0)).toMatchObject([
      {
        session_id: 'one',
        folder: '/p',
        transcript_path: '/t',
        tmux: { socket: '/tmp/s', pane: '%5' },
        pid: process.pid,
        alive: true,
      },
    ]);
    await baton.kill();
    expect([tell('SessionStart', 'two'), tell('SessionEnd', 'one')]).toEqual([0, 0]);
    await baton.start();
    const seen = await candidatesWhen((all) => all.length === 2);
    const byName = Object.fromEntries(seen.map((each) => [each.session_id, each]));
    expect(byName.one).toMatchObject({ alive: false, ended_at: expect.any(String), first_seen_at: expect.any(String) });
    expect(byName.two).toMatchObject({ alive: true, ended_at: null, tmux: null });
  });
});
