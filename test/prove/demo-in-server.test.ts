import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Agent, DemoStarted, ErrorBody, Event, Run } from '../../src/contract/resources.ts';
import { BatonProcess, PROGRAM, run } from '../support/baton-process.ts';

/** Tests the demo that a button on the page starts: a whole handoff of practice agents inside the running server. */

const baton = new BatonProcess({ reconcile_every_ms: 1000 });
beforeAll(async () => void (await baton.start()));
afterAll(() => baton.cleanUp());

const start = (server = baton) => server.call<DemoStarted & ErrorBody>('POST', '/api/demo', {});
const DEMO_MS = 300_000;

async function waitFor(fits: (event: Event) => boolean): Promise<Event> {
  for (const end = Date.now() + DEMO_MS; ; ) {
    const found = await baton.event(fits).catch((error: Error) => error);
    if (!(found instanceof Error)) return found;
    if (Date.now() > end) throw found;
  }
}

describe('the demo in the server', () => {
  it('the demo completes a handoff in its own project', {
    timeout: DEMO_MS + 60_000,
  }, async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const [begun, refused] = first.status === 201 ? [first, second] : [second, first];
    expect([begun.status, refused.status, refused.body.code]).toEqual([201, 409, 'already_running']);
    const { agent_id } = begun.body;
    const third = await start();
    expect([third.status, third.body.error]).toEqual([409, expect.stringContaining(`agent ${agent_id}`)]);
    const agent = await baton.get<Agent>(`/api/agents/${agent_id}`);
    expect(agent).toMatchObject({ runtime: 'practice', project: { path: join(baton.home, 'demo', 'tally') } });
    const done = await waitFor(({ type }) => type === 'handoff_complete' || type === 'handoff_error');
    const completed = await baton.get<Run>(`/api/runs/${done.run_id}`);
    expect(completed).toMatchObject({ step: 'completed', acknowledged: true, reason: 'context_limit', agent_id });
    expect(completed.git).toMatchObject({ kind: 'repository' });
    const { events } = await baton.get<{ events: Event[] }>('/api/events');
    const sent = events.filter(({ type, agent_id: id }) => type === 'message_begun' && id === agent_id);
    expect(sent.length).toBeGreaterThanOrEqual(3);
    expect(readFileSync(join(baton.home, 'demo', 'tally', 'PLAN.md'), 'utf8')).toContain('- [x]');
    expect(events.filter(({ type }) => type === 'agent_warning')).toEqual([]);
  });

  it('if a demo ended early, the next demo starts in another folder', async () => {
    const { body } = await untilFree();
    const agent = await baton.get<Agent>(`/api/agents/${body.agent_id}`);
    expect(agent.project.path).toBe(join(baton.home, 'demo', 'tally-2'));
    const { tmux } = await baton.ready(body.agent_id, false);
    execFileSync('tmux', ['-S', tmux.socket, 'kill-pane', '-t', String(tmux.pane)]);
    // Search all events, because other notices may come first, such as a notice about the typing of a skill.
    await baton.event(({ data }) => String(data.sentence).includes(`The demo with agent ${body.agent_id} ended early`));
    const words = [PROGRAM, 'demo', '--background', '--json'];
    const again = await run(process.execPath, words, { ...process.env, BATON_HOME: baton.home });
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      expect.objectContaining({ persona: 'practice-developer-robin-1' }),
    ]);
  });

  it("if the operator stops the demo's agent, the demo ends without an error", async () => {
    const { agents } = await baton.get<{ agents: Agent[] }>('/api/agents?live=1');
    const { id } = agents.at(-1) as Agent;
    await baton.call('POST', `/api/agents/${id}/stop`, { force: true });
    await untilFree();
    const { events } = await baton.get<{ events: Event[] }>(`/api/events?agent=${id}`);
    expect(events.filter(({ data }) => String(data.sentence).includes('ended early'))).toEqual([]);
  });

  it('if the server stops, the demo ends without an error', async () => {
    await baton.kill('SIGTERM');
    expect(readFileSync(join(baton.home, 'baton.log'), 'utf8')).not.toMatch(/demo.*ended early|unhandled/i);
    await baton.start();
    const { agents } = await baton.get<{ agents: Agent[] }>('/api/agents');
    const last = agents.at(-1) as Agent;
    expect(await baton.ready(last.id, true)).toMatchObject({ id: last.id });
    const { events } = await baton.get<{ events: Event[] }>('/api/events');
    expect(events.filter(({ type, agent_id }) => type === 'agent_warning' && agent_id === last.id)).toEqual([]);
    expect((await start()).status).toBe(201);
  });

  /**
   * Retries the start until the server accepts it, because the server may notice late that the previous demo is over.
   */
  async function untilFree() {
    for (;;) {
      const answer = await start();
      if (answer.status === 201) return answer;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});
