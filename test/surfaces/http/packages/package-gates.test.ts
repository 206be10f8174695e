import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Detail, delegation, gatePackage, PackageScene } from './package-scene.ts';

/** Tests that an agent cannot get around a gate, an approval or a rejection. */

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(() => scene.api.remove());

const decide = async (id: string, option: string): Promise<Detail> => {
  const { body } = await scene.get('operator', `/${id}`);
  const given = { option, reason: 'See RFC 1234', seen: body.seen };
  return (await scene.post('operator', `/${id}/decide`, given)).body;
};
const sendAfter = (parent: string, over: object = {}) =>
  scene.create(scene.con, delegation({ lineage: { parent }, ...over }));

describe('a blocking gate of an agent', () => {
  const open = async (over: object = {}): Promise<string> => (await scene.create(scene.con, gatePackage(over))).body.id;
  const NON_BLOCKING = { type: 'non_blocking', name: 'API approved', step: 3 };

  it('[package P21] a non-blocking gate in the same chain does not replace a pending or rejected gate', async () => {
    const gate = await open();
    const easier = await open({ gate: NON_BLOCKING, lineage: { parent: gate } });
    expect((await sendAfter(easier)).body.code).toBe('gate_not_passed');
    await decide(gate, 'reject');
    expect((await sendAfter(easier)).body).toMatchObject({
      code: 'gate_not_passed',
      error: expect.stringContaining(gate),
    });
  });

  it('[package P21] a non-blocking gate still lets the packages after it pass', async () => {
    expect((await sendAfter(await open({ gate: NON_BLOCKING }))).status).toBe(201);
  });

  it('[package P21] a gate also counts for packages that its author sends under another of its names', async () => {
    const gate = await open();
    const asked = gatePackage({ lineage: { parent: gate }, gate: undefined, validation_request: undefined });
    const escalation = await scene.create(scene.con, asked);
    expect([escalation.status, escalation.body.type]).toEqual([201, 'escalation']);
    const named = { from: { agent: `agent-${scene.con.id}` } };
    expect((await sendAfter(escalation.body.id, named)).body.code).toBe('gate_not_passed');
  });

  it('[package P22] the answer to a question of a person cannot make the gate non-blocking', async () => {
    const id = await open();
    const { questions } = await decide(id, 'question');
    const answers = questions.map((question) => ({ id: question.id, text: 'RFC 1234, section 5' }));
    const easier = await scene.post(scene.con, `/${id}/answer`, {
      answers,
      package: gatePackage({ gate: NON_BLOCKING }),
    });
    expect([easier.status, easier.body.code]).toEqual([403, 'forbidden']);
    const same = await scene.post(scene.con, `/${id}/answer`, { answers, package: gatePackage() });
    expect([same.body.state, same.body.gate?.kind]).toEqual(['pending', 'blocking']);
  });
});
