import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent } from '../../../src/contract/resources.ts';
import { BatonProcess, run } from '../../support/baton-process.ts';

const baton = new BatonProcess();
let agent: Agent & { projectPath: string };
beforeAll(async () => {
  await baton.start({ SHOP_TOKEN: 'hush-hush-hush', SHOP_MOOD: 'fine', SHELL: '/bin/sh' });
  agent = await baton.agent();
});
afterAll(() => baton.cleanUp());

describe("[X-9] Baton's tmux server and the environment variables of `baton start`", () => {
  it('the tmux server has none of the variables with which `baton start` was run', async () => {
    const { stdout } = await run('tmux', ['-S', join(baton.home, 'tmux.sock'), 'show-environment', '-g']);
    expect(stdout).toContain('PATH=');
    expect(stdout).not.toContain('SHOP_');
    const { stdout: pid } = await run('tmux', ['-S', join(baton.home, 'tmux.sock'), 'display-message', '-p', '#{pid}']);
    expect(readFileSync(`/proc/${pid.trim()}/environ`, 'utf8')).not.toContain('SHOP_');
  });

  it("an agent has the variables with which `baton start` was run, except those about Baton's tmux server", async () => {
    const file = join(agent.projectPath, 'env.txt');
    await baton.call('POST', `/api/agents/${agent.id}/messages`, {
      text: '[[practice:bash env > env.txt.part && mv env.txt.part env.txt]]',
    });
    await baton.event(
      ({ type, agent_id, data }) => type === 'tool_used' && agent_id === agent.id && data.phase === 'ended',
    );
    const env = readFileSync(file, 'utf8');
    expect(env).toContain('SHOP_TOKEN=hush-hush-hush');
    expect(env).toContain('SHOP_MOOD=fine');
    expect(env).not.toMatch(/^TMUX(_PANE)?=/m);
  });
});
