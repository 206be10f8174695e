import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitApproval, tryAgentShells } from '../../../prove/guard/attacks/agent-shells.ts';
import type { Agent, Event } from '../../../src/contract/resources.ts';
import { type BatonProcess, run } from '../../support/baton-process.ts';
import { PackageProcess } from '../packages/package-process.ts';

const scene = new PackageProcess();
const { baton } = scene;
beforeAll(async () => void (await scene.begin()));
afterAll(() => baton.cleanUp());

const sendNamed = async (from: BatonProcess, processes: string): Promise<{ status: number; error?: string }> => {
  const call = { method: 'GET', path: '/api/health', headers: { 'baton-processes': processes } };
  const { status, body } = await from.ask<{ error?: string }>(call);
  return { ...body, status };
};

describe('[X-1] a shell of an agent', () => {
  const SWITCH_ON = ['agent {self}', 'persona {persona}', 'project {project}'].map((of) => `policy set auto --${of}`);

  /** This test tries only some of the operator's commands. `npm run prove` tries all of them. */
  it("a command in an agent's shell cannot act as the operator and cannot turn on automatic handoffs", async () => {
    const waiting = await awaitApproval(scene, scene.con);
    const { tried, found } = await tryAgentShells(scene, waiting, ['handoff approve {run}', ...SWITCH_ON]);
    expect(found).toEqual([]);
    expect(tried).toBe(4 * 7 + 2 * 9);
  });

  it("the refusal of a command in an agent's shell names that agent", async () => {
    const { code, stderr } = await scene.cli(scene.ann, 'handoff', 'approve', '1');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `This shell belongs to an agent, so baton acts as that agent; agents cannot run \`baton handoff approve\`. Ask the operator to run: baton handoff approve 1\n`,
    );
  });

  it("a request from a child process of an agent cannot use the operator's token", async () => {
    const agent = await baton.get<Agent>(`/api/agents/${scene.ann.id}`);
    const { stdout } = await run('tmux', ['-S', agent.tmux.socket, 'display-message', '-p', '#{pid}']);
    const server = stdout.trim();
    const pane = (
      await run('tmux', ['-S', agent.tmux.socket, 'list-panes', '-t', agent.tmux.session, '-F', '#{pane_pid}'])
    ).stdout;
    const ask = (processes: string) => sendNamed(baton, processes);
    expect(await ask(`99 ${pane.trim()} 1`)).toMatchObject({
      status: 403,
      error: `This shell belongs to agent ${agent.id}, so a command given here does not have the operator's rights`,
    });
    expect((await ask(`99 ${server} 1`)).error).toMatch(/^This shell runs in Baton's tmux server/);
    expect((await ask(`${pane.trim()} 98 1`)).status).toBe(200);
    expect((await ask('not a number')).status).toBe(200);
  });

  it('the log records whether the operator used the page or the command line', async () => {
    const { body } = await baton.call<{ url: string }>('POST', '/api/login-codes', {});
    const code = body.url.split('#code=')[1];
    const { body: page } = await baton.call<{ token: string }>('POST', '/api/login', { code }, '');
    await baton.call('POST', '/api/personas/register', { role: 'tester', name: 'Pat' }, page.token);
    expect((await scene.cli('operator', 'persona', 'register', '--role', 'tester', '--name', 'Kim')).code).toBe(0);
    const { events } = await baton.get<{ events: Event[] }>('/api/events?type=persona_registered&order=desc&limit=2');
    expect(events.map(({ by }) => by)).toEqual(['operator/cli', 'operator/page']);
    const shown = await scene.cli('operator', 'events', '--type', 'persona_registered');
    expect(shown.stdout).toMatch(/The persona tester-pat-3 was created, by the operator \(page\)/);
    expect(shown.stdout).toMatch(/The persona tester-kim-4 was created, by the operator \(CLI\)/);
  });
});
