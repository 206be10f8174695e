import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentAbove, namesAgentWithoutToken, processChain } from '../../../src/adapters/system/agent-above.ts';
import { LINUX, needs } from '../../support/needs.ts';

let home = '';
let child: ChildProcess | undefined;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'bt-above-')));
  mkdirSync(join(home, 'adopted'));
  mkdirSync(join(home, 'agents'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

const variables = (of = home) => ({
  BATON_AGENT_ID: '7',
  BATON_AGENT_TOKEN: 'token-of-seven',
  BATON_SESSION_START: join(of, 'agents', '7', 'session-start'),
});
const SEVEN = { id: 7, token: 'token-of-seven' };

/**
 * Starts a process with the environment `env` and resolves when the process is running. The process runs until it is
 * killed.
 */
async function running(env: Record<string, string>): Promise<number> {
  child = spawn('sh', ['-c', 'echo up; read _'], { env: { PATH: process.env.PATH ?? '', ...env } });
  await once(child.stdout ?? child, 'data');
  return child.pid ?? 0;
}

describe('[X-1] the agent that a process belongs to', () => {
  it('Baton finds the agent of a process by the environment variables of the process', () => {
    expect(agentAbove(home, variables(), [])).toEqual(SEVEN);
    const link = `${home}-link`;
    symlinkSync(home, link);
    try {
      expect(agentAbove(link, variables(), [])).toEqual(SEVEN);
      expect(agentAbove(home, variables(link), [])).toEqual(SEVEN);
    } finally {
      rmSync(link);
    }
  });

  it('a process with the environment variables of another Baton belongs to no agent of this Baton', () => {
    expect(agentAbove(home, variables('/elsewhere/.baton'), [])).toBeUndefined();
    expect(agentAbove(home, {}, [])).toBeUndefined();
  });

  it("Baton detects an environment that contains the id of one of Baton's agents but not the agent's token", () => {
    const lost = (of?: string) => ({ ...variables(of), BATON_AGENT_TOKEN: '' });
    expect(namesAgentWithoutToken(home, lost())).toBe(true);
    expect(namesAgentWithoutToken(home, { BATON_AGENT_ID: '7' })).toBe(true);
    for (const env of [lost('/elsewhere/.baton'), variables(), {}, { BATON_AGENT_ID: '', BATON_AGENT_TOKEN: '' }])
      expect(namesAgentWithoutToken(home, env)).toBe(false);
  });

  it('Baton finds the agent of a process by the environment of a parent process', needs(LINUX), async () => {
    const pid = await running(variables());
    expect(agentAbove(home, {}, [process.pid, pid])).toEqual(SEVEN);
    expect(agentAbove(home, {}, [pid])).toBeUndefined();
  });

  it('Baton finds the agent of a process that an adopted session started', async () => {
    const pid = await running({});
    const began = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];
    const write = (mark: string) => writeFileSync(join(home, 'adopted', String(pid)), `7 token-of-seven ${mark}\n/x\n`);
    write(began ?? '');
    expect(agentAbove(home, {}, [process.pid, pid])).toEqual(SEVEN);
    write('1');
    expect(agentAbove(home, {}, [process.pid, pid])).toBeUndefined();
  });

  it('the list of a process and its ancestors begins with the process itself and its parent process', () => {
    expect(processChain()).toEqual(expect.arrayContaining([process.pid, process.ppid]));
    expect(processChain(process.pid, 'darwin').slice(0, 2)).toEqual([process.pid, process.ppid]);
  });
});
