import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FleetStatus, MachineList } from '../../../src/contract/fleet.ts';
import type { Agent, Run } from '../../../src/contract/resources.ts';
import { type BatonProcess, PROGRAM, run } from '../../support/baton-process.ts';
import { needs } from '../../support/needs.ts';
import { FleetProcesses, NATS_SERVER, seen } from './fleet-processes.ts';

const cli = (baton: BatonProcess, ...words: string[]) =>
  run(process.execPath, [PROGRAM, ...words], { ...process.env, BATON_HOME: baton.home });

describe('a fleet of three machines', needs(NATS_SERVER), () => {
  const fleet = new FleetProcesses();
  let hub: BatonProcess;
  let laptop: BatonProcess;
  let watcher: BatonProcess;

  beforeAll(async () => {
    hub = await fleet.found();
    laptop = await fleet.join('laptop');
    watcher = await fleet.join('watcher', { role: 'viewer' });
  });
  afterAll(() => fleet.cleanUp());

  it('every machine of a fleet sees the other machines as up, with role and version', async () => {
    for (const viewer of [hub, laptop, watcher]) {
      for (const name of ['hub', 'laptop', 'watcher']) await seen(viewer, name);
      const { machines } = await viewer.get<MachineList>('/api/machines');
      expect(machines.map(({ name, role }) => `${name} ${role}`).sort()).toEqual([
        'hub operator',
        'laptop operator',
        'watcher viewer',
      ]);
      expect(new Set(machines.map(({ version }) => version)).size).toBe(1);
    }
  });

  it('the operator can hand off an agent on another machine', async () => {
    const agent = await laptop.agent();
    await seen(hub, 'laptop', ({ live_agents }) => live_agents === 1);
    const { agents } = await hub.get<{ agents: Agent[] }>('/api/machines/laptop/agents?live=1');
    expect(agents.map(({ id, label }) => [id, label])).toEqual([[agent.id, 'Con']]);
    const begun = await hub.call<{ run_id: number }>('POST', `/api/machines/laptop/agents/${agent.id}/handoff`, {
      reason: 'shift_end',
    });
    expect(begun).toMatchObject({ status: 200, body: { status: 'initiated' } });
    const handoff = await laptop.over(begun.body.run_id);
    expect(handoff.step).toBe('completed');
    const asked = await laptop.event(({ type, data }) => type === 'command_answered' && data.from === 'hub');
    expect(asked.data).toMatchObject({ route: `/api/agents/${agent.id}/handoff`, status: 200, code: null });
    await seen(hub, 'laptop', ({ log_position }) => (log_position ?? 0) >= asked.seq);
    const { body: shown } = await hub.call<Run>('GET', `/api/machines/laptop/runs/${handoff.id}`);
    expect(shown).toEqual(await laptop.get(`/api/runs/${handoff.id}`));
  });

  it("if another machine refuses a command, the refusal has that machine's words, and every command in the refusal names the machine", async () => {
    const own = await laptop.call('POST', '/api/agents/999/handoff', { reason: 'shift_end' });
    const remote = await hub.call('POST', '/api/machines/laptop/agents/999/handoff', { reason: 'shift_end' });
    expect(own).toMatchObject({ status: 404, body: { hint: 'List them: baton agent list --all' } });
    expect(remote).toEqual({
      ...own,
      body: { ...own.body, hint: 'List them: baton agent list --machine laptop --all' },
    });
    const refused = await cli(hub, 'agent', 'screen', 'laptop/999');
    expect(refused.stderr).toContain('baton agent list --machine laptop');
  });

  it('a command that Baton prints for an object of another machine acts on that machine', async () => {
    const agent = await laptop.agent();
    const begun = await cli(hub, 'handoff', `laptop/${agent.id}`, '--review');
    const [, runId = ''] = /Handoff (\d+) on laptop has started/.exec(begun.stdout) ?? [];
    expect(begun.stdout).toContain(`baton handoff show ${runId} --machine laptop`);
    await laptop.event(({ type, run_id }) => type === 'inbox_opened' && run_id === Number(runId));
    const listed = await expect
      .poll(async () => (await cli(hub, 'fleet', 'inbox')).stdout)
      .toContain(`baton handoff approve ${runId} --machine laptop`)
      .then(() => cli(hub, 'fleet', 'inbox'));
    for (const [command] of listed.stdout.matchAll(/baton (?:handoff|agent|package) [^,;.\n]+/g))
      expect(command).toContain('laptop');
    const shown = await cli(hub, 'handoff', 'show', `laptop/${runId}`);
    expect(shown.stdout).toContain(`baton handoff cancel ${runId} --machine laptop`);
    const approve = /baton (handoff approve \d+ --machine laptop)/.exec(listed.stdout)?.[1] ?? '';
    expect(await cli(hub, ...approve.split(' '))).toMatchObject({ code: 0 });
    expect((await laptop.over(Number(runId))).step).toBe('completed');
  });

  it('a viewer can read from another machine but cannot send commands to it', async () => {
    await seen(watcher, 'laptop');
    const { body, status } = await watcher.call('POST', '/api/machines/laptop/agents/1/stop', { force: true });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'viewer_only' });
    expect((await watcher.call('GET', '/api/machines/laptop/agents/1')).status).toBe(200);
  });

  it('a request to another machine is refused if its route can be used only on that machine itself', async () => {
    const { status, body } = await hub.call('GET', '/api/machines/laptop/settings');
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'not_from_afar' });
    expect(body.error).toBe('This request can be made only on laptop itself, not from another machine');
    const unknown = await cli(hub, 'settings', 'show', '--machine', 'nowhere');
    expect(unknown.stderr).toContain('The fleet has no machine "nowhere"');
    const { runs: before } = await laptop.get<{ runs: Run[] }>('/api/runs');
    for (const words of [
      ['handoff', 'laptop/1', '--watch'],
      ['agent', 'attach', 'laptop/1'],
    ]) {
      const refused = await cli(hub, ...words);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain('only on laptop itself');
      expect(refused.stderr).not.toContain('/api/');
    }
    expect((await laptop.get<{ runs: Run[] }>('/api/runs')).runs).toHaveLength(before.length);
  });

  it('[T26] if the setting `fleet.commands` is off, a machine refuses commands at once and still answers read requests', async () => {
    const file = join(laptop.home, 'config.json');
    const before = readFileSync(file, 'utf8');
    const config = JSON.parse(before) as { fleet: object };
    writeFileSync(file, JSON.stringify({ ...config, fleet: { ...config.fleet, commands: 'off' } }));
    const refused = await hub.call('POST', '/api/machines/laptop/agents/1/stop', { force: true });
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 403, code: 'commands_off' });
    expect((await hub.call('GET', '/api/machines/laptop/agents/1')).status).toBe(200);
    writeFileSync(file, before);
    const taken = await hub.call('POST', '/api/machines/laptop/agents/999/stop', { force: true });
    expect(taken.status).toBe(404);
  });

  it('a killed machine is shown as away with its last state, and as up after its restart', async () => {
    await laptop.kill();
    const away = await seen(hub, 'laptop', ({ presence }) => presence === 'away');
    expect(away).toMatchObject({ live: false, live_agents: 2 });
    expect(away.age_ms).toBeGreaterThan(0);
    await laptop.start();
    await seen(hub, 'laptop');
  });

  it("after the hub's server was killed, new events of a machine still reach the other machines", async () => {
    process.kill(Number(readFileSync(join(hub.home, 'fleet/hub/nats.pid'), 'utf8')), 'SIGKILL');
    await laptop.call('POST', '/api/personas/register', { role: 'writer', name: 'Ann' });
    const end = (await laptop.get<{ last_seq: number }>('/api/health')).last_seq;
    await seen(hub, 'laptop', ({ log_end, live }) => live && (log_end ?? 0) >= end);
  });

  it('a machine that was removed from the fleet disappears from the lists and is told why it cannot report', async () => {
    expect((await hub.call('POST', '/api/fleet/revoke', { name: 'watcher' })).status).toBe(200);
    const { machines } = await hub.get<MachineList>('/api/machines');
    expect(machines.map(({ name }) => name)).not.toContain('watcher');
    await expect.poll(async () => (await watcher.get<FleetStatus>('/api/fleet')).problem).not.toBeNull();
    expect((await watcher.call('GET', '/api/machines/laptop/agents/1')).status).toBeGreaterThanOrEqual(400);
  });
});
