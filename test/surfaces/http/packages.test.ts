import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEngine } from '../../../src/app/engine.ts';
import { announcePackages } from '../../../src/app/packages/announce-packages.ts';
import { createPackageWriter, type PackageWriter } from '../../../src/app/packages/package-writer.ts';
import { packagesFromLog, rebuildPackages } from '../../../src/app/packages/rebuild-packages.ts';
import { tickPackages } from '../../../src/app/packages/tick-packages.ts';
import { createEffectRunner } from '../../../src/app/run-effects.ts';
import { createTrouble } from '../../../src/app/trouble.ts';
import { SealedPackage } from '../../../src/contract/package.ts';
import type { InboxItem } from '../../../src/contract/resources.ts';
import type { StoredPackage } from '../../../src/domain/package/stored-package.ts';
import {
  type Detail,
  delegation,
  escalation,
  full,
  gatePackage,
  PackageScene,
  returnPackage,
} from './package-scene.ts';

let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
/** [package P15] holds after every test: one owner, and rows that the log alone gives again. */
afterEach(async () => {
  const { rows, rebuilt } = scene.world.ports.store.read((tx) => ({
    rows: tx.packages({}),
    rebuilt: packagesFromLog(tx),
  }));
  const byId = (all: readonly StoredPackage[]) => Object.fromEntries(all.map((each) => [each.record.id, each]));
  expect(byId(rebuilt)).toEqual(byId(rows));
  for (const { record } of rows) expect(['sender', 'orchestrator', 'receiver', 'human']).toContain(record.owner);
  expect(scene.world.ports.store.read((tx) => tx.firstBrokenEvent())).toBeUndefined();
  await scene.api.remove();
});

describe('a package that is written', () => {
  it('[004 Handoff Package Structure] is sealed with id, hashes, lineage and git state that the host gives', async () => {
    scene.world.git = {
      kind: 'repository',
      root: '/p',
      head: 'abc',
      branch: 'main',
      branches: { names: ['main'], all: true },
      dirty: { count: 2, untracked: 1, unsure: 0, files: [{ path: 'src/new.ts', state: 'untracked' }] },
      diffstat: null,
      upstream: { name: 'origin/main', ahead: 1, behind: 0 },
      unknownCommits: [],
    };
    const { status, body } = await scene.create(scene.con, delegation({ id: 'HO-1999-777' }));
    expect([status, body.id, body.state, body.owner, body.type]).toEqual([
      201,
      'HO-2026-001',
      'pending',
      'sender',
      'delegation',
    ]);
    const sealed = SealedPackage.parse(body.package);
    expect(sealed.context.artifacts?.[0]).toMatchObject({ sha256: 'a'.repeat(64), bytes: 120 });
    expect(sealed.from).toEqual({
      agent: 'developer-con-1',
      step: 3,
      session: scene.con.sessionUuid,
      persona: 'developer-con-1',
    });
    expect(sealed.repo).toMatchObject({ head: 'abc', branch: 'main', changed: 2, untracked: 1, ahead: 1 });
    expect(sealed.integrity).toMatchObject({ content_sha256: body.content_sha256, prev_sha256: null });
    expect(body.findings.map(({ rule }) => rule)).toContain('HP203');
    expect((await scene.create()).body.id).toBe('HO-2026-002');
  });

  it('[package P12] is not kept at all if the lint has an error, and says which', async () => {
    const vague = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const { status, body } = await scene.create(scene.con, vague);
    expect([status, body.code]).toEqual([409, 'not_sealable']);
    expect(body.error).toContain('HP005');
    expect(body.findings?.map(({ rule }) => rule)).toContain('HP005');
    expect(scene.events().filter(({ type }) => type.startsWith('package_'))).toEqual([]);
    // The number was not used.
    expect((await scene.create()).body.id).toBe('HO-2026-001');
  });

  it('[package P13] stays a draft that only a person can get past an error, by a waiver that is kept', async () => {
    const vague = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const { body: draft } = await scene.create(scene.con, vague, { seal: false });
    expect([draft.state, draft.revision]).toEqual(['draft', 0]);
    const seal = () => scene.post(scene.con, `/${draft.id}/seal`, { epoch: draft.epoch });
    expect((await seal()).body.code).toBe('not_sealable');
    const waiver = { rule: 'HP005', why: 'A spike', until: '2027-01-01T00:00:00Z' };
    expect((await scene.post(scene.con, `/${draft.id}/waive`, waiver)).status).toBe(403);
    expect((await scene.post('operator', `/${draft.id}/waive`, { ...waiver, rule: 'HP701' })).status).toBe(403);
    await scene.post('operator', `/${draft.id}/waive`, waiver);
    const sealed = (await seal()).body;
    expect([sealed.state, sealed.waivers]).toEqual(['pending', [{ ...waiver, by: 'operator' }]]);
    expect((await scene.create(scene.con, vague, { waivers: [waiver] })).status).toBe(403);
  });

  it('is what it was sealed as, also if its draft was something else', async () => {
    const { body: draft } = await scene.create(scene.con, delegation(), { seal: false });
    const sealed = (await scene.post(scene.con, `/${draft.id}/seal`, { epoch: draft.epoch, package: gatePackage() }))
      .body;
    expect([draft.type, sealed.type, sealed.package.type, sealed.state]).toEqual([
      'delegation',
      'gate',
      'gate',
      'awaiting_human',
    ]);
  });

  it('under one key is made once, and another body under it is refused', async () => {
    const one = await scene.create(scene.con, delegation(), { key: 'k1' });
    const same = await scene.create(scene.con, delegation(), { key: 'k1' });
    expect(same.body.id).toBe(one.body.id);
    const other = await scene.create(scene.con, gatePackage(), { key: 'k1' });
    expect([other.status, other.body.code]).toEqual([409, 'key_reused']);
    expect((await scene.create(scene.ann, returnPackage({ type: 'delegation' }), { key: 'k1' })).body.id).not.toBe(
      one.body.id,
    );
  });

  it('under one key is about one project and one set of waivers: another of either is refused like another body', async () => {
    await scene.world.ports.store.write((tx) =>
      tx.insertProject({ name: 'q', path: '/q', createdAt: scene.con.startedAt }),
    );
    const vague = { deliverable: 'A report', success_criteria: ['TBD'] };
    const written = delegation({ from: { agent: 'human' }, expectations: vague });
    const waiver = { rule: 'HP005', why: 'A spike', until: '2027-01-01T00:00:00Z' };
    const asked = { project_id: 1, waivers: [waiver], key: 'k1', seal: false };
    const create = async (over: object) => {
      const { status, body } = await scene.create('operator', written, { ...asked, ...over });
      return [status, body.code ?? body.id, body.error];
    };
    expect(await create({})).toEqual([201, 'HO-2026-001', undefined]);
    const refused = [409, 'key_reused', 'This key made HO-2026-001 already, from something else.'];
    expect(await create({ project_id: 2 })).toEqual(refused);
    expect(await create({ waivers: [] })).toEqual(refused);
    expect(await create({ waivers: [{ ...waiver, why: 'Another' }] })).toEqual(refused);
    // A waiver that was given since is none of the author's words.
    await scene.post('operator', '/HO-2026-001/waive', { ...waiver, rule: 'HP201' });
    expect((await create({}))[1]).toBe('HO-2026-001');
  });

  it('is from whoever has the token, and from nobody else', async () => {
    const { status, body } = await scene.create(scene.ann, delegation());
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(body.error).toContain('reviewer-ann-2');
    expect((await scene.create('operator', delegation(), { project_id: 1 })).status).toBe(403);
    const mine = await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 });
    expect([mine.status, mine.body.state]).toEqual([201, 'pending']);
  });

  it('is seen by its parties and by people, and by no other agent', async () => {
    const { body } = await scene.create();
    await scene.addPersona('Bob');
    const bob = await scene.world.addAgent({ personaId: 3 });
    expect((await scene.get(bob, `/${body.id}`)).status).toBe(404);
    expect((await scene.get<{ packages: unknown[] }>(bob, '')).body.packages).toEqual([]);
    for (const who of [scene.con, scene.ann, 'operator'] as const)
      expect((await scene.get(who, `/${body.id}`)).status).toBe(200);
    const inbox = async (who: typeof bob | 'operator') =>
      (await scene.get<{ packages: Detail[] }>(who, '?box=inbox')).body.packages.map(({ id }) => id);
    expect([await inbox(scene.con), await inbox(scene.ann)]).toEqual([[], [body.id]]);
  });
});

describe('a draft', () => {
  it('[package P15] that is written anew supersedes and follows what it names then', async () => {
    const { body: old } = await scene.create();
    const { body: draft } = await scene.create(scene.con, delegation(), { seal: false });
    const anew = (named: string) => ({ epoch: 1, package: delegation({ lineage: { supersedes: named } }) });
    expect((await scene.post(scene.con, `/${draft.id}/seal`, anew(draft.id))).body.code).toBe('package_not_found');
    const { body: sealed } = await scene.post(scene.con, `/${draft.id}/seal`, anew(old.id));
    expect([sealed.state, sealed.lineage]).toMatchObject(['pending', { supersedes: old.id, root: old.id }]);
    expect((await scene.get(scene.con, `/${old.id}`)).body).toMatchObject({
      state: 'superseded',
      superseded_by: draft.id,
    });
  });
});

describe('its receiver', () => {
  it('[004 Validate the Package] reads it with the report of the host, which it cannot talk away', async () => {
    const { body } = await scene.create();
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 121 });
    const got = await scene.post<{ package: Detail; report: { blocked: boolean; unusable: string[] } }>(
      scene.ann,
      `/${body.id}/receive`,
    );
    expect(got.body.package.state).toBe('delivered');
    expect(got.body.report).toMatchObject({ blocked: true, unusable: ['docs/api.md'] });
    const said = await scene.post(scene.ann, `/${body.id}/ack`, full(got.body.package));
    expect([said.status, said.body.code]).toEqual([409, 'acknowledgement_incomplete']);
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'a'.repeat(64), bytes: 120 });
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
  });

  it('[T13] is not misled by files whose names are words of a refusal', async () => {
    const paths = ['code', 'sentence'];
    for (const path of paths) scene.world.artifacts.set(path, { kind: 'file', sha256: 'b'.repeat(64), bytes: 1 });
    const artifacts = paths.map((path) => ({ path, type: 'code', description: 'A file', role: 'referenced' }));
    const { body } = await scene.create(scene.con, delegation({ context: { ...delegation().context, artifacts } }));
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
  });

  it('[004 Acknowledge Receipt] owns it from a full acknowledgement on; the same again changes nothing, another is refused', async () => {
    const { body } = await scene.create();
    expect((await scene.post(scene.ann, `/${body.id}/ack`, full(body))).body.error).toContain('was not read yet');
    const accepted = await scene.accept(scene.ann, body.id);
    expect([accepted.state, accepted.owner, accepted.epoch]).toEqual(['accepted', 'receiver', 2]);
    const before = scene.events().length;
    expect((await scene.post(scene.ann, `/${body.id}/ack`, full(body))).status).toBe(200);
    expect(scene.events()).toHaveLength(before);
    expect((await scene.post(scene.ann, `/${body.id}/ack`, full(body, 'Something else'))).status).toBe(409);
  });

  it('is the only one who acknowledges: neither sender nor person, nor with another hash', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    for (const who of [scene.con, 'operator'] as const)
      expect((await scene.post(who, `/${body.id}/ack`, full(body))).status).toBe(403);
    const forged = await scene.post(scene.ann, `/${body.id}/ack`, { ...full(body), content_sha256: 'f'.repeat(64) });
    expect(forged.body.error).toContain('another revision');
    const partial = await scene.post(scene.ann, `/${body.id}/ack`, { ...full(body), covered_ids: ['K-001'] });
    expect(partial.body.error).toContain('C-001');
  });

  it('[004 Signal Problems] asks, gets a new revision with all answers, and after three rounds a person is asked', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    let hash = body.content_sha256;
    for (const round of [1, 2, 3]) {
      const asked = (
        await scene.post(scene.ann, `/${body.id}/ask`, {
          questions: [`Which API? (${round})`, 'Which data?'],
          content_sha256: hash,
        })
      ).body;
      expect([asked.state, asked.questions.map(({ id }) => id)]).toEqual([
        'clarifying',
        [`Q-${round}-1`, `Q-${round}-2`],
      ]);
      const short = { epoch: asked.epoch, answers: [{ id: `Q-${round}-1`, text: 'The public one' }] };
      expect((await scene.post(scene.con, `/${body.id}/answer`, short)).body.error).toContain(`Q-${round}-2`);
      const answers = [...short.answers, { id: `Q-${round}-2`, text: 'The 3 tables of docs/api.md' }];
      const answered = (await scene.post(scene.con, `/${body.id}/answer`, { epoch: asked.epoch, answers })).body;
      expect([answered.state, answered.revision]).toEqual(['delivered', round + 1]);
      expect(answered.package.integrity).toMatchObject({ prev_sha256: hash });
      expect(answered.answers).toHaveLength(2 * round);
      hash = answered.content_sha256;
    }
    const last = await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Still not'], content_sha256: hash });
    expect(last.body.state).toBe('awaiting_human');
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items.map(({ kind, package_id }) => [kind, package_id])).toEqual([['decision', body.id]]);
  });

  it('declines with a reason, and its sender has it', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    const declined = await scene.post(scene.ann, `/${body.id}/decline`, { code: 'capability', reason: 'No Rust here' });
    expect([declined.body.state, declined.body.owner, declined.body.cause]).toEqual([
      'rejected',
      'sender',
      'capability: No Rust here',
    ]);
  });
});

describe('a delegation', () => {
  it('[004 Return] comes back by a return that its callee seals, and is complete when every criterion has a result', async () => {
    const { body } = await scene.create();
    const accepted = await scene.accept(scene.ann, body.id);
    const done = (results: object[]) =>
      scene.post(scene.ann, `/${body.id}/complete`, { epoch: accepted.epoch, results });
    expect((await done([{ id: 'C-001', result: 'pass' }])).body.error).toContain('seal its return first');
    const back = await scene.post(scene.ann, `/${body.id}/return`, { package: returnPackage() });
    expect([back.status, back.body.type, back.body.lineage]).toEqual([
      201,
      'return',
      { parent: body.id, root: body.id, hop: 1, supersedes: null, returns_for: body.id },
    ]);
    expect(back.body.package.criteria_results).toEqual([{ id: 'C-001', result: 'unknown' }]);
    expect((await done([])).body.error).toContain('C-001');
    const completed = (await done([{ id: 'C-001', result: 'pass', evidence: '2 risks, both addressed' }])).body;
    expect([completed.state, completed.owner]).toEqual(['completed', 'sender']);
    const chain = await scene.get<{ packages: unknown[]; open_frames: unknown[] }>(scene.con, `/${body.id}/chain`);
    expect([chain.body.packages.length, chain.body.open_frames]).toEqual([2, []]);
  });

  it('[package P23] of a person comes back to him, and waits for his word', async () => {
    const made = await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    const taken = await scene.accept(scene.ann, made.body.id);
    const back = returnPackage({
      type: 'return',
      to: { agent: 'human', reason: 'Security review completed' },
      criteria_results: taken.criteria.map(({ id }) => ({ id, result: 'pass', evidence: 'docs/api.md' })),
    });
    const returned = await scene.post(scene.ann, `/${made.body.id}/return`, { package: back });
    expect([returned.status, returned.body.error]).toEqual([201, undefined]);
    expect(returned.body).toMatchObject({ type: 'return', state: 'awaiting_human' });
    const ended = await scene.post(scene.ann, `/${made.body.id}/complete`, { epoch: taken.epoch });
    expect([ended.status, ended.body.state]).toEqual([200, 'completed']);
    const { seen } = (await scene.get('operator', `/${returned.body.id}`)).body;
    const decided = await scene.post('operator', `/${returned.body.id}/decide`, { option: 'approve', seen });
    expect([decided.status, decided.body.state, decided.body.owner]).toEqual([200, 'accepted', 'human']);
    const settled = await scene.post('operator', `/${returned.body.id}/complete`, { epoch: decided.body.epoch });
    expect([settled.status, settled.body.state]).toEqual([200, 'completed']);
  });

  it('[package P4] of an agent is not returned to a person', async () => {
    const made = await scene.create();
    await scene.accept(scene.ann, made.body.id);
    const back = returnPackage({ type: 'return', to: { agent: 'human', reason: 'Security review completed' } });
    const refused = await scene.post(scene.ann, `/${made.body.id}/return`, { package: back });
    expect([refused.status >= 400, refused.body.findings?.map(({ rule }) => rule)]).toEqual([
      true,
      expect.arrayContaining(['HP502']),
    ]);
  });

  it('[package P23] comes back once: a second return is refused unless it takes the place of the first, or that was declined', async () => {
    const { body: made } = await scene.create();
    await scene.accept(scene.ann, made.id);
    const back = (over: object = {}) => scene.post(scene.ann, `/${made.id}/return`, { package: returnPackage(over) });
    const { body: first } = await back();
    expect((await back()).body).toMatchObject({
      code: 'package_not_possible',
      error: `${made.id} was returned already, by ${first.id}.`,
    });
    const { body: second } = await back({ lineage: { supersedes: first.id } });
    expect([second.state, (await scene.get(scene.ann, `/${first.id}`)).body.state]).toEqual(['pending', 'superseded']);
    await scene.post(scene.con, `/${second.id}/receive`);
    await scene.post(scene.con, `/${second.id}/decline`, { code: 'conflict', reason: 'Not the API of today' });
    // What was declined has brought nothing back.
    const complete = { epoch: 2, results: [{ id: 'C-001', result: 'pass', evidence: 'docs/api.md' }] };
    expect((await scene.post(scene.ann, `/${made.id}/complete`, complete)).body.error).toContain('seal its return');
    expect((await back()).status).toBe(201);
    expect((await scene.post(scene.ann, `/${made.id}/complete`, complete)).body.state).toBe('completed');
  });

  it('[package P24] stands in its chain although its author leaves that out, so no circle is possible', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    const circle = delegation({
      from: { agent: 'reviewer-ann-2' },
      to: { agent: 'developer-con-1', reason: 'You do it' },
      type: 'delegation',
    });
    const { body: refused } = await scene.create(scene.ann, circle);
    expect(refused.code).toBe('not_sealable');
    expect(refused.findings?.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['HP008']));
    const { body: escalated } = await scene.create(scene.ann, {
      from: { agent: 'reviewer-ann-2' },
      to: { agent: 'human', reason: 'Business decision required' },
      context: {
        summary: 'Two approaches to token rotation for 12 endpoints, with trade-offs.',
        open_questions: [{ question: 'Time to market or maintainability?', priority: 'high' }],
      },
      expectations: { deliverable: 'Validated choice with justification' },
    });
    expect([escalated.state, escalated.lineage.root, escalated.lineage.hop]).toEqual(['awaiting_human', body.id, 1]);
  });

  it('[package P15] is written by its owner under his epoch, and by no session that has ended', async () => {
    const { body } = await scene.create();
    const accepted = await scene.accept(scene.ann, body.id);
    const progress = (by: typeof scene.ann, epoch: number) => scene.post(by, `/${body.id}/progress`, { epoch });
    expect((await progress(scene.con, accepted.epoch)).body.code).toBe('forbidden');
    expect((await progress(scene.ann, 1)).body.code).toBe('stale_epoch');
    expect((await progress(scene.ann, accepted.epoch)).status).toBe(200);
    // A second session of the same persona does not speak for the first while that lives.
    const second = await scene.world.addAgent({ personaId: 2 });
    expect((await progress(second, accepted.epoch)).body.code).toBe('forbidden');
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.ann.id, detail: 'gone' });
    expect((await progress(scene.ann, accepted.epoch)).body.code).toBe('agent_not_active');
    expect((await progress(second, accepted.epoch)).status).toBe(200);
  });
});

describe('a gate', () => {
  it('[004 Handoff to Human (Gate)] waits for a person in the inbox, and an agent cannot decide it', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    expect([body.state, body.waiter, body.gate?.items.length]).toEqual(['awaiting_human', 'human', 2]);
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items).toMatchObject([{ kind: 'decision', package_id: body.id }]);
    expect(items[0]?.sentence).toContain('API approved');
    const decision = { option: 'approve', seen: body.seen };
    for (const who of [scene.con, scene.ann])
      expect((await scene.post(who, `/${body.id}/decide`, decision)).status).toBe(403);
    const approved = (await scene.post('operator', `/${body.id}/decide`, decision)).body;
    expect([approved.state, approved.outcome, approved.decision?.channel]).toEqual(['accepted', 'approved', 'cli']);
    expect((await scene.api.get<{ items: InboxItem[] }>('/api/inbox')).items).toEqual([]);
    const late = await scene.post('operator', `/${body.id}/decide`, {
      option: 'reject',
      reason: 'no',
      seen: body.seen,
    });
    expect([late.body.code, late.body.error]).toEqual(['already_decided', expect.stringContaining('approve')]);
  });

  it('[package P20] is rejected with a reason, asked about with words, and approved point by point', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const decide = (given: object) => scene.post('operator', `/${body.id}/decide`, { seen: body.seen, ...given });
    expect((await decide({ option: 'reject' })).status).toBe(400);
    const half = (await decide({ option: 'approve', items: [1] })).body;
    expect([half.state, half.gate?.approved]).toEqual(['awaiting_human', [1]]);
    const asked = (await decide({ option: 'question', reason: 'Why 15 minutes?' })).body;
    expect([asked.state, asked.questions[0]?.text]).toEqual(['clarifying', 'Why 15 minutes?']);
    const answered = (
      await scene.post(scene.con, `/${body.id}/answer`, {
        epoch: asked.epoch,
        answers: [{ id: asked.questions[0]?.id, text: 'NIST SP 800-63B' }],
      })
    ).body;
    expect([answered.state, answered.gate?.approved]).toEqual(['awaiting_human', []]);
    // What was seen before the answer is not what is there now.
    expect((await decide({ option: 'approve' })).body.code).toBe('stale_content');
    const rejected = await scene.post('operator', `/${body.id}/decide`, {
      option: 'reject',
      reason: 'Too long',
      seen: answered.seen,
    });
    expect([rejected.body.state, rejected.body.cause]).toEqual(['rejected', 'Too long']);
  });

  it('[package P21] is approved for what was seen: a change before the decision or before the next step is found', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'c'.repeat(64), bytes: 9 });
    const first = await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen });
    expect([first.body.code, first.body.error]).toEqual(['stale_content', expect.stringContaining('docs/api.md')]);
    const shown = (await scene.get('operator', `/${body.id}`)).body;
    const approved = await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: shown.seen });
    expect(approved.body.state).toBe('accepted');
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'd'.repeat(64), bytes: 9 });
    const next = await scene.create(scene.con, delegation({ lineage: { parent: body.id } }));
    expect([next.body.code, next.body.error]).toEqual(['stale_content', expect.stringContaining(body.id)]);
    const again = (await scene.get('operator', `/${body.id}`)).body;
    expect(again.state).toBe('awaiting_human');
    await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: again.seen });
    expect((await scene.create(scene.con, delegation({ lineage: { parent: body.id } }))).status).toBe(201);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('completed');
  });

  it('[package P15] is passed by its owner under his epoch', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const decided = await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen });
    const { epoch } = decided.body;
    const complete = (by: number) => scene.post(scene.con, `/${body.id}/complete`, { epoch: by, results: [] });
    expect((await complete(epoch + 1)).body.code).toBe('stale_epoch');
    expect((await complete(epoch)).body.state).toBe('completed');
  });

  it('blocks what would go on behind it while nobody has decided', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const next = await scene.create(scene.con, delegation({ lineage: { parent: body.id } }));
    expect([next.status, next.body.error]).toEqual([409, expect.stringContaining('nothing goes on')]);
  });
});

describe('time', () => {
  const pass = async (ms: number): Promise<void> => {
    scene.world.pass(ms);
    await tickPackages(scene.world.ports);
  };

  it('[package P19] reminds, then asks a person; it is logged once for each time that came', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    const ticks = () => scene.events().filter(({ type }) => type === 'package_clock_ticked').length;
    await pass(60_000);
    expect(ticks()).toBe(0);
    await pass(10 * 60_000);
    await tickPackages(scene.world.ports);
    expect(ticks()).toBe(1);
    await pass(10 * 60_000);
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items).toMatchObject([{ kind: 'decision', package_id: body.id }]);
    await scene.accept(scene.ann, body.id);
    expect((await scene.api.get<{ items: InboxItem[] }>('/api/inbox')).items).toEqual([]);
  });

  it('[package P22] never approves a gate, and tells of it again', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    await pass(25 * 3_600_000);
    await pass(25 * 3_600_000);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('awaiting_human');
    expect(scene.events().filter(({ type }) => type === 'inbox_opened').length).toBe(3);
  });

  it('a package lapses at its deadline, and a person hears of it', async () => {
    const { expectations } = delegation();
    const { body } = await scene.create(
      scene.con,
      delegation({ expectations: { ...expectations, deadline: '2026-11-15T09:00:00+00:00' } }),
    );
    await pass(61 * 60_000);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('expired');
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items).toMatchObject([{ kind: 'notice', package_id: body.id }]);
  });

  it('[package P15] a sender that is gone for long leaves what it owned in escrow, where a person may answer', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which?'], content_sha256: body.content_sha256 });
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.con.id, detail: 'gone' });
    await pass(60_000);
    expect((await scene.get('operator', `/${body.id}`)).body.owner).toBe('sender');
    await pass(10 * 60_000);
    const held = (await scene.get('operator', `/${body.id}`)).body;
    expect([held.owner, held.epoch]).toEqual(['orchestrator', 2]);
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    const about = items.filter(({ package_id }) => package_id === body.id);
    expect(about).toMatchObject([{ kind: 'question' }]);
    const answers = [{ id: 'Q-1-1', text: 'The public one' }];
    const answered = await scene.post('operator', `/${body.id}/answer`, { epoch: held.epoch, answers });
    expect([answered.body.state, answered.body.answers[0]?.by]).toEqual(['delivered', 'operator']);
  });
});

describe('an agent at rest', () => {
  const look = async (): Promise<void> => {
    await announcePackages(scene.world.ports);
    const runner = createEffectRunner(scene.world.ports);
    runner.wake();
    await runner.stop();
  };

  it('is told once of a package that waits for it, by id and never by what it says', async () => {
    const { body } = await scene.create();
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    const [{ text, paneId } = { text: '', paneId: '' }] = scene.world.typed;
    expect(paneId).toBe(scene.world.agent(scene.ann.id).pane?.paneId);
    expect(text).toContain(`baton package receive ${body.id}`);
    expect(text).not.toContain('12 endpoints');
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which?'], content_sha256: body.content_sha256 });
    await look();
    expect(scene.world.typed[1]?.text).toContain(`baton package answer ${body.id}`);
    expect(scene.world.typed[1]?.paneId).toBe(scene.world.agent(scene.con.id).pane?.paneId);
  });

  it('is told once that its gate was approved, and how the next step begins', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    await look();
    expect(scene.world.typed).toEqual([]);
    await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen });
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    expect(scene.world.typed[0]?.text).toContain(`baton package complete ${body.id}`);
    expect(scene.world.typed[0]?.paneId).toBe(scene.world.agent(scene.con.id).pane?.paneId);
  });

  it('[004 Escalation (Human)] is told once what a person has decided about its escalation', async () => {
    const { body } = await scene.create(scene.con, escalation());
    expect(body.state).toBe('awaiting_human');
    await look();
    expect(scene.world.typed).toEqual([]);
    await scene.post('operator', `/${body.id}/decide`, { option: 'approve', reason: 'A, for time', seen: body.seen });
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    expect(scene.world.typed[0]?.text).toContain(`the operator has decided your escalation ${body.id}`);
  });

  it('is not told while a handoff has it, also if that began just before the paste', async () => {
    const told = () => scene.world.typed.filter(({ text }) => text.includes('baton package'));
    await scene.create();
    await scene.world.handOver(scene.ann.id);
    await look();
    expect(told()).toEqual([]);
    const later = await scene.world.addAgent({ personaId: 2 });
    scene.world.beforePaste = async () => void (await scene.world.handOver(later.id));
    await look();
    expect(told()).toEqual([]);
    expect(scene.events().filter(({ type }) => type === 'package_announced').length).toBe(2);
  });

  it('is told once more when it is late, if nothing was typed the first time', async () => {
    await scene.create();
    scene.world.outcome = { verdict: 'refused', reason: 'draft', detail: 'somebody types' };
    await look();
    scene.world.outcome = { verdict: 'typed', enters: 1 };
    await look();
    expect(scene.world.typed).toEqual([]);
    scene.world.pass(3 * 60_000);
    await tickPackages(scene.world.ports);
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
  });
});

it('what is written about packages follows the log, and is made again from it', async () => {
  const engine = createEngine(scene.world.ports);
  const { body } = await scene.create();
  await scene.accept(scene.ann, body.id);
  await engine.rebuildPackages();
  const files = new Map(scene.world.packageFiles);
  expect([...files.keys()].sort()).toEqual([
    `${scene.con.sessionUuid}/HO-2026-001.record.yaml`,
    `${scene.con.sessionUuid}/HO-2026-001.yaml`,
    'state/1',
  ]);
  expect(JSON.parse(files.get('state/1') ?? '')).toEqual({
    handoffs: [
      {
        id: 'HO-2026-001',
        timestamp: body.created_at,
        from: 'developer-con-1',
        to: 'reviewer-ann-2',
        status: 'accepted',
      },
    ],
  });
  scene.world.packageFiles.clear();
  // A row that somebody changed behind the log's back is mended as well.
  await scene.world.ports.store.write((tx) => {
    const row = tx.packageById(body.id);
    if (row !== undefined) tx.savePackage({ ...row, record: { ...row.record, state: 'completed' } });
  });
  expect(await engine.rebuildPackages()).toEqual({ packages: 1, mended: 1, written: 3 });
  expect(scene.world.packageFiles).toEqual(files);
  expect(await engine.rebuildPackages()).toEqual({ packages: 1, mended: 0, written: 0 });
});

it('[F1] what was being written when it was asked for is not told as damage by a rebuild', async () => {
  const { ports } = scene.world;
  await scene.create();
  let letEnd: () => void = () => undefined;
  const mayEnd = new Promise<void>((resolve) => {
    letEnd = resolve;
  });
  const writer = await new Promise<PackageWriter>((begun) => {
    const writeState: typeof ports.packageFiles.writeState = async (project, state) => {
      const isNew = await ports.packageFiles.writeState(project, state);
      begun(slow);
      await mayEnd;
      return isNew;
    };
    const packageFiles = { ...ports.packageFiles, writeState };
    const slow = createPackageWriter({ ...ports, packageFiles }, createTrouble(ports));
    slow.wake();
  });
  const rebuilt = rebuildPackages(ports, writer);
  letEnd();
  expect(await rebuilt).toEqual({ packages: 1, mended: 0, written: 0 });
});
