import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { operatorCommand } from '../../../src/adapters/spool/external-session-script.ts';
import { openSpool } from '../../../src/adapters/spool/spool-folder.ts';
import { processMark } from '../../../src/adapters/tmux/foreground.ts';
import type { Spool, SpooledHook } from '../../../src/app/ports/spool.ts';
import { waitingIn } from './waiting-in.ts';

const TOKEN = 'f'.repeat(64);

/** Runs the hook commands from the operator's settings as a client would. This test process acts as the client. */
describe('hooks of an adopted session', () => {
  let root = '';
  let spool: Spool;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "bt adopted's-"));
    mkdirSync(join(root, 'spool'));
    spool = openSpool({
      folder: join(root, 'spool'),
      scriptPath: join(root, 'baton-hook'),
      externalSessionScriptPath: join(root, 'baton-candidate'),
      adoptedScriptPath: join(root, 'baton-adopted'),
      adoptedFolder: join(root, 'adopted'),
      onProblem: () => undefined,
    });
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const fire = (event: string, payload: object = {}, env: object = {}) => {
    const scripts = {
      externalSessionScript: join(root, 'baton-candidate'),
      adoptedScript: join(root, 'baton-adopted'),
      adoptedFolder: join(root, 'adopted'),
    };
    const { TMUX: _server, TMUX_PANE: _pane, ...outside } = process.env;
    return spawnSync('/bin/sh', ['-c', operatorCommand(scripts, 'practice', event)], {
      input: JSON.stringify({ session_id: 's', ...payload }),
      env: { ...outside, ...env },
      encoding: 'utf8',
    });
  };
  const quiet = { status: 0, stdout: '', stderr: '' };
  const adopt = async (over: object = {}) =>
    spool.listenTo({
      agentId: 7,
      token: TOKEN,
      pid: process.pid,
      mark: (await processMark(process.pid)) ?? '',
      sessionStartPath: join(root, 'start text'),
      ...over,
    });
  const waiting = async () => (await waitingIn(spool)) as SpooledHook[];

  it('hooks of an adopted session are recorded for its agent', async () => {
    await adopt();
    const [name = ''] = readdirSync(join(root, 'adopted'));
    expect([name, statSync(join(root, 'adopted', name)).mode & 0o777]).toEqual([String(process.pid), 0o600]);
    expect(fire('Stop', { prompt_id: 'p' })).toMatchObject(quiet);
    expect(fire('PreToolUse', { tool_response: 'x'.repeat(300_000) })).toMatchObject(quiet);
    expect(await waiting()).toMatchObject([
      { agentId: 7, token: TOKEN, event: 'Stop', clientPid: process.pid, payload: { session_id: 's', prompt_id: 'p' } },
      { agentId: 7, event: 'PreToolUse' },
    ]);
  });

  it("the session start hook of an adopted session prints the agent's skill", async () => {
    await adopt();
    writeFileSync(join(root, 'start text'), 'abcdef01\nthe skill\n');
    expect(fire('SessionStart')).toMatchObject({ status: 0, stdout: 'the skill\n' });
    expect(await waiting()).toMatchObject([{ agentId: 7, given: 'abcdef01' }]);
  });

  it('after the adoption of a session, Baton accepts hooks only from the client of the session', async () => {
    const nothing = async () => {
      for (const event of ['Stop', 'UserPromptSubmit', 'PostToolUse', 'PreCompact', 'Notification'])
        expect(fire(event, { prompt: 'SECRET', tool_response: 'x'.repeat(300_000) })).toMatchObject(quiet);
      expect(await waitingIn(spool)).toEqual([]);
      expect(readdirSync(join(root, 'spool')).filter((name) => !name.startsWith('unwritten'))).toEqual([]);
    };
    await nothing();
    await adopt({ pid: process.ppid });
    await nothing();
    await adopt({ mark: '1' });
    await nothing();
    await adopt();
    expect(await spool.listenOnlyTo([7])).toEqual([7, 7]);
    expect(await spool.listenOnlyTo([8])).toEqual([]);
    await nothing();
    writeFileSync(join(root, 'adopted', String(process.pid)), 'rubbish');
    await nothing();
    await adopt();
    rmSync(join(root, 'baton-adopted'));
    await nothing();
  });

  it('the hook script for adopted sessions records nothing for a client that Baton started', async () => {
    await adopt();
    expect(fire('Stop', {}, { BATON_AGENT_TOKEN: 'x', BATON_AGENT_ID: '1' })).toMatchObject(quiet);
    expect(await waitingIn(spool)).toEqual([]);
  });
});
