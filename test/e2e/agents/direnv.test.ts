import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Environment } from '../../../src/contract/environment.ts';
import type { Agent, Project } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';

/**
 * Tests with the real direnv and the real server. An agent must get the variables of an .envrc file only after the
 * operator has allowed this file with direnv.
 */
describe('the real direnv', needs('direnv'), () => {
  const SECRET = 'walk-in-the-snow-again';
  const operatorHome = realpathSync(mkdtempSync(join(tmpdir(), 'bth-')));
  const baton = new BatonProcess();
  const his = { ...process.env, HOME: operatorHome, SHELL: '/bin/bash' };
  let project = '';
  let id = 0;
  beforeAll(async () => {
    writeFileSync(join(operatorHome, 'kept'), SECRET);
    writeFileSync(join(operatorHome, '.bash_profile'), `export PATH=${JSON.stringify(process.env.PATH)} TAKEN=1\n`);
    project = baton.project();
    writeFileSync(
      join(project, '.envrc'),
      'export SHOP_TOKEN="$(cat ~/kept)"\nexport FROM_ENVRC="$PWD"\nPATH_add tools\nunset TAKEN\n',
    );
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('-c', 'user.name=n', '-c', 'user.email=n@example.org', 'commit', '-qm', 'first');
    await baton.start(his);
    id = (await baton.call<Project>('POST', '/api/projects', { path: project })).body.id;
  });
  afterAll(async () => {
    await baton.cleanUp();
    for (const path of [project, operatorHome]) rmSync(path, { recursive: true, force: true });
  });

  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' });
  const allow = (folder: string) => execFileSync('direnv', ['allow', folder], { env: his, stdio: 'pipe' });
  const started = async (worktree?: string): Promise<Agent> => {
    const { body } = await baton.call<Agent>('POST', '/api/agents', { project_id: id, ...(worktree && { worktree }) });
    return baton.ready(body.id, false);
  };
  const told = ({ id: agentId }: Agent) =>
    baton.event(({ type, agent_id, data }) => agent_id === agentId && /direnv/.test(`${type} ${JSON.stringify(data)}`));
  const environOf = async ({ tmux }: Agent): Promise<string[]> => {
    const args = ['-S', join(baton.home, 'tmux.sock'), 'display-message', '-p', '-t', tmux.pane ?? '', '#{pane_pid}'];
    return readFileSync(`/proc/${(await run('tmux', args)).stdout.trim()}/environ`, 'utf8').split('\0');
  };
  const env = (...args: string[]) =>
    run(process.execPath, [PROGRAM, 'agent', 'env', ...args], { ...his, BATON_HOME: baton.home });

  it('an .envrc that the operator has not allowed gives an agent no variables', async () => {
    const agent = await started();
    expect((await environOf(agent)).filter((entry) => /^(SHOP_TOKEN|FROM_ENVRC|DIRENV_)/.test(entry))).toEqual([]);
    expect(JSON.stringify(await told(agent))).toContain(
      `run in that folder: direnv allow), so agents in ${project} get nothing`,
    );
  });

  it('[T20] an .envrc that the operator has allowed gives an agent its variables', async () => {
    allow(project);
    const environ = await environOf(await started());
    expect(environ).toEqual(expect.arrayContaining([`SHOP_TOKEN=${SECRET}`, `FROM_ENVRC=${project}`]));
    expect(environ.find((entry) => entry.startsWith('PATH='))).toContain(`:${project}/tools:`);
    expect(environ.filter((entry) => /^(TAKEN=|DIRENV_)/.test(entry))).toEqual([]);
    const shown = await env('--project', project, '--json');
    expect((JSON.parse(shown.stdout) as Environment).variables).toEqual(
      expect.arrayContaining([
        { name: 'SHOP_TOKEN', origin: 'direnv', value: null },
        { name: 'FROM_ENVRC', origin: 'direnv', value: project },
      ]),
    );
    const events = JSON.stringify(await baton.get('/api/events?limit=1000'));
    const found = await run('grep', ['-rlF', SECRET, baton.home]);
    expect([shown.stdout.includes(SECRET), events.includes(SECRET), found.stdout]).toEqual([false, false, '']);
  });

  it('the .envrc in a worktree must be allowed separately', async () => {
    const blocked = await started('shelf');
    expect(JSON.stringify(await told(blocked))).toContain(`so agents in ${blocked.folder} get nothing`);
    expect((await environOf(blocked)).some((entry) => entry.startsWith('SHOP_TOKEN='))).toBe(false);
    expect((await env(String(blocked.id))).stdout).toContain('is not allowed there');
    allow(blocked.folder);
    expect((await env(String(blocked.id))).stdout).toMatch(/SHOP_TOKEN +direnv +masked/);
    expect((await env(String(blocked.id), '--json')).stdout).toContain(JSON.stringify(blocked.folder));
  });
});
