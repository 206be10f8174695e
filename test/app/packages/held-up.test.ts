import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEffectRunner } from '../../../src/app/engine/run-effects.ts';
import { announcePackages } from '../../../src/app/packages/background/announce-packages.ts';
import { noteHeldUp } from '../../../src/app/packages/background/note-held-up.ts';
import { packagesFromLog } from '../../../src/app/packages/background/rebuild-packages.ts';
import { noteEndedSessions, tickPackages } from '../../../src/app/packages/background/tick-packages.ts';
import type { InboxItem } from '../../../src/contract/resources.ts';
import type { Agent } from '../../../src/domain/agents/agent.ts';
import { delegation, gatePackage, PackageScene } from '../../surfaces/http/packages/package-scene.ts';

const ANN = 'reviewer-ann-2';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
  await change(scene.ann, { adoption: 'adopted' });
});
/** Checks after each test that the package rows can be rebuilt from the log. */
afterEach(async () => {
  const { rows, rebuilt } = scene.world.ports.store.read((tx) => ({
    rows: tx.packages({}),
    rebuilt: packagesFromLog(tx),
  }));
  expect(rebuilt).toEqual(rows);
  await scene.api.remove();
});

const change = (agent: Agent, over: Partial<Agent>) =>
  scene.world.ports.store.write((tx) => tx.saveAgent({ ...(tx.agentById(agent.id) ?? agent), ...over }));
const items = async () => (await scene.api.get<{ items: InboxItem[] }>('/api/inbox')).items;
const opened = () => scene.events().filter(({ type }) => type === 'inbox_opened');
const look = async (): Promise<void> => {
  await tickPackages(scene.world.ports);
  await noteEndedSessions(scene.world.ports);
  await noteHeldUp(scene.world.ports);
  await announcePackages(scene.world.ports);
  const runner = createEffectRunner(scene.world.ports);
  runner.wake();
  await runner.stop();
};

describe('a package for a persona that only an adopted agent has', () => {
  it('[package P33] only one inbox item says that a package waits for an adopted agent', async () => {
    const { body } = await scene.create();
    const [item] = await items();
    expect(item).toMatchObject({ kind: 'decision', package_id: body.id });
    expect(item?.sentence).toBe(
      `Package ${body.id} waits for ${ANN}, but the only agent of that name, agent ${scene.ann.id}, was adopted: it has no package tools, so Baton does not notify it.`,
    );
    for (const command of [
      `baton handoff ${scene.ann.id} `,
      `baton agent start --project 1 --persona ${ANN} --runtime sim `,
      `baton package cancel ${body.id}`,
    ])
      expect(item?.hint).toContain(command);
    const { held_up } = (await scene.get('operator', `/${body.id}`)).body;
    expect(held_up).toEqual({ agent_id: scene.ann.id, sentence: item?.sentence, hint: item?.hint });
    // Baton must open only one inbox item for a package that is held up, however much time passes.
    for (let times = 0; times < 5; times++) {
      scene.world.pass(3 * 60_000);
      await look();
    }
    expect(opened()).toHaveLength(1);
    expect(scene.world.typed).toEqual([]);
  });

  it('[package P33] a cancelled package is no longer reported as held up', async () => {
    const { body } = await scene.create();
    await scene.api.call('POST', `/api/inbox/${(await items())[0]?.id}/dismiss`, {});
    await look();
    expect([await items(), opened().length]).toEqual([[], 1]);
    expect((await scene.get('operator', `/${body.id}`)).body.held_up).not.toBeNull();
    await scene.post('operator', `/${body.id}/cancel`);
    expect((await scene.get('operator', `/${body.id}`)).body.held_up).toBeNull();
  });

  it('[package P33] a held-up package is announced to the next agent that has the package tools', async () => {
    const { body } = await scene.create();
    const other = await scene.world.addAgent({ personaId: 2 });
    await look();
    await look();
    expect(await items()).toEqual([]);
    expect(scene.world.typed.map(({ paneId }) => paneId)).toEqual([scene.world.agent(other.id).pane?.paneId]);
    expect((await scene.accept(other, body.id)).state).toBe('accepted');
    expect(opened()).toHaveLength(1);
  });

  it('[package P33] a package to a persona is reported as held up even if its receiver, an adopted agent, gets that persona only after the package was sent', async () => {
    await change(scene.ann, { adoption: 'adopted', personaId: null });
    const { body } = await scene.create();
    await look();
    expect(await items()).toEqual([]);
    await change(scene.ann, { personaId: 2 });
    await look();
    await look();
    expect((await items()).map(({ package_id }) => package_id)).toEqual([body.id]);
    expect(opened()).toHaveLength(1);
  });

  it('[package P33] the hint about a held-up package suggests sending a new package to a persona', async () => {
    const to = { agent: `agent-${scene.ann.id}`, reason: 'It knows the API' };
    await scene.create(scene.con, delegation({ to }));
    const [item] = await items();
    expect(item?.hint).toMatch(/^Cancel the package .* send a new one to a persona/);
    expect(item?.hint).not.toContain('baton handoff');
  });

  it('[package P33] a package for an adopted agent is not held up if another agent with the same name has the package tools and can receive the package', async () => {
    await scene.world.addAgent({ personaId: 2 });
    await scene.create();
    await scene.create(scene.con, gatePackage());
    await look();
    expect((await items()).map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('waits for your decision'),
    ]);
  });
});
