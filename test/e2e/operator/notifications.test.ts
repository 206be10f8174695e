import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, InboxItem } from '../../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';

/** Tests that the real product sends notifications to a local webhook, even if the product is killed meanwhile. */
describe('notifications of the real server', () => {
  const told: { title: string; body: string }[] = [];
  let hook: Server;
  let baton: BatonProcess;
  beforeAll(async () => {
    hook = createServer((asked, answer) => {
      let text = '';
      asked.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      asked.on('end', () => {
        told.push(JSON.parse(text) as (typeof told)[number]);
        answer.end();
      });
    }).listen(0, '127.0.0.1');
    await once(hook, 'listening');
    const { port } = hook.address() as { port: number };
    baton = await new BatonProcess({
      notifications: { os: false, webhook: `http://127.0.0.1:${port}/` },
      notify_finished_after_seconds: 1,
    }).start();
  });
  afterAll(async () => {
    await baton.cleanUp();
    hook.close();
  });

  const cli = (...argv: string[]) =>
    run(process.execPath, [PROGRAM, ...argv], { ...process.env, BATON_HOME: baton.home });
  const about = (id: number): string[] =>
    told.filter(({ body }) => body.includes(`agent ${id})`)).map(({ title }) => title);
  const notified = (id: number) => baton.event(({ type, agent_id }) => type === 'operator_notified' && agent_id === id);

  it('each question of an agent causes one notification, even if the server is killed with kill -9', async () => {
    const asking = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${asking.id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    await notified(asking.id);
    const working = await baton.agent({ persona: false, behaviour: { thinkMs: 1_500 } });
    await baton.call('POST', `/api/agents/${working.id}/messages`, { text: 'Do the next step of PLAN.md.' });
    await notified(working.id);
    await baton.kill('SIGKILL');
    await baton.start();
    // Cause one more notification after the restart. If the new server sent an old notification a second time, the old
    // one would arrive first.
    const last = await baton.agent({ persona: false });
    await baton.call('POST', `/api/agents/${last.id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    await notified(last.id);
    expect([about(asking.id), about(working.id), about(last.id)]).toEqual([
      [expect.stringMatching(/\(agent \d+\) asks\b/)],
      [expect.stringMatching(/\(agent \d+\) finished$/)],
      [expect.stringMatching(/\(agent \d+\) asks\b/)],
    ]);
  });

  it('a muted agent causes no notification, even after a restart', async () => {
    const agent = await baton.agent({ persona: false });
    const muted = await cli('agent', 'mute', String(agent.id), '--until', '2h', '--json');
    expect(JSON.parse(muted.stdout)).toMatchObject({ muted: { until: expect.any(String) } });
    await baton.call('POST', `/api/agents/${agent.id}/messages`, { text: '[[practice:dialog Bash(make)]]' });
    await baton.event(({ type, agent_id }) => type === 'inbox_held' && agent_id === agent.id);
    await baton.kill('SIGKILL');
    await baton.start();
    expect((await baton.get<Agent>(`/api/agents/${agent.id}`)).muted).not.toBeNull();
    const { items } = await baton.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items.find(({ agent_id }) => agent_id === agent.id)?.notified).toEqual({ held: 'muted' });
    expect(about(agent.id)).toEqual([]);
    expect((await cli('agent', 'mute', String(agent.id), '--off')).code).toBe(0);
    await notified(agent.id);
    expect(about(agent.id)).toEqual([expect.stringMatching(/\(agent \d+\) asks\b/)]);
  });

  it('the operator can set quiet hours on the command line', async () => {
    expect((await cli('settings', 'set', 'quiet_hours', '22:00-07:00')).stdout).toContain('22:00-07:00');
    expect(await cli('settings', 'set', 'quiet_hours', '22:00-22:00')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('from and to must differ'),
    });
    expect((await cli('settings', 'set', 'quiet_hours', 'none')).code).toBe(0);
    expect((await cli('settings', 'set', 'notifications.failures', 'false')).code).toBe(2);
  });
});
