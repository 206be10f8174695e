import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { delegation, full, gatePackage, PackageScene, returnPackage } from './package-scene.ts';

/** Baton recognizes the first secret by its pattern, and the second secret only as the value of an agent's variable. */
const SECRETS = ['AKIAQ3R7ZT5WXKPL2MVN', 'wanderlust-in-november'] as const;
const UNTIL = '2030-01-01T00:00:00Z';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
  scene.world.ports.secrets.learn([{ name: 'UPLOAD_TOKEN', value: SECRETS[1] }]);
});
afterEach(() => scene.api.remove());

describe.each(SECRETS)('[package P11] [T20] the secret %s', (secret) => {
  it('every request about a package is refused if a text in the request contains a secret', async () => {
    const { con, ann } = scene;
    const { body: made } = await scene.create();
    const { body: gate } = await scene.create(con, gatePackage());
    await scene.post(ann, `/${made.id}/receive`);
    const words = `Use ${secret} for the upload`;
    const said = [
      [ann, `/${made.id}/ack`, full(words)],
      [ann, `/${made.id}/ask`, { questions: [words] }],
      [ann, `/${made.id}/decline`, { code: 'overload', reason: words }],
      [con, `/${made.id}/answer`, { answers: [{ id: 'Q-1-1', text: words }] }],
      [ann, `/${made.id}/progress`, { note: words }],
      [ann, `/${made.id}/fail`, { cause: words }],
      [ann, `/${made.id}/complete`, { note: words }],
      [ann, `/${made.id}/complete`, { results: [{ id: 'C-001', result: 'pass', evidence: words }] }],
      [con, `/${made.id}/cancel`, { note: words }],
      ['operator', `/${gate.id}/decide`, { option: 'reject', reason: words, seen: gate.seen }],
      ['operator', `/${gate.id}/decide`, { option: 'approve', conditions: [words], seen: gate.seen }],
      ['operator', `/${made.id}/waive`, { rule: 'HP005', why: words, until: UNTIL }],
      ['operator', '', { package: delegation(), waivers: [{ rule: 'HP005', why: words, until: UNTIL }] }],
      [con, '', { package: delegation(), key: words }],
      [con, '', { package: delegation({ extensions: { 'x.y': { note: words } } }), seal: false }],
      [ann, `/${made.id}/return`, { package: delegation({ context: { summary: words } }) }],
      [ann, `/${made.id}/return`, { package: returnPackage(), key: words }],
    ] as const;
    const before = scene.events().length;
    for (const [by, path, body] of said) {
      const answer = await scene.post(by, path, body);
      expect([path, answer.body.code, answer.body.findings?.[0]?.rule]).toEqual([path, 'package_refused', 'HP701']);
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
    expect(scene.events()).toHaveLength(before);
  });
});
