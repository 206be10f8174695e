import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEffectRunner } from '../../../../src/app/engine/run-effects.ts';
import { announcePackages } from '../../../../src/app/packages/background/announce-packages.ts';
import { packagesFromLog } from '../../../../src/app/packages/background/rebuild-packages.ts';
import { noteEndedSessions, tickPackages } from '../../../../src/app/packages/background/tick-packages.ts';
import type { InboxItem } from '../../../../src/contract/resources.ts';
import {
  type Detail,
  delegation,
  escalation,
  full,
  gatePackage,
  PackageScene,
  returnPackage,
} from './package-scene.ts';

/** Tests mistakes that authors and receivers of packages make. */
let scene: PackageScene;
beforeEach(async () => {
  scene = await new PackageScene().begin();
});
afterEach(async () => {
  const [rows, rebuilt] = scene.world.ports.store.read((tx) => [tx.packages({}), packagesFromLog(tx)]);
  expect([...rebuilt].sort((one, other) => (one.record.id < other.record.id ? -1 : 1))).toEqual(rows);
  await scene.api.remove();
});

const rules = ({ findings = [] }: Detail) =>
  findings.map((each) => each as { rule: string; severity?: string }).filter(({ severity }) => severity === 'error');
const expecting = (over: object) => delegation({ expectations: { ...delegation().expectations, ...over } });
const inbox = async () => (await scene.api.get<{ items: InboxItem[] }>('/api/inbox')).items;

describe('a package to a role', () => {
  it('[package P15] a second agent of the role is told which agent already has the package', async () => {
    await scene.addPersona('Eve');
    const eve = await scene.world.addAgent({ personaId: 3 });
    const { body } = await scene.create(scene.con, delegation({ to: { agent: 'reviewer', reason: 'Any reviewer' } }));
    await scene.accept(scene.ann, body.id);
    const late = await scene.post(eve, `/${body.id}/ack`, full());
    expect([late.status, late.body.error]).toEqual([
      403,
      `Ann (agent 2) has the same name as you and already handles package ${body.id}, so you cannot perform this action on the package.`,
    ]);
  });
});

describe('packages that cannot be sealed', () => {
  it('the error about control characters in a package names the rule and the correction', async () => {
    const { body } = await scene.create(
      scene.con,
      delegation({ to: { agent: 'reviewer-ann-2', reason: 'a\u001b[31m' } }),
    );
    expect([body.error, body.hint]).toEqual([
      'The package was not stored because of 1 error. HP001: The content contains control characters.',
      'Remove the control characters, such as terminal colors.',
    ]);
  });

  it('a package whose receiver is the sender under another name cannot be sealed', async () => {
    const toSelf = delegation({ to: { agent: `agent-${scene.con.id}`, reason: 'By number' } });
    const sent = await scene.create(scene.con, toSelf);
    expect([sent.status, sent.body.error]).toEqual([400, expect.stringContaining('to yourself')]);
    const { body: draft } = await scene.create(scene.con, delegation(), { seal: false });
    const sealed = await scene.post(scene.con, `/${draft.id}/seal`, { package: toSelf });
    expect([sealed.status, sealed.body.error]).toEqual([400, expect.stringContaining('to yourself')]);
  });

  it.each([
    ['human', 'human'],
    ['orchestrator', 'orchestrator'],
    ['orchestrator', 'human'],
    ['human', 'orchestrator'],
  ])(
    '[package P15] the operator cannot send a package from %s to %s, because both are the operator',
    async (from, to) => {
      const parties = { from: { agent: from }, to: { agent: to, reason: 'To decide later' } };
      for (const own of [escalation(parties), gatePackage(parties)]) {
        const { status, body } = await scene.create('operator', own, { project_id: 1 });
        expect([status, body.error]).toEqual([
          400,
          'You cannot send a package to yourself: human and orchestrator are both you, the operator.',
        ]);
        expect(body.hint).toBe('Name an agent in to.agent. List the names: baton package agents');
      }
    },
  );

  it('a package from the operator cannot be reassigned to the operator', async () => {
    const { body } = await scene.create('operator', delegation({ from: { agent: 'human' } }), { project_id: 1 });
    const given = await scene.post('operator', `/${body.id}/reassign`, { to: 'human' });
    expect([given.status, given.body.error]).toEqual([
      409,
      `${body.id} is your own package, so it cannot be given to you.`,
    ]);
  });

  it('[004 Handoff to Human (Gate)] a gate that is addressed to an agent cannot be sealed', async () => {
    const { status, body } = await scene.create(
      scene.con,
      gatePackage({ to: { agent: 'reviewer-ann-2', reason: 'BLOCKING gate reached' } }),
    );
    expect([status, rules(body).map(({ rule }) => rule)]).toEqual([409, ['HP008']]);
  });

  it('a package with a deadline in the past cannot be sealed', async () => {
    const late = await scene.create(scene.con, expecting({ deadline: '2020-01-01T00:00:00+14:00' }));
    expect([late.status, rules(late.body).map(({ rule }) => rule)]).toEqual([409, ['HP004']]);
    const gate = gatePackage({ gate: { ...gatePackage().gate, deadline: '2020-01-01T00:00:00Z' } });
    expect(rules((await scene.create(scene.con, gate)).body).map(({ rule }) => rule)).toEqual(['HP004']);
    expect((await scene.create(scene.con, expecting({ deadline: '2099-01-01T00:00:00Z' }))).status).toBe(201);
  });

  it('[package P17] a package in which two items have the same id cannot be sealed', async () => {
    const twice = expecting({
      constraints: ['Only docs/api.md', { id: 'K-001', text: 'At most 3 pages' }],
      success_criteria: [
        { id: 'C-002', text: 'All 12 endpoints are listed' },
        'No critical risks are left',
        { id: 'X-1', text: 'No test fails' },
      ],
    });
    const { status, body } = await scene.create(scene.con, twice);
    expect([status, rules(body)]).toMatchObject([
      409,
      [
        { rule: 'HP406', pointer: '/handoff/expectations/constraints/1' },
        { rule: 'HP406', pointer: '/handoff/expectations/success_criteria/1' },
      ],
    ]);
  });
});

describe('a decision about a gate', () => {
  const decide = (id: string, body: object) => scene.post('operator', `/${id}/decide`, body);

  it('[package P20] a decision about an item that the gate does not have is refused', async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    for (const items of [[2], [0, 99], []]) {
      const told = await decide(body.id, { option: 'approve', items, seen: body.seen });
      expect([told.status, told.body.error]).toEqual([400, expect.stringContaining('has 2 items')]);
    }
    expect((await scene.get('operator', `/${body.id}`)).body.gate?.approved).toEqual([]);
  });

  it('two questions about a gate get different ids', async () => {
    let { body: gate } = await scene.create(scene.con, gatePackage());
    for (const text of ['Why 12 endpoints?', 'Why JWT?']) {
      const asked = (await decide(gate.id, { option: 'question', reason: text, seen: gate.seen })).body;
      const answers = asked.questions.map(({ id }) => ({ id, text: `As docs/api.md says: ${text}` }));
      gate = (await scene.post(scene.con, `/${gate.id}/answer`, { answers })).body;
    }
    expect(new Set(gate.answers.map(({ id }) => id)).size).toBe(2);
  });

  it("[package P20] an agent's decision about a gate is refused", async () => {
    const { body } = await scene.create(scene.con, gatePackage());
    const told = await scene.post(scene.con, `/${body.id}/decide`, { option: 'approve', seen: body.seen });
    expect([told.status, told.body.hint]).toEqual([403, expect.stringContaining('Ask your operator')]);
  });

  it('[package P34] the conditions of an approval are added to the packages after the gate', async () => {
    const { body: gate } = await scene.create(scene.con, gatePackage());
    await decide(gate.id, { option: 'approve', conditions: ['At most 3 pages'], seen: gate.seen });
    const behind = delegation({ lineage: { parent: gate.id } });
    const { body: draft } = await scene.create(scene.con, behind, { seal: false });
    const { body: next } = await scene.post(scene.con, `/${draft.id}/seal`);
    const condition = { id: `K-${gate.id}-1`, text: 'At most 3 pages' };
    expect([next.state, next.constraints]).toEqual(['pending', expect.arrayContaining([condition])]);
    const { body: sent } = await scene.create(scene.con, behind);
    expect(sent.constraints).toContainEqual(condition);
  });
});

describe('[package P18] a person who is asked after three rounds of questions', () => {
  const asked = async (): Promise<Detail> => {
    const { body } = await scene.create();
    for (;;) {
      await scene.post(scene.ann, `/${body.id}/receive`);
      const round = (await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which API?'] })).body;
      if (round.waiter === 'human') return round;
      const answers = round.questions.map(({ id }) => ({ id, text: 'That one' }));
      await scene.post(scene.con, `/${body.id}/answer`, { answers });
    }
  };

  it("after the last round of questions, a person can answer the receiver's question", async () => {
    const { id, questions } = await asked();
    const [item] = await inbox();
    expect([item?.sentence, item?.hint]).toEqual([
      expect.stringContaining('Which API?'),
      expect.stringContaining(`baton package answer ${id} Q-4-1=TEXT`),
    ]);
    const answers = questions.map((question) => ({ id: question.id, text: 'The public one' }));
    const told = (await scene.post('operator', `/${id}/answer`, { answers })).body;
    expect([told.state, told.revision, told.answers.at(-1)]).toEqual([
      'pending',
      5,
      { id: 'Q-4-1', question: 'Which API?', answer: 'The public one', by: 'operator' },
    ]);
    expect((await scene.accept(scene.ann, id)).state).toBe('accepted');
    expect(await inbox()).toEqual([]);
  });

  it('a person cannot answer a gate, because a gate needs a decision', async () => {
    const { body: gate } = await scene.create(scene.con, gatePackage());
    const answers = [{ id: 'Q-1-1', text: 'Yes' }];
    const told = await scene.post('operator', `/${gate.id}/answer`, { answers });
    expect([told.status, told.body.code]).toEqual([409, 'package_not_possible']);
  });
});

describe('mistakes of the receiver of a package', () => {
  it('before the acknowledgment, the package actions "progress", "complete" and "fail" are refused with 409', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    for (const [verb, more] of Object.entries({ progress: {}, complete: {}, fail: { cause: 'No access' } })) {
      const told = await scene.post(scene.ann, `/${body.id}/${verb}`, more);
      expect([told.status, told.body.code, told.body.error]).toEqual([
        409,
        'package_not_possible',
        expect.stringContaining('is not acknowledged yet'),
      ]);
    }
    await scene.post(scene.ann, `/${body.id}/decline`, { code: 'overload' });
    expect((await scene.post(scene.ann, `/${body.id}/progress`)).body.code).toBe('package_over');
  });

  it('a result for an unknown criterion is refused', async () => {
    const { body } = await scene.create();
    await scene.accept(scene.ann, body.id);
    const pass = (id: string) => ({ id, result: 'pass' });
    for (const results of [
      [pass('C-001'), pass('C-777')],
      [pass('C-001'), { id: 'C-001', result: 'fail' }],
    ]) {
      const told = await scene.post(scene.ann, `/${body.id}/complete`, { results });
      expect([told.status, told.body.hint]).toEqual([400, expect.stringContaining('C-001')]);
      const back = { ...returnPackage(), criteria_results: results };
      expect((await scene.post(scene.ann, `/${body.id}/return`, { package: back })).status).toBe(400);
    }
  });

  it('[004 Acknowledge Receipt] a receiver can acknowledge a package in the form of specification 004, without ids', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    const understood = { task: 'Report the risks', constraints: 'Authentication first' };
    const acknowledgment = { ...full().acknowledgment, from: 'developer-con-1', understood };
    const taken = await scene.post(scene.ann, `/${body.id}/ack`, { acknowledgment });
    expect([taken.body.state, taken.body.acknowledgement]).toMatchObject([
      'accepted',
      { constraints: ['Authentication first'] },
    ]);
  });

  it('an acknowledgment cannot decline a package', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    const acknowledgment = { received: true, understood: 'none', blockers: ['No Rust here'], action: 'decline' };
    const said = await scene.post(scene.ann, `/${body.id}/ack`, { acknowledgment });
    expect([said.status, said.body.hint]).toEqual([400, expect.stringContaining('handoff_decline')]);
    expect((await scene.get(scene.ann, `/${body.id}`)).body.state).toBe('pending');
  });
});

it('an answer to an unknown question is refused', async () => {
  const { body } = await scene.create();
  await scene.post(scene.ann, `/${body.id}/receive`);
  await scene.post(scene.ann, `/${body.id}/ask`, { questions: ['Which API?'] });
  const right = { id: 'Q-1-1', text: 'The public one' };
  for (const answers of [
    [right, { id: 'Q-9', text: 'Lost' }],
    [right, right],
  ]) {
    const told = await scene.post(scene.con, `/${body.id}/answer`, { answers });
    expect([told.status, told.body.error]).toEqual([400, expect.stringContaining('No answer was recorded')]);
  }
  expect((await scene.post(scene.con, `/${body.id}/answer`, { answers: [right] })).body.revision).toBe(2);
});

it('[package P24] an accepted delegation can be replaced by another delegation to the same agent', async () => {
  const { body: first } = await scene.create();
  await scene.accept(scene.ann, first.id);
  const anew = await scene.create(scene.con, delegation({ lineage: { supersedes: first.id } }));
  expect([anew.status, anew.body.lineage?.supersedes]).toEqual([201, first.id]);
  expect((await scene.get(scene.con, `/${first.id}`)).body.state).toBe('cancelled');
  expect((await scene.accept(scene.ann, anew.body.id)).state).toBe('accepted');
});

describe('[package P35] the other party of a finished package', () => {
  const look = async (): Promise<void> => {
    await tickPackages(scene.world.ports);
    await noteEndedSessions(scene.world.ports);
    await announcePackages(scene.world.ports);
    const runner = createEffectRunner(scene.world.ports);
    runner.wake();
    await runner.stop();
  };
  const toldOf = (agent: { readonly id: number }, words: string): number =>
    scene.world.typed.filter(
      ({ text, paneId }) => text.includes(words) && paneId === scene.world.agent(agent.id).pane?.paneId,
    ).length;
  const untold = () => scene.world.ports.store.read((tx) => tx.packageKeys('tell')).length;

  it('if a package is declined, the sender is notified exactly once', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/decline`, { code: 'capability', reason: 'No Rust here' });
    await look();
    await look();
    expect(toldOf(scene.con, `reviewer-ann-2 has declined your package ${body.id}`)).toBe(1);
    expect((await scene.get(scene.con, `/${body.id}`)).body.cause).toBe('capability: No Rust here');
    expect([untold(), await inbox()]).toEqual([0, []]);
  });

  it('the sender is notified that its package failed or expired', async () => {
    const { body: one } = await scene.create();
    await scene.accept(scene.ann, one.id);
    await scene.post(scene.ann, `/${one.id}/fail`, { cause: 'No access' });
    await look();
    expect(toldOf(scene.con, `your package ${one.id} to reviewer-ann-2 has failed`)).toBe(1);
    const soon = new Date(Date.parse(scene.world.ports.clock.now()) + 60_000).toISOString();
    const { body: two } = await scene.create(scene.con, expecting({ deadline: soon }));
    scene.world.pass(120_000);
    await look();
    expect(toldOf(scene.con, `your package ${two.id} to reviewer-ann-2 has failed`)).toBe(1);
  });

  it('if a package is cancelled after the receiver has read it, the receiver is notified', async () => {
    const { body: one } = await scene.create();
    await scene.accept(scene.ann, one.id);
    await scene.post('operator', `/${one.id}/cancel`, { note: 'No more need' });
    await look();
    expect(toldOf(scene.ann, `the operator has canceled package ${one.id}`)).toBe(1);
    expect((await scene.get(scene.ann, `/${one.id}`)).body.cause).toBe('No more need');
    const { body: two } = await scene.create();
    await scene.accept(scene.ann, two.id);
    await scene.create(scene.con, delegation({ lineage: { supersedes: two.id } }));
    await look();
    await look();
    expect(toldOf(scene.ann, `package ${two.id} from developer-con-1 is superseded by`)).toBe(1);
    const { body: unread } = await scene.create();
    const seen = scene.world.typed.length;
    await scene.post(scene.con, `/${unread.id}/cancel`);
    await look();
    expect([scene.world.typed.length, untold()]).toEqual([seen, 0]);
  });

  it("while the operator types in the terminal of a package's sender, Baton delays the notification to the sender", async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/decline`, { code: 'overload' });
    scene.world.outcome = { verdict: 'refused', reason: 'draft', detail: 'somebody types' };
    await look();
    scene.world.outcome = { verdict: 'typed', enters: 1 };
    await look();
    expect(toldOf(scene.con, body.id)).toBe(0);
    scene.world.pass(3 * 60_000);
    await look();
    await look();
    expect(toldOf(scene.con, `has declined your package ${body.id}`)).toBe(1);
  });

  it('if no live agent can get the notification about a finished package, Baton drops the notification after a day', async () => {
    const { body } = await scene.create();
    await scene.post(scene.ann, `/${body.id}/receive`);
    await scene.post(scene.ann, `/${body.id}/decline`, { code: 'overload' });
    await scene.world.record({ type: 'agent_process_gone', agentId: scene.con.id, detail: 'gone' });
    await look();
    expect(untold()).toBe(1);
    scene.world.pass(25 * 3_600_000);
    await look();
    expect([toldOf(scene.con, body.id), untold()]).toEqual([0, 0]);
    const { body: own } = await scene.create('operator', delegation({ from: { agent: 'human' } }), {
      project_id: scene.con.projectId,
    });
    await scene.post(scene.ann, `/${own.id}/receive`);
    await scene.post(scene.ann, `/${own.id}/decline`, { code: 'capability', reason: 'No Rust here' });
    const about = (await inbox()).filter(({ package_id }) => package_id === own.id);
    expect(about).toMatchObject([{ kind: 'notice', sentence: expect.stringContaining('capability: No Rust here') }]);
  });
});
