import { afterEach, beforeEach, expect, it } from 'vitest';
import { instantFromMs } from '../../../../src/domain/instant.ts';
import { PackageScene } from '../../http/packages/package-scene.ts';
import { runInScene } from '../support/run-in-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const run = (...argv: readonly string[]) => runInScene(scene, 'operator', ...argv);

it('if a handoff record does not exist, the error names the record and the command that lists the records', async () => {
  const hint = 'List them: baton handoff list';
  const sentence = 'Handoff record 99 not found';
  for (const verb of ['show-record', 'resume-record'])
    expect([verb, await run('handoff', verb, '99')]).toEqual([
      verb,
      { code: 1, stdout: '', stderr: `${sentence}\n${hint}\n` },
    ]);
});

it('`baton events` refuses an agent or a handoff that does not exist', async () => {
  for (const [option, sentence] of [
    ['--agent', 'Agent 999 not found'],
    ['--run', 'Handoff 999 not found'],
  ] as const) {
    const { code, stdout, stderr } = await run('events', option, '999');
    expect([option, code, stdout, stderr]).toEqual([option, 1, '', expect.stringContaining(sentence)]);
    expect(JSON.parse((await run('events', option, '999', '--json')).stdout)).toMatchObject({ error: sentence });
  }
});

it('`baton events` refuses an unknown event type and lists similar types', async () => {
  for (const follow of [[], ['--follow']]) {
    const similar = await run('events', '--type', 'agent_waiting,agent_started_up', ...follow);
    expect([similar.code, similar.stdout]).toEqual([1, '']);
    expect(similar.stderr).toMatch(/^Unknown event type "agent_waiting"\nSimilar types: agent_\w+, agent_/);
  }
  const other = await run('events', '--type', 'foo');
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('Unknown event type "foo"\nThe output of')]);
});

it('`baton events` accepts an event type that only the log knows', async () => {
  const event = { at: instantFromMs(scene.world.nowMs), agentId: null, runId: null, data: {}, dedupeKey: null };
  await scene.world.ports.store.write((tx) => tx.appendEvent({ ...event, type: 'moon_rose' }));
  expect(await run('events', '--type', 'moon_rose')).toMatchObject({ code: 0, stderr: '' });
  expect(await run('events', '--type', 'package_created')).toMatchObject({ code: 0, stderr: 'No such events.\n' });
});
