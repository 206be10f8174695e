import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { firstBrokenEvent } from '../../../../prove/memory-store/first-broken-event.ts';
import { createEngine } from '../../../../src/app/engine/engine.ts';
import { createHealth } from '../../../../src/app/engine/health.ts';
import { createEffectRunner } from '../../../../src/app/engine/run-effects.ts';
import { announcePackages } from '../../../../src/app/packages/background/announce-packages.ts';
import { createPackageWriter, type PackageWriter } from '../../../../src/app/packages/background/package-writer.ts';
import { packagesFromLog, rebuildPackages } from '../../../../src/app/packages/background/rebuild-packages.ts';
import { noteEndedSessions, tickPackages } from '../../../../src/app/packages/background/tick-packages.ts';
import { SealedPackage } from '../../../../src/contract/packages/package.ts';
import type { PackageContents, ReceivedPackage } from '../../../../src/contract/packages/package-resources.ts';
import type { InboxItem } from '../../../../src/contract/resources.ts';
import type { StoredPackage } from '../../../../src/domain/packages/stored-package.ts';
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
/** [package P15] After every test, checks that the package rows of the store can be rebuilt from the log alone. */
afterEach(async () => {
  const { rows, rebuilt } = scene.world.ports.store.read((tx) => ({
    rows: tx.packages({}),
    rebuilt: packagesFromLog(tx),
  }));
  const byId = (all: readonly StoredPackage[]) => Object.fromEntries(all.map((each) => [each.record.id, each]));
  expect(byId(rebuilt)).toEqual(byId(rows));
  expect(scene.world.ports.store.read(firstBrokenEvent)).toBeUndefined();
  await scene.api.remove();
});

describe('creating a package', () => {
  it('[004 Handoff Package Structure] Baton itself determines the id and the hashes of a created package', async () => {
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
    const { status, body } = await scene.create(scene.con, delegation());
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

  it('[004 Handoff Package Structure] a package keeps the id that its author gave', async () => {
    const given = { id: 'HO-2024-001', timestamp: '2024-01-15T14:30:00Z' };
    const { body } = await scene.create(scene.con, delegation(given));
    expect(body.package).toMatchObject(given);
    const taken = await scene.create(scene.con, delegation(given));
    expect([taken.status, taken.body.error]).toEqual([409, 'A package HO-2024-001 already exists.']);
  });

  it("[004 Persistence] the operator's packages are archived in one folder", async () => {
    const write = async () =>
      (await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 })).body.archive;
    expect([await write(), await write()]).toEqual([
      '.project/07-audit/sessions/operator/handoffs/HO-2026-001.yaml',
      '.project/07-audit/sessions/operator/handoffs/HO-2026-002.yaml',
    ]);
  });

  it('[004 Principle] as the orchestrator, the operator can exchange packages with agents', async () => {
    const to = { agent: 'orchestrator', reason: 'The step is done' };
    const { body: up } = await scene.create(scene.con, escalation({ to }));
    expect([up.state, up.waiter, up.error]).toEqual(['pending', 'human', undefined]);
    const down = await scene.create('operator', delegation({ from: { agent: 'orchestrator' } }), { project_id: 1 });
    expect([down.status, down.body.from]).toEqual([201, 'orchestrator']);
  });

  it('[package P12] a package with a lint error is not stored', async () => {
    const vague = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const { status, body } = await scene.create(scene.con, vague);
    expect([status, body.code]).toEqual([409, 'not_sealable']);
    expect(body.error).toContain('HP005');
    expect(body.findings?.map(({ rule }) => rule)).toContain('HP005');
    expect(scene.events().filter(({ type }) => type.startsWith('package_'))).toEqual([]);
    // A refused package must not use up a number, so the next package gets the first number.
    expect((await scene.create()).body.id).toBe('HO-2026-001');
  });

  it('[package P13] a draft with an error is sealed only after a person waived the error', async () => {
    const vague = delegation({ expectations: { deliverable: 'A report', success_criteria: ['TBD'] } });
    const { body: draft } = await scene.create(scene.con, vague, { seal: false });
    expect([draft.state, draft.revision]).toEqual(['draft', 0]);
    const seal = () => scene.post(scene.con, `/${draft.id}/seal`, {});
    expect((await seal()).body.code).toBe('not_sealable');
    const waiver = { rule: 'HP005', why: 'A spike', until: '2027-01-01T00:00:00Z' };
    expect((await scene.post(scene.con, `/${draft.id}/waive`, waiver)).status).toBe(403);
    expect((await scene.post('operator', `/${draft.id}/waive`, { ...waiver, rule: 'HP701' })).status).toBe(403);
    await scene.post('operator', `/${draft.id}/waive`, waiver);
    const sealed = (await seal()).body;
    expect([sealed.state, sealed.waivers]).toEqual(['pending', [{ ...waiver, by: 'operator' }]]);
    expect((await scene.create(scene.con, vague, { waivers: [waiver] })).status).toBe(403);
  });

  it('the type of a package is determined when the package is sealed', async () => {
    const { body: draft } = await scene.create(scene.con, delegation(), { seal: false });
    const sealed = (await scene.post(scene.con, `/${draft.id}/seal`, { package: gatePackage() })).body;
    expect([draft.type, sealed.type, sealed.package.type, sealed.state]).toEqual([
      'delegation',
      'gate',
      'gate',
      'pending',
    ]);
  });

  it('if an idempotency key is used again, no second package is created', async () => {
    const one = await scene.create(scene.con, delegation(), { key: 'k1' });
    const same = await scene.create(scene.con, delegation(), { key: 'k1' });
    expect(same.body.id).toBe(one.body.id);
    const other = await scene.create(scene.con, gatePackage(), { key: 'k1' });
    expect([other.status, other.body.code]).toEqual([409, 'key_reused']);
    expect((await scene.create(scene.ann, returnPackage({ type: 'delegation' }), { key: 'k1' })).body.id).not.toBe(
      one.body.id,
    );
  });

  it('an idempotency key that was used for another project is refused', async () => {
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
    const refused = [409, 'key_reused', 'The idempotency key was already used for HO-2026-001 with different content.'];
    expect(await create({ project_id: 2 })).toEqual(refused);
    expect(await create({ waivers: [] })).toEqual(refused);
    expect(await create({ waivers: [{ ...waiver, why: 'Another' }] })).toEqual(refused);
    // After the operator has added a waiver, a repeated request of the author must still count as the same request.
    await scene.post('operator', '/HO-2026-001/waive', { ...waiver, rule: 'HP201' });
    expect((await create({}))[1]).toBe('HO-2026-001');
  });

  it("with an agent's token, a package can be created only in the name of this agent", async () => {
    const { status, body } = await scene.create(scene.ann, delegation());
    expect([status, body.code]).toEqual([403, 'forbidden']);
    expect(body.error).toContain('reviewer-ann-2');
    expect((await scene.create('operator', delegation(), { project_id: 1 })).status).toBe(403);
    const mine = await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 });
    expect([mine.status, mine.body.state]).toEqual([201, 'pending']);
  });

  it('a package is visible only to its sender, its receiver and people', async () => {
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

describe('a draft of a package', () => {
  it("[package P15] a draft replaces only the package named by `lineage.supersedes` in the draft's latest text", async () => {
    const { body: old } = await scene.create();
    const { body: draft } = await scene.create(scene.con, delegation(), { seal: false });
    const anew = (named: string) => ({ package: delegation({ lineage: { supersedes: named } }) });
    expect((await scene.post(scene.con, `/${draft.id}/seal`, anew(draft.id))).body.code).toBe('package_not_found');
    const { body: sealed } = await scene.post(scene.con, `/${draft.id}/seal`, anew(old.id));
    expect([sealed.state, sealed.lineage]).toMatchObject(['pending', { supersedes: old.id, root: old.id }]);
    expect((await scene.get(scene.con, `/${old.id}`)).body).toMatchObject({
      state: 'cancelled',
      superseded_by: draft.id,
    });
  });
});

describe('the receiver of a package', () => {
  it('[004 Validate the Package] a package with a blocking problem cannot be accepted by its receiver', async () => {
    const { body } = await scene.create();
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'b'.repeat(64), bytes: 121 });
    const got = await scene.post<{ package: Detail; report: { blocked: boolean; unusable: string[] } }>(
      scene.ann,
      `/${body.id}/receive`,
    );
    expect(got.body.package.state).toBe('pending');
    expect(got.body.report).toMatchObject({ blocked: true, unusable: ['docs/api.md'] });
    const said = await scene.post(scene.ann, `/${body.id}/ack`, full());
    expect([said.status, said.body.code]).toEqual([409, 'acknowledgement_incomplete']);
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'a'.repeat(64), bytes: 120 });
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
  });

  it('[T13] a receiver can accept a package whose artifacts have the names "code" and "sentence", like the fields of an error', async () => {
    const paths = ['code', 'sentence'];
    for (const path of paths) scene.world.artifacts.set(path, { kind: 'file', sha256: 'b'.repeat(64), bytes: 1 });
    const artifacts = paths.map((path) => ({ path, type: 'code', description: 'A file', role: 'referenced' }));
    const { body } = await scene.create(scene.con, delegation({ context: { ...delegation().context, artifacts } }));
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
  });

  it('[004 Acknowledge Receipt] after a full acknowledgment, the receiver is responsible for the package', async () => {
    const { body } = await scene.create();
    expect((await scene.post(scene.ann, `/${body.id}/ack`, full())).body.error).toContain('was not read yet');
    const accepted = await scene.accept(scene.ann, body.id);
    expect([accepted.state, accepted.owner]).toEqual(['accepted', 'receiver']);
    const before = scene.events().length;
    expect((await scene.post(scene.ann, `/${body.id}/ack`, full())).status).toBe(200);
    expect(scene.events()).toHaveLength(before);
    expect((await scene.post(scene.ann, `/${body.id}/ack`, full('Something else'))).status).toBe(409);
  });

  it('[004 Validate the Package] [package P16] a receiver that lacks a required capability cannot accept the package', async () => {
    const to = { ...delegation().to, capabilities_required: ['penetration-test'] };
    const { body: draft } = await scene.create(scene.con, delegation({ to }), { seal: false });
    const waiver = { rule: 'HP506', why: 'Ann learns it', until: '2027-01-01T00:00:00Z' };
    await scene.post('operator', `/${draft.id}/waive`, waiver);
    expect((await scene.post(scene.con, `/${draft.id}/seal`)).body.state).toBe('pending');
    const { report } = (await scene.post<ReceivedPackage>(scene.ann, `/${draft.id}/receive`)).body;
    expect([report.blocked, report.findings.map(({ rule }) => rule)]).toEqual([
      true,
      expect.arrayContaining(['HP904']),
    ]);
    expect((await scene.post(scene.ann, `/${draft.id}/ack`, full())).body.state).not.toBe('accepted');
  });

  it('only the receiver can acknowledge a package', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    for (const who of [scene.con, 'operator'] as const)
      expect((await scene.post(who, `/${body.id}/ack`, full())).status).toBe(403);
  });

  it('before the acknowledgment of a new revision, the receiver has to read the revision', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which API?'] });
    await scene.post(scene.con, `/${body.id}/answer`, { answers: [{ id: 'Q-1-1', text: 'The public one' }] });
    expect((await scene.post(scene.ann, `/${body.id}/ack`, full())).body.error).toContain(
      'has changed since it was read',
    );
    expect((await scene.accept(scene.ann, body.id)).state).toBe('accepted');
  });

  it("[004 Signal Problems] the receiver's questions are answered in a new revision of the package", async () => {
    const { body } = await scene.create();
    let hash = body.content_sha256;
    const ask = async (questions: readonly string[]) => {
      await scene.post(scene.ann, `/${body.id}/receive`);
      return (await scene.post(scene.ann, `/${body.id}/ask`, { questions })).body;
    };
    for (const round of [1, 2, 3]) {
      const asked = await ask([`Which API? (${round})`, 'Which data?']);
      expect([asked.state, asked.waiter, asked.questions.map(({ id }) => id)]).toEqual([
        'clarifying',
        'sender',
        [`Q-${round}-1`, `Q-${round}-2`],
      ]);
      const short = [{ id: `Q-${round}-1`, text: 'The public one' }];
      expect((await scene.post(scene.con, `/${body.id}/answer`, { answers: short })).body.error).toContain(
        `Q-${round}-2`,
      );
      const answers = [...short, { id: `Q-${round}-2`, text: 'The 3 tables of docs/api.md' }];
      const answered = (await scene.post(scene.con, `/${body.id}/answer`, { answers })).body;
      expect([answered.state, answered.revision]).toEqual(['pending', round + 1]);
      expect(answered.package.integrity).toMatchObject({ prev_sha256: hash });
      expect(answered.answers).toHaveLength(2 * round);
      hash = answered.content_sha256;
    }
    const last = await ask(['Still not']);
    expect([last.state, last.waiter]).toEqual(['clarifying', 'human']);
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items.map(({ kind, package_id }) => [kind, package_id])).toEqual([['question', body.id]]);
    const answers = [{ id: 'Q-4-1', text: 'Ask Con' }];
    expect((await scene.post('operator', `/${body.id}/answer`, { answers })).body.state).toBe('pending');
  });

  it('the receiver can decline a package with a reason', async () => {
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
  it('[004 Return] a return package completes the delegation', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    const done = await scene.post(scene.ann, `/${body.id}/complete`, { results: [{ id: 'C-001', result: 'pass' }] });
    expect(done.body.error).toContain('its result must be returned as a package');
    const context = returnPackage().context;
    const criteria_results = [{ id: 'C-001', result: 'pass', evidence: '2 risks, both addressed' }];
    const back = await scene.post(scene.ann, `/${body.id}/return`, { package: { context, criteria_results } });
    expect([back.status, back.body.type, back.body.from, back.body.to, back.body.lineage]).toEqual([
      201,
      'return',
      'reviewer-ann-2',
      'developer-con-1',
      { parent: body.id, root: body.id, hop: 1, supersedes: null, returns_for: body.id },
    ]);
    const ended = (await scene.get(scene.con, `/${body.id}`)).body;
    expect([ended.state, ended.owner, ended.results]).toEqual([
      'completed',
      'sender',
      [{ ...criteria_results[0], checked: false }],
    ]);
    const read = await scene.post<{ package: Detail }>(scene.con, `/${back.body.id}/receive`);
    expect(read.body.package.state).toBe('completed');
    const chain = await scene.get<{ packages: unknown[]; open_frames: unknown[] }>(scene.con, `/${body.id}/chain`);
    expect([chain.body.packages.length, chain.body.open_frames]).toEqual([2, []]);
  });

  it('[004 Return] a return package as in specification 004 is matched to the only open delegation', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    const back = await scene.create(scene.ann, returnPackage());
    expect([back.status, back.body.type, back.body.lineage.returns_for]).toEqual([201, 'return', body.id]);
    expect(back.body.package.criteria_results).toEqual([{ id: 'C-001', result: 'unknown' }]);
  });

  it('[004 Acknowledge Receipt] [004 Return] a delegation can be accepted and returned in one call', async () => {
    const { body } = await scene.create();
    const back = () =>
      scene.post(scene.ann, `/${body.id}/return`, {
        task: 'Report the risks',
        package: { context: returnPackage().context },
      });
    expect((await back()).body.error).toContain('was not read yet');
    await scene.post(scene.ann, `/${body.id}/receive`);
    expect((await back()).status).toBe(201);
    expect((await scene.get(scene.con, `/${body.id}`)).body).toMatchObject({
      state: 'completed',
      acknowledgement: { task: 'Report the risks' },
    });
  });

  it('[004 Return] if two delegations are open, a return package has to name its delegation', async () => {
    const { body: one } = await scene.create();
    const { body: two } = await scene.create();
    for (const { id } of [one, two]) await scene.accept(scene.ann, id);
    const back = await scene.create(scene.ann, returnPackage({ type: 'return' }));
    expect([back.status, back.body.error]).toEqual([400, expect.stringContaining(`${one.id} and ${two.id}`)]);
  });

  it('[004 Measurable Success Criteria] a criterion about a file counts as passed only if that file exists', async () => {
    const verify = { kind: 'file_exists', path: 'docs/risks.md' };
    const success_criteria = [{ id: 'C-FILE', text: 'docs/risks.md exists', verify }];
    const expectations = { ...delegation().expectations, success_criteria };
    const { body } = await scene.create(scene.con, delegation({ expectations }));
    await scene.accept(scene.ann, body.id);
    const back = (result: string) =>
      scene.post(scene.ann, `/${body.id}/return`, {
        package: { context: returnPackage().context, criteria_results: [{ id: 'C-FILE', result }] },
      });
    expect((await back('pass')).body.error).toContain('reported as passed, but docs/risks.md does not exist');
    scene.world.artifacts.set('docs/risks.md', { kind: 'file', sha256: 'e'.repeat(64), bytes: 1 });
    expect((await back('pass')).status).toBe(201);
    expect((await scene.get(scene.con, `/${body.id}`)).body.results).toEqual([
      { id: 'C-FILE', result: 'pass', checked: true },
    ]);
  });

  it('[package P23] a delegation from a person is returned to that person', async () => {
    const made = await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 });
    expect([made.status, made.body.error]).toEqual([201, undefined]);
    await scene.accept(scene.ann, made.body.id);
    const returned = await scene.post(scene.ann, `/${made.body.id}/return`, {
      package: { context: returnPackage().context },
    });
    expect([returned.status, returned.body.error]).toEqual([201, undefined]);
    expect(returned.body).toMatchObject({ type: 'return', state: 'pending', waiter: 'human' });
    const { seen } = (await scene.get('operator', `/${returned.body.id}`)).body;
    const decided = await scene.post('operator', `/${returned.body.id}/decide`, { option: 'approve', seen });
    expect([decided.status, decided.body.state]).toEqual([200, 'completed']);
  });

  it("[package P4] an agent's delegation cannot be returned to a person", async () => {
    const made = await scene.create();
    await scene.accept(scene.ann, made.body.id);
    const back = returnPackage({ type: 'return', to: { agent: 'human', reason: 'Security review completed' } });
    const refused = await scene.post(scene.ann, `/${made.body.id}/return`, { package: back });
    expect([refused.status >= 400, refused.body.findings?.map(({ rule }) => rule)]).toEqual([
      true,
      expect.arrayContaining(['HP502']),
    ]);
  });

  it('[package P23] a delegation can be returned only once', async () => {
    const { body: made } = await scene.create();
    await scene.accept(scene.ann, made.id);
    const back = () => scene.post(scene.ann, `/${made.id}/return`, { package: { context: returnPackage().context } });
    expect((await back()).status).toBe(201);
    const { body: refused } = await back();
    expect([refused.code, refused.error]).toEqual([
      'package_over',
      `${made.id} is completed: its result was already returned.`,
    ]);
  });

  it('the refusal of a folder with a link in it does not say that the folder is a link', async () => {
    scene.world.artifacts.set('docs/', { kind: 'link' });
    const { body } = await scene.create(
      scene.con,
      delegation({ context: { summary: 'x', artifacts: [{ path: 'docs/' }] } }),
    );
    expect(body.findings?.find(({ rule }) => rule === 'HP202')?.message).toBe(
      'This artifact is a link, is reached through one, or is a folder with a link in it.',
    );
  });

  it('a return before the delegation was accepted is refused, and the refusal says to accept it first', async () => {
    const { body: made } = await scene.create();
    const { body: refused } = await scene.post(scene.ann, `/${made.id}/return`, {
      package: { context: returnPackage().context },
    });
    expect([refused.code, refused.error]).toEqual([
      'package_not_possible',
      `${made.id} is not acknowledged yet, so its result cannot be returned.`,
    ]);
    expect(refused.hint).toContain(`baton package ack ${made.id}`);
  });

  it('a delegation with a criterion cannot be completed, and the first refusal says to return it', async () => {
    const { body: made } = await scene.create();
    await scene.accept(scene.ann, made.id);
    const { body: refused } = await scene.post(scene.ann, `/${made.id}/complete`, { results: [] });
    expect(refused.error).toContain('is a delegation, so its result must be returned as a package');
  });

  it('[package P24] a package is in the chain of a delegation only if its field `lineage.parent` names the delegation', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    const asked = (lineage?: object) =>
      scene.create(scene.ann, {
        from: { agent: 'reviewer-ann-2' },
        to: { agent: 'human', reason: 'Business decision required' },
        context: {
          summary: 'Two approaches to token rotation for 12 endpoints, with trade-offs.',
          open_questions: [{ question: 'Time to market or maintainability?', priority: 'high' }],
        },
        expectations: { deliverable: 'Validated choice with justification' },
        ...(lineage === undefined ? {} : { lineage }),
      });
    // A package without a parent begins a new chain. To stop an endless loop, Baton still counts the hop from the
    // package that the sender works on.
    expect((await asked()).body.lineage).toMatchObject({ parent: null, hop: 1 });
    expect((await asked({ parent: body.id })).body.lineage).toMatchObject({ root: body.id, hop: 1 });
  });

  it('[package P15] only the receiver can work on a delegation', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    const progress = (by: typeof scene.ann) => scene.post(by, `/${body.id}/progress`);
    expect((await progress(scene.con)).body.code).toBe('forbidden');
    expect((await progress(scene.ann)).status).toBe(200);
    // While the first agent is alive, a second agent with the same persona must not work on the delegation.
    const second = await scene.world.addAgent({ personaId: 2 });
    expect((await progress(second)).body.code).toBe('forbidden');
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.ann.id, detail: 'gone' });
    expect((await progress(scene.ann)).body.code).toBe('agent_not_active');
    expect((await progress(second)).status).toBe(200);
  });

  it('[package P15] if the receiver of a delegation has ended, the next agent with the same name gets the announcement', async () => {
    const { body } = await scene.create();
    await announcePackages(scene.world.ports);
    await scene.accept(scene.ann, body.id);
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.ann.id, detail: 'gone' });
    const second = await scene.world.addAgent({ personaId: 2 });
    scene.world.pass(4 * 60_000);
    await noteEndedSessions(scene.world.ports);
    expect((await scene.get('operator', `/${body.id}`)).body).toMatchObject({ state: 'pending', waiter: 'receiver' });
    await announcePackages(scene.world.ports);
    const told = scene.world.ports.store.read((tx) => tx.pendingEffects()).map(({ effect }) => effect);
    expect(told).toContainEqual(expect.objectContaining({ kind: 'announce_package', agentId: second.id }));
    // The new agent must read the package before acknowledging it, although the package has not changed.
    expect((await scene.post(second, `/${body.id}/ack`, full())).body.error).toContain('was not read yet');
    expect((await scene.accept(second, body.id)).state).toBe('accepted');
  });

  it('[package P15] if the receiver of a delegation ends and is not replaced, the delegation fails within minutes', async () => {
    const { body } = await scene.create();
    const { body: other } = await scene.create();
    for (const { id } of [body, other]) await scene.accept(scene.ann, id);
    expect((await scene.post('operator', `/${other.id}/fail`, { cause: 'It hangs' })).body.state).toBe('failed');
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.ann.id, detail: 'gone' });
    scene.world.pass(4 * 60_000);
    await noteEndedSessions(scene.world.ports);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('failed');
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items.map(({ sentence }) => sentence).join()).toContain(`Package ${body.id} from Con (agent 1)`);
  });
});

describe('a gate in the API', () => {
  it('[004 Handoff to Human (Gate)] a gate waits in the inbox for a person', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    expect([body.state, body.waiter, body.gate?.items.length]).toEqual(['pending', 'human', 2]);
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items).toMatchObject([{ kind: 'decision', package_id: body.id }]);
    expect(items[0]?.sentence).toContain('API approved');
    const decision = { option: 'approve', seen: body.seen };
    for (const who of [scene.con, scene.ann])
      expect((await scene.post(who, `/${body.id}/decide`, decision)).status).toBe(403);
    const approved = (await scene.post('operator', `/${body.id}/decide`, decision)).body;
    expect([approved.state, approved.outcome, approved.decision?.channel]).toEqual(['completed', 'approved', 'cli']);
    expect((await scene.api.get<{ items: InboxItem[] }>('/api/inbox')).items).toEqual([]);
    const late = await scene.post('operator', `/${body.id}/decide`, {
      option: 'reject',
      reason: 'no',
      seen: body.seen,
    });
    expect([late.body.code, late.body.error]).toEqual(['already_decided', expect.stringContaining('approve')]);
  });

  it('[package P20] a person can reject a gate, ask a question about the gate, or approve its items one by one', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const decide = (given: object) => scene.post('operator', `/${body.id}/decide`, { seen: body.seen, ...given });
    expect((await decide({ option: 'reject' })).status).toBe(400);
    const half = (await decide({ option: 'approve', items: [1] })).body;
    expect([half.state, half.gate?.approved]).toEqual(['pending', [1]]);
    const asked = (await decide({ option: 'question', reason: 'Why 15 minutes?' })).body;
    expect([asked.state, asked.questions[0]?.text]).toEqual(['clarifying', 'Why 15 minutes?']);
    const answered = (
      await scene.post(scene.con, `/${body.id}/answer`, {
        answers: [{ id: asked.questions[0]?.id, text: 'NIST SP 800-63B' }],
      })
    ).body;
    expect([answered.state, answered.gate?.approved]).toEqual(['pending', []]);
    // The answer changed the content of the package, so Baton must refuse a decision about the earlier content.
    expect((await decide({ option: 'approve' })).body.code).toBe('stale_content');
    const rejected = await scene.post('operator', `/${body.id}/decide`, {
      option: 'reject',
      reason: 'Too long',
      seen: answered.seen,
    });
    expect([rejected.body.state, rejected.body.cause]).toEqual(['rejected', 'Too long']);
  });

  it('[package P21] an approval of a gate counts only for the content that the person saw', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'c'.repeat(64), bytes: 9 });
    const first = await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen });
    expect([first.body.code, first.body.error]).toEqual(['stale_content', expect.stringContaining('docs/api.md')]);
    const shown = (await scene.get('operator', `/${body.id}`)).body;
    const approved = await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: shown.seen });
    expect(approved.body.state).toBe('completed');
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'd'.repeat(64), bytes: 9 });
    const next = await scene.create(scene.con, delegation({ lineage: { parent: body.id } }));
    expect([next.body.code, next.body.error]).toEqual(['stale_content', expect.stringContaining(body.id)]);
    const again = (await scene.get('operator', '/HO-2026-002')).body;
    expect([again.type, again.state, again.lineage.parent]).toEqual(['gate', 'pending', body.id]);
    await scene.post('operator', `/${again.id}/decide`, { option: 'approve', seen: again.seen });
    expect((await scene.create(scene.con, delegation({ lineage: { parent: again.id } }))).status).toBe(201);
  });

  it('[D14] [package P21] if files of a gate have changed, a decision is accepted only from a person who saw the changed files', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const shown = async () => (await scene.get<PackageContents>('operator', `/${body.id}/contents`)).body.seen;
    const change = (letter: string) =>
      scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: letter.repeat(64), bytes: 9 });
    expect(await shown()).toBe(body.seen);
    change('c');
    const old = await shown();
    change('d');
    const late = await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: old });
    expect(late.body.code).toBe('stale_content');
    change('e');
    const approved = await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: await shown() });
    expect([approved.body.state, approved.body.artifacts['docs/api.md']]).toEqual(['completed', 'e'.repeat(64)]);
  });

  it('[package P20] if an artifact of a gate changes between the approvals of two items, the refusal of the second approval asks for the first approval again', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const decide = (given: object) =>
      scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen, ...given });
    await decide({ items: [0] });
    scene.world.artifacts.set('docs/api.md', { kind: 'file', sha256: 'c'.repeat(64), bytes: 9 });
    expect((await decide({ items: [1] })).body.error).toContain('was about the old content, so approve again');
  });

  it('until a person decides about a gate, the packages after the gate in the chain are refused', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const next = await scene.create(scene.con, delegation({ lineage: { parent: body.id } }));
    expect([next.status, next.body.code]).toEqual([409, 'gate_not_passed']);
  });
});

describe('deadlines of packages', () => {
  const pass = async (ms: number): Promise<void> => {
    scene.world.pass(ms);
    await tickPackages(scene.world.ports);
    await noteEndedSessions(scene.world.ports);
  };

  it('[package P19] if a package is late, Baton first reminds the agent that must act, and later reminds a person', async () => {
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

  it('[package P22] a deadline never approves a gate', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    await pass(25 * 3_600_000);
    await pass(25 * 3_600_000);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('pending');
    expect(scene.events().filter(({ type }) => type === 'inbox_opened').length).toBe(3);
  });

  it('a package fails when the deadline that is written in the package passes', async () => {
    const { expectations } = delegation();
    const { body } = await scene.create(
      scene.con,
      delegation({ expectations: { ...expectations, deadline: '2026-11-15T09:00:00+00:00' } }),
    );
    await pass(61 * 60_000);
    expect((await scene.get('operator', `/${body.id}`)).body.state).toBe('failed');
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    expect(items).toMatchObject([{ kind: 'notice', package_id: body.id }]);
  });

  it("[package P15] if the sender of a package is gone, a person can answer the receiver's questions", async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which?'] });
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.con.id, detail: 'gone' });
    await pass(60_000);
    expect((await scene.get('operator', `/${body.id}`)).body.owner).toBe('sender');
    await pass(10 * 60_000);
    const held = (await scene.get('operator', `/${body.id}`)).body;
    expect(held.owner).toBe('orchestrator');
    const { items } = await scene.api.get<{ items: InboxItem[] }>('/api/inbox');
    const about = items.filter(({ package_id }) => package_id === body.id);
    expect(about).toMatchObject([{ kind: 'question' }]);
    const answers = [{ id: 'Q-1-1', text: 'The public one' }];
    const answered = await scene.post('operator', `/${body.id}/answer`, { answers });
    expect([answered.body.state, answered.body.answers[0]?.by]).toEqual(['pending', 'operator']);
  });
});

describe('announcements to an idle agent', () => {
  const look = async (): Promise<void> => {
    await announcePackages(scene.world.ports);
    const runner = createEffectRunner(scene.world.ports);
    runner.wake();
    await runner.stop();
  };

  it('an idle agent is notified once about a waiting package', async () => {
    const { body } = await scene.create();
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    const [{ text, paneId } = { text: '', paneId: '' }] = scene.world.typed;
    expect(paneId).toBe(scene.world.agent(scene.ann.id).pane?.paneId);
    expect(text).toContain(`baton package receive ${body.id}`);
    expect(text).not.toContain('12 endpoints');
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which?'] });
    await look();
    expect(scene.world.typed[1]?.text).toContain(`baton package answer ${body.id}`);
    expect(scene.world.typed[1]?.paneId).toBe(scene.world.agent(scene.con.id).pane?.paneId);
  });

  it('an idle agent whose gate was approved is notified once', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    await look();
    expect(scene.world.typed).toEqual([]);
    await scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen });
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    expect(scene.world.typed[0]?.text).toContain(`lineage.parent: ${body.id}`);
    expect(scene.world.typed[0]?.paneId).toBe(scene.world.agent(scene.con.id).pane?.paneId);
  });

  it('[004 Escalation (Human)] an idle agent whose escalation was decided is notified once', async () => {
    const { body } = await scene.create(scene.con, escalation());
    expect([body.state, body.waiter]).toEqual(['pending', 'human']);
    await look();
    expect(scene.world.typed).toEqual([]);
    await scene.post('operator', `/${body.id}/decide`, { option: 'approve', reason: 'A, for time', seen: body.seen });
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    expect(scene.world.typed[0]?.text).toContain(`the operator has decided your escalation ${body.id}`);
  });

  it('[004 Escalation (Human)] an escalation with a pending decision can be approved only with a choice or a reason', async () => {
    const { body } = await scene.create(scene.con, escalation());
    const approve = (said: object) =>
      scene.post('operator', `/${body.id}/decide`, { option: 'approve', seen: body.seen, ...said });
    const bare = await approve({});
    expect([bare.status, bare.body.error, bare.body.hint]).toEqual([
      400,
      `Nothing was decided: ${body.id} asks you to choose (Approach A (fast) or B (robust)), so an approval must say what you chose.`,
      `Give your choice: baton package decide ${body.id} approve --choice TEXT --reason TEXT`,
    ]);
    expect((await approve({ choice: 'A' })).body.state).toBe('completed');
    const plain = escalation({ context: { ...escalation().context, decisions: [] } });
    const { body: asked } = await scene.create(scene.con, plain);
    const answered = await scene.post('operator', `/${asked.id}/decide`, { option: 'approve', seen: asked.seen });
    expect(answered.body.state).toBe('completed');
  });

  it('[package P35] if the operator decided several packages, one prompt tells the agent all decisions', async () => {
    const [one, two, gate] = [
      await scene.create(scene.con, escalation()),
      await scene.create(scene.con, escalation()),
      await scene.create(scene.con, gatePackage()),
    ].map(({ body }) => body);
    const decide = (each: Detail | undefined, said: object) =>
      scene.post('operator', `/${each?.id}/decide`, { option: 'approve', seen: each?.seen, ...said });
    await decide(one, { choice: 'A' });
    await decide(two, { option: 'reject', reason: 'Neither' });
    await decide(gate, {});
    await look();
    expect(scene.world.typed.map(({ text }) => text)).toEqual([
      expect.stringContaining(
        `3 packages are over: the operator decided escalation ${one?.id}, the operator rejected escalation ${two?.id}, the operator approved gate ${gate?.id}.`,
      ),
    ]);
  });

  it('while an agent is in a handoff, it is not notified about packages', async () => {
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

  it('[package P35] all waiting packages are announced by one prompt', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push((await scene.create()).body.id);
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    const [{ text, id } = { text: '', id: '' }] = scene.world.typed;
    expect(text).toContain('Baton: 5 packages wait for you');
    expect(text).toContain(`${ids[2]} (delegation from developer-con-1) and 2 more`);
    expect(text).toMatch(/the tool handoff_inbox \(baton\), or by command: baton package inbox/);
    expect(id).toBe(`package-${ids[0]?.toLowerCase()}-${scene.ann.id}-pending-1-0`);
    const noted = scene.events().filter(({ type }) => type === 'package_announced');
    expect(noted.map(({ data }) => data.packageId)).toEqual(ids);
    const { packages } = (await scene.get<{ packages: { id: string }[] }>(scene.ann, '?box=inbox')).body;
    expect(packages.map((each) => each.id).sort()).toEqual(ids);
    // A package that is created after the common announcement must get its own announcement.
    const { body: later } = await scene.create();
    await look();
    expect(scene.world.typed[1]?.text).toContain(`package ${later.id} (delegation)`);
  });

  it('[package P35] waiting and finished packages are announced by one prompt', async () => {
    const [one, two, three] = [await scene.create(), await scene.create(), await scene.create()].map(
      ({ body }) => body,
    );
    for (const each of [one, two]) {
      await scene.post(scene.ann, `/${each?.id}/receive`);
      await scene.post(scene.ann, `/${each?.id}/decline`, { code: 'overload' });
    }
    await scene.post(scene.ann, `/${three?.id}/receive`);
    await scene.post(scene.ann, `/${three?.id}/ask`, { questions: ['Which?'] });
    await look();
    const toCon = scene.world.typed.filter(({ paneId }) => paneId === scene.world.agent(scene.con.id).pane?.paneId);
    expect(toCon).toHaveLength(1);
    expect(toCon[0]?.text).toContain(`reviewer-ann-2 asks about your package ${three?.id}`);
    expect(toCon[0]?.text).toContain(`2 packages are over: ${one?.id} is rejected,`);
  });

  it('[package P35] after a prompt about waiting packages could not be typed, one later prompt announces all of them', async () => {
    const [gone, stays, other] = [await scene.create(), await scene.create(), await scene.create()].map(
      ({ body }) => body.id,
    );
    await announcePackages(scene.world.ports);
    await scene.post(scene.con, `/${gone}/cancel`);
    scene.world.outcome = { verdict: 'refused', reason: 'draft', detail: 'somebody types' };
    await look();
    scene.world.outcome = { verdict: 'typed', enters: 1 };
    scene.world.pass(11 * 60_000);
    await tickPackages(scene.world.ports);
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
    expect(scene.world.typed[0]?.text).toContain(`2 packages wait for you: ${stays}`);
    expect(scene.world.typed[0]?.text).toContain(other);
    expect(scene.world.typed[0]?.text).not.toContain(gone);
  });

  it('after a prompt about a package could not be typed, the agent gets a prompt when the package is late', async () => {
    await scene.create();
    scene.world.outcome = { verdict: 'refused', reason: 'draft', detail: 'somebody types' };
    await look();
    scene.world.outcome = { verdict: 'typed', enters: 1 };
    await look();
    expect(scene.world.typed).toEqual([]);
    scene.world.pass(11 * 60_000);
    await tickPackages(scene.world.ports);
    await look();
    await look();
    expect(scene.world.typed).toHaveLength(1);
  });
});

it('[package P19] the length of a package timer can be configured', async () => {
  const { ports } = scene.world;
  const packageTimers = { ...ports.settings.packageTimers, acknowledge: 90_000 };
  Object.assign(ports, { settings: { ...ports.settings, packageTimers } });
  const { body } = await scene.create();
  expect(Date.parse(body.deadline_at ?? '') - Date.parse(body.created_at)).toBe(90_000);
});

it('[004 Persistence] the package archive can be switched off', async () => {
  const { ports } = scene.world;
  Object.assign(ports, { settings: { ...ports.settings, packageArchive: false } });
  await scene.create();
  await createEngine(ports).rebuildPackages();
  expect([...scene.world.packageFiles.keys()]).toEqual(['state/1']);
});

it('package files can be rebuilt from the log', async () => {
  const engine = createEngine(scene.world.ports);
  const { body } = await scene.create();
  await scene.accept(scene.ann, body.id);
  await engine.rebuildPackages();
  const files = new Map(scene.world.packageFiles);
  expect([...files.keys()].sort()).toEqual([
    `${scene.con.sessionUuid}/HO-2026-001.ack.yaml`,
    `${scene.con.sessionUuid}/HO-2026-001.record.yaml`,
    `${scene.con.sessionUuid}/HO-2026-001.yaml`,
    'state/1',
  ]);
  // [004 Acknowledge Receipt] The acknowledgment file must have the form that specification 004 prints.
  expect(JSON.parse(files.get(`${scene.con.sessionUuid}/HO-2026-001.ack.yaml`) ?? '')).toEqual({
    acknowledgment: {
      received: true,
      from: 'developer-con-1',
      understood: { task: 'Report the risks of the API in docs/api.md', constraints: '' },
      questions: [],
      starting: true,
    },
  });
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
  // Change a row without adding an event to the log. The rebuild from the log must repair this row.
  await scene.world.ports.store.write((tx) => {
    const row = tx.packageById(body.id);
    if (row !== undefined) tx.savePackage({ ...row, record: { ...row.record, state: 'completed' } });
  });
  expect(await engine.rebuildPackages()).toEqual({ packages: 1, mended: 1, written: 4 });
  expect(scene.world.packageFiles).toEqual(files);
  expect(await engine.rebuildPackages()).toEqual({ packages: 1, mended: 0, written: 0 });
});

it('the archive loses the acknowledgment of a package that waits for its receiver again', async () => {
  const engine = createEngine(scene.world.ports);
  const { body } = await scene.create();
  await scene.accept(scene.ann, body.id);
  await engine.rebuildPackages();
  const ack = `${scene.con.sessionUuid}/${body.id}.ack.yaml`;
  expect([...scene.world.packageFiles.keys()]).toContain(ack);
  await scene.post('operator', `/${body.id}/cancel`);
  const { body: restored } = await scene.post('operator', `/${body.id}/restore`);
  expect(restored).toMatchObject({ state: 'pending', acknowledgement: null });
  await engine.rebuildPackages();
  expect([...scene.world.packageFiles.keys()]).not.toContain(ack);
});

it('a rebuild counts every file that it writes, even if it writes the files of several packages at the same time', async () => {
  const engine = createEngine(scene.world.ports);
  for (let count = 0; count < 4; count += 1) await scene.create();
  await engine.rebuildPackages();
  const files = scene.world.packageFiles.size;
  scene.world.packageFiles.clear();
  expect(await engine.rebuildPackages()).toEqual({ packages: 4, mended: 0, written: files });
  expect(files).toBe(4 * 2 + 1);
});

it('[F1] a file that is being written is not reported as damaged by a rebuild of the package files', async () => {
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
    const slow = createPackageWriter({ ...ports, packageFiles }, createHealth(ports));
    slow.wake();
  });
  const rebuilt = rebuildPackages(ports, writer);
  letEnd();
  expect(await rebuilt).toEqual({ packages: 1, mended: 0, written: 0 });
});
