import { describe, expect, it } from 'vitest';
import { after } from '../../../src/domain/instant.ts';
import { advancePackage } from '../../../src/domain/packages/advance-package.ts';
import { canonicalJson } from '../../../src/domain/packages/content/canonical-json.ts';
import { chainLimit, withInherited } from '../../../src/domain/packages/content/lineage.ts';
import {
  namedConstraints,
  namedCriteria,
  type PackageInput,
  packageId,
} from '../../../src/domain/packages/content/package.ts';
import { contradictionOf, inferType } from '../../../src/domain/packages/content/package-type.ts';
import { receiveReport } from '../../../src/domain/packages/receive-report.ts';
import { ownerOf, readRecord } from '../../../src/domain/packages/record.ts';
import type { StoredPackage } from '../../../src/domain/packages/stored-package.ts';
import { normalized, validateAcknowledgment } from '../../../src/domain/packages/validate-acknowledgment.ts';
import {
  acknowledged,
  CHANGED,
  decided,
  FULL,
  fresh,
  gatePackage,
  NOON,
  outcome,
  PARTIAL,
  play,
  SEAL,
  sealed,
  worldAt,
} from './package-kit.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const pending = () => play(fresh(), [sealed()]);
const waiting = (kind?: 'blocking' | 'non_blocking') => play(gatePackage(kind), [sealed()]);

it('[package P20] a decision about a package is refused if the package is addressed to an agent', () => {
  expect(advancePackage(pending(), decided(), worldAt())).toMatchObject({
    code: 'package_not_possible',
    sentence: expect.stringContaining('Only a package that is addressed to a person'),
  });
});

describe('ids and hashes of packages', () => {
  it('[package P1] a package id consists of HO, the year and a number of at least three digits', () => {
    expect([packageId(2026, 1), packageId(2026, 1234)]).toEqual(['HO-2026-001', 'HO-2026-1234']);
  });

  it('[package P1] the canonical text of a package does not depend on the order of its keys', () => {
    expect(canonicalJson({ b: [1, { d: undefined, c: 'x' }], a: null })).toBe('{"a":null,"b":[1,{"c":"x"}]}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
    expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
  });
});

describe('the package type', () => {
  const parties = (from: string, to: string, more = {}) => ({ from: { agent: from }, to: { agent: to }, ...more });
  const chain = { openFrames: [{ handoff: 'HO-001', caller: 'a', callee: 'b' }], nextAgent: 'c' };

  const asks = { expectations: { deliverable: 'A report', success_criteria: ['No critical risk'] } };

  it.each([
    ['with a gate', parties('a', 'human', { gate: {} }), 'gate'],
    ['to a person', parties('a', 'human'), 'escalation'],
    ['back to the caller', parties('b', 'a'), 'return'],
    ['from an agent to itself', parties('a', 'a'), 'continuation'],
    ['to the next agent of the workflow', parties('b', 'c', asks), 'sequential'],
    ['with a deliverable and criteria to anyone else', parties('b', 'd', asks), 'delegation'],
    ['without expectations to anyone else', parties('b', 'd'), 'sequential'],
    ['without criteria to anyone else', parties('b', 'd', { expectations: { deliverable: 'x' } }), 'sequential'],
    ['out of step, with no delegation open', { ...parties('d', 'a'), from: { agent: 'd', step: null } }, 'sequential'],
  ])('[package P3] Baton infers the type of a package %s', (_, value, type) => {
    expect(inferType(value, chain)).toBe(type);
  });

  it('[package P3] if the chain is unknown and the sender\'s step is null, the type of a package is "return"', () => {
    expect(inferType(parties('b', 'a'))).toBe('sequential');
    expect(inferType({ ...parties('b', 'a'), from: { agent: 'b', step: null } })).toBe('return');
    expect(inferType(parties('b', 'a', asks))).toBe('delegation');
  });

  it.each([
    ['delegation', parties('a', 'human')],
    ['escalation', parties('a', 'b')],
    ['sequential', parties('a', 'a')],
    ['continuation', parties('a', 'b')],
    ['gate', parties('a', 'human')],
    ['escalation', parties('a', 'human', { gate: {} })],
    ['delegation', parties('a', 'b', { lineage: { returns_for: 'HO-001' } })],
  ])(
    '[package P4] Baton reports the package type "%s" if the content of the package contradicts that type',
    (type, value) => {
      expect(contradictionOf({ ...value, type })).toBeTypeOf('string');
    },
  );

  it("[package P4] Baton reports a package type that contradicts the package's chain", () => {
    expect(contradictionOf({ ...parties('b', 'a'), type: 'delegation' }, chain)).toContain('return');
    expect(contradictionOf({ ...parties('b', 'd'), type: 'sequential' }, chain)).toBeUndefined();
  });
});

describe('the lifecycle of a package', () => {
  it('[package P14] the receiver completes a delegation by a return package, and in no other way', () => {
    const accepted = play(pending(), [acknowledged()]);
    expect(accepted).toMatchObject({ state: 'accepted', waiter: 'receiver' });
    expect(ownerOf(accepted)).toBe('receiver');
    const results = [{ id: 'C-001', result: 'pass' as const }];
    const complete = { type: 'completed', by: 'receiver', results, returned: false } as const;
    expect(outcome(accepted, complete)).toBe('package_not_possible');
    expect(outcome(accepted, { ...complete, returned: true, by: 'sender' })).toBe('forbidden');
    expect(play(accepted, [{ ...complete, returned: true }])).toMatchObject({
      state: 'completed',
      waiter: null,
      deadlineAt: null,
    });
  });

  it('[package P14] a sequential package is completed only with a result for each criterion', () => {
    const accepted = play(fresh({ type: 'sequential' }), [sealed(), acknowledged()]);
    const complete = { type: 'completed', by: 'receiver', returned: false } as const;
    expect(outcome(accepted, { ...complete, results: [] })).toBe('package_not_possible');
    expect(outcome(accepted, { ...complete, results: [{ id: 'C-001', result: 'unknown' }] })).toBe(
      'package_not_possible',
    );
    expect(outcome(accepted, { ...complete, results: [{ id: 'C-001', result: 'fail' }] })).toBe('completed');
  });

  it('[package P14] if the state of a package forbids an action, the refusal names the possible actions', () => {
    expect(advancePackage(fresh(), acknowledged(), worldAt())).toMatchObject({
      code: 'package_not_possible',
      sentence: expect.stringMatching(/ is a draft, so it cannot be acknowledged\.$/),
      hint: 'The package waits for its sender. Possible now: seal, cancel.',
    });
    expect(advancePackage(waiting(), acknowledged(), worldAt())).toMatchObject({
      sentence: expect.stringContaining("waits for a person's decision"),
      hint: 'The package waits for a person. Possible now: decide, cancel.',
    });
  });

  it('[package P15] if the sender of a package is gone, Baton becomes responsible for the package', () => {
    const escrow = play(pending(), [{ type: 'session_ended', whose: 'sender' }]);
    expect([escrow.state, ownerOf(escrow)]).toEqual(['pending', 'orchestrator']);
    expect(outcome(escrow, { type: 'cancelled', by: 'receiver' })).toBe('forbidden');
    expect(outcome(escrow, { type: 'cancelled', by: 'host' })).toBe('cancelled');
    expect(ownerOf(play(escrow, [acknowledged()]))).toBe('receiver');
  });

  it('[package P15] if the receiver of an accepted package ends and is not replaced, the package fails', () => {
    const gone = { type: 'session_ended', whose: 'receiver' } as const;
    const failed = play(pending(), [acknowledged(), gone]);
    expect([failed.state, ownerOf(failed), failed.cause]).toEqual([
      'failed',
      'sender',
      'The session of security-check ended before the work was done.',
    ]);
    expect(play(pending(), [acknowledged(), { ...gone, replaced: true }])).toMatchObject({
      state: 'pending',
      waiter: 'receiver',
      acknowledgement: null,
    });
  });

  it('[package P14] after the receiver declined a package, the sender has to act', () => {
    const next = play(pending(), [{ type: 'declined', by: 'receiver', code: 'capability' }]);
    expect([next.state, ownerOf(next), next.cause]).toEqual(['rejected', 'sender', 'capability']);
  });

  it('[package P14] an accepted package can be marked as failed by the operator, but not by the sender', () => {
    const accepted = play(pending(), [acknowledged()]);
    const failed = { type: 'failed', cause: 'It hangs' } as const;
    expect(outcome(accepted, { ...failed, by: 'sender' })).toBe('forbidden');
    expect(outcome(accepted, { ...failed, by: 'operator' })).toBe('failed');
  });

  it('[package P19] a receiver that is late gets a reminder, and the package keeps its state', () => {
    const tick = (record: ReturnType<typeof fresh>, ms: number) =>
      play(record, [{ type: 'clock_ticked' }], worldAt(ms));
    const first = tick(pending(), HOUR);
    expect(first).toMatchObject({ state: 'pending', reminders: 1, waiter: 'receiver' });
    expect(tick(first, HOUR + 1)).toEqual(first);
    expect(tick(first, 2 * HOUR)).toMatchObject({ state: 'pending', reminders: 2 });
  });

  it('[package P19] [F35] if the clock was set back, Baton computes a new deadline for the package and sends no reminder', () => {
    const restarted = (ms: number) => play(pending(), [{ type: 'deadline_restarted' }], worldAt(ms));
    expect(restarted(0)).toEqual(pending());
    expect(restarted(MINUTE)).toEqual(pending());
    expect(restarted(-24 * HOUR)).toEqual({ ...pending(), deadlineAt: after(NOON, -24 * HOUR + 10 * MINUTE) });
  });

  it('[package P19] a package fails when the deadline that is written in the package passes', () => {
    const lapsing = play(fresh({ expiresAt: NOON }), [{ type: 'clock_ticked' }]);
    expect(lapsing).toMatchObject({ state: 'failed', cause: 'The deadline 2026-01-15 12:00 UTC passed.' });
  });

  it('[package P14] each package state of Baton 0.1.0 becomes one of the eight current states', () => {
    const old = (state: string, over: object = {}) =>
      readRecord({ ...pending(), state, epoch: 2, owner: 'sender', ...over } as never).state;
    expect(['delivered', 'awaiting_human', 'expired', 'superseded', 'accepted'].map((state) => old(state))).toEqual([
      'pending',
      'pending',
      'failed',
      'cancelled',
      'accepted',
    ]);
    expect(old('accepted', { to: 'human' })).toBe('completed');
    expect(old('awaiting_human', { askedBy: 'receiver' })).toBe('clarifying');
    expect(readRecord({ ...pending(), epoch: 1 } as never)).not.toHaveProperty('epoch');
  });
});

describe('[004 Acknowledge Receipt] the acknowledgment of a package', () => {
  const { report } = worldAt();

  it('[package P17] Baton converts both forms of an acknowledgment in specification 004 to one form', () => {
    expect(normalized({ understood: { task: 'x', constraints: 'y' }, questions: [], starting: true })).toMatchObject({
      level: 'full',
      task: 'x',
      constraints: ['y'],
      starting: true,
    });
    expect(normalized({ understood: 'partial', blockers: ['b'] })).toMatchObject({ level: 'partial', starting: false });
  });

  it.each([
    ['with all fields is full', FULL, 'full'],
    ['without a restated task is refused', { ...FULL, task: ' ' }, 'refused'],
    ['that does not start the work is refused', { ...FULL, starting: false }, 'refused'],
    ['that is full but has a question is refused', { ...FULL, questions: ['?'] }, 'refused'],
    ['that is partial and has a question is partial', PARTIAL, 'partial'],
    ['that is partial but has no question is refused', { ...PARTIAL, questions: [] }, 'refused'],
    ['that is partial but starts the work is refused', { ...PARTIAL, starting: true }, 'refused'],
    ['with six questions is refused', { ...PARTIAL, questions: ['1', '2', '3', '4', '5', '6'] }, 'refused'],
  ])('[package P17] Baton classifies an acknowledgment as full, partial or refused: one %s', (_, said, kind) => {
    expect(validateAcknowledgment(said, report, 0).kind).toBe(kind);
  });

  it('[package P17] if an acknowledgment sets "starting" to true too early, the refusal names the cause: an open question, or the word "none"', () => {
    const said = normalized({ understood: { task: 'x', constraints: 'y' }, questions: ['Which API?'], starting: true });
    const judged = validateAcknowledgment(said, report, 0);
    expect(judged).toMatchObject({
      kind: 'refused',
      why: expect.stringMatching(/^An acknowledgment with questions or blockers is partial, so the work cannot begin/),
    });
    const none = normalized({ understood: 'none', starting: true });
    expect(validateAcknowledgment(none, report, 0)).toMatchObject({
      why: 'If "understood" is "none", the work cannot begin, so set "starting" to false.',
    });
  });

  it("[package P16] the receiver cannot acknowledge a package if one of the package's artifacts is unusable", () => {
    const blocked = { findings: [], blocked: true, unusable: ['docs/api.md'] };
    expect(validateAcknowledgment(FULL, blocked, 0)).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['with a blocked package', FULL, true, 'ask'],
    ['with questions, although the task is understood', { ...FULL, questions: ['Which API?'] }, false, 'ask'],
    ['in part, without a question', { ...PARTIAL, questions: [] }, false, 'ask'],
    ['in part, but starting', { ...PARTIAL, starting: true }, false, 'ask'],
    ['with an empty task', { ...FULL, task: ' ' }, false, 'ack'],
    ['with the placeholder of specification 004 as the task', { ...FULL, task: '[task reformulation]' }, false, 'ack'],
    [
      'with the placeholder of specification 004 as the constraints',
      { ...FULL, constraints: ['[understood constraints]'] },
      false,
      'ack',
    ],
    ['with a placeholder as the question', { ...PARTIAL, questions: ['<question>'] }, false, 'ask'],
  ])(
    '[package P17] an acknowledgment %s is refused with a hint that contains a working command',
    (_, said, blocked, verb) => {
      const report = { findings: [], blocked, unusable: [] };
      const pending = play(fresh(), [sealed()]);
      expect(advancePackage(pending, acknowledged(said), worldAt(0, { report }))).toMatchObject({
        code: 'acknowledgement_incomplete',
        hint: expect.stringContaining(`baton package ${verb} HO-2026-001 `),
      });
    },
  );

  it('[package P17] a second acknowledgment of a package is refused if it differs from the first', () => {
    const accepted = play(pending(), [acknowledged()]);
    expect(play(accepted, [acknowledged()])).toEqual(accepted);
    expect(outcome(accepted, acknowledged({ ...FULL, task: 'Something else' }))).toBe('package_not_possible');
  });

  it('[package P18] after three rounds of questions, a person, not the sender, has to answer further questions', () => {
    let record = pending();
    for (let round = 1; round <= 4; round++) {
      record = play(record, [acknowledged(PARTIAL)]);
      expect(record).toMatchObject({ state: 'clarifying', round, waiter: round > 3 ? 'human' : 'sender' });
      expect(outcome(record, { type: 'answered', by: 'sender', answered: [], seal: SEAL })).toBe(
        'acknowledgement_incomplete',
      );
      const answered = record.questions.map(({ id }) => id);
      record = play(record, [{ type: 'answered', by: round > 3 ? 'operator' : 'sender', answered, seal: SEAL }]);
      expect(record).toMatchObject({ state: 'pending', revision: round + 1 });
    }
  });
});

describe('[004 Validate the Package] the receive report', () => {
  const content: PackageInput = {
    from: { agent: 'a' },
    to: { agent: 'b', reason: 'r' },
    context: { summary: '3 epics written', artifacts: [{ path: 'docs/api.md', sha256: 'a1' }] },
    expectations: { deliverable: 'A report', constraints: ['quickly'], success_criteria: ['Build passes in CI'] },
  };
  const seen = {
    artifacts: { 'docs/api.md': 'a1' },
    chainIsWhole: true,
    ageMs: 0,
    staleAfterMs: HOUR,
  };
  const rules = (
    changed: Partial<PackageInput>,
    saw = {},
    type: 'delegation' | 'sequential' | 'return' = 'delegation',
  ) => receiveReport({ ...content, ...changed }, type, { ...seen, ...saw }).findings.map(({ rule }) => rule);

  it('[package P16] the receive report checks summary, artifacts, deliverable and constraints', () => {
    expect(rules({})).toEqual(['HP401']);
    expect(rules({ context: { summary: '[what was done]' } })).toContain('HP901');
    expect(rules({}, { artifacts: {} })).toContain('HP902');
    expect(rules({}, { artifacts: { 'docs/api.md': 'other' } })).toContain('HP902');
    expect(rules({ expectations: undefined })).toContain('HP903');
    expect(rules({}, { ageMs: 2 * HOUR })).toContain('HP905');
    expect(rules({}, { chainIsWhole: false })).toContain('HP906');
  });

  it("[package P32] the receive report names artifacts that are missing in the receiver's folder", () => {
    const own = (artifacts: Record<string, string>) => ({ elsewhere: { where: '/w/con', own: artifacts } });
    expect(rules({}, own(seen.artifacts))).not.toContain('HP907');
    expect(rules({}, own({}))).toContain('HP907');
    expect(receiveReport(content, 'delegation', { ...seen, ...own({ 'docs/api.md': 'older' }) })).toMatchObject({
      blocked: false,
      unusable: [],
    });
  });

  it('[package P16] for a return package that expects no deliverable, the receive report demands none', () => {
    expect(rules({ expectations: undefined }, {}, 'sequential')).not.toContain('HP903');
    expect(rules({ expectations: undefined }, {}, 'return')).not.toContain('HP903');
    expect(rules({ expectations: { deliverable: '[what is expected]' } }, {}, 'sequential')).toContain('HP903');
  });

  it('[004 Validate the Package] [package P16] the receive report names the required capabilities that the receiver does not have', () => {
    const to = { agent: 'b', reason: 'r', capabilities_required: ['reviewer'] };
    expect(rules({ to }, { capabilities: ['developer'] })).toContain('HP904');
    expect(rules({ to }, { capabilities: ['reviewer'] })).not.toContain('HP904');
    expect(rules({ to })).not.toContain('HP904');
  });

  it('[package P17] the receive report names a criterion without an id by its position', () => {
    expect([...namedConstraints(content), ...namedCriteria(content)].map(({ id }) => id)).toEqual(['K-001', 'C-001']);
  });
});

describe('[004 Handoff to Human (Gate)] gates', () => {
  it('[package P20] an agent can never decide a gate, whatever name the agent uses', () => {
    expect(outcome(waiting(), decided({ channel: 'agent', by: 'human' }))).toBe('agents_cannot_decide');
  });

  it('[package P20] a rejection of a gate needs a reason', () => {
    expect(outcome(waiting(), decided({ option: 'reject' }))).toBe('bad_request');
    expect(outcome(waiting(), decided({ option: 'question' }))).toBe('bad_request');
    expect(outcome(waiting(), decided({ option: 'reject', reason: 'No errors listed' }))).toBe('rejected');
  });

  it('[package P20] a question about a gate goes to the author of the gate', () => {
    const asked = play(waiting(), [decided({ option: 'question', reason: 'Which API?' })]);
    expect(asked).toMatchObject({ state: 'clarifying', waiter: 'sender' });
    const answered = asked.questions.map(({ id }) => id);
    const again = play(asked, [{ type: 'answered', by: 'sender', answered, seal: CHANGED }]);
    expect(again).toMatchObject({ state: 'pending', waiter: 'human', seal: CHANGED });
    expect(outcome(again, decided({ seal: SEAL }))).toBe('stale_content');
  });

  it('[package P20] a gate is approved when all of its items are approved', () => {
    const half = play(waiting(), [decided({ items: [0] })]);
    expect(half).toMatchObject({ state: 'pending', approvedItems: [0], decision: null });
    expect(play(half, [decided({ items: [1] })])).toMatchObject({
      state: 'completed',
      outcome: 'approved',
    });
    expect(play(half, [{ type: 'content_seen', seal: CHANGED }])).toMatchObject({ approvedItems: [] });
  });

  it('[package P20] the first decision about a gate is final', () => {
    const approved = play(waiting(), [decided()]);
    expect(advancePackage(approved, decided({ by: 'Bob', option: 'reject', reason: 'no' }), worldAt())).toMatchObject({
      code: 'already_decided',
      sentence: expect.stringMatching(/was already decided by Ann at \d{4}-\d\d-\d\d \d\d:\d\d UTC: approve\.$/),
    });
  });

  it('[package P21] a decision about a gate is stored with the seal of the content that the person saw', () => {
    expect(play(waiting(), [decided()])).toMatchObject({ state: 'completed', decision: { seal: SEAL } });
    expect(outcome(waiting(), decided({ seal: CHANGED }))).toBe('stale_content');
  });

  it('[package P20] a decision with an option completes an escalation and records the option', () => {
    const asked = play(fresh({ type: 'escalation', to: 'human' }), [sealed()]);
    expect(asked.waiter).toBe('human');
    expect(play(asked, [decided({ choice: 'B', reason: 'Robust first' })])).toMatchObject({
      state: 'completed',
      waiter: null,
      decision: { choice: 'B' },
    });
  });

  it('[package P22] a blocking gate is never approved by a timeout', () => {
    const late = play(waiting(), [{ type: 'clock_ticked' }, { type: 'clock_ticked' }], worldAt(1_000 * HOUR));
    expect(late).toMatchObject({ state: 'pending', decision: null, outcome: null, waiter: 'human' });
  });

  it('[package P22] a non-blocking gate without an answer is completed by a timeout with the outcome "no_objection"', () => {
    const late = play(waiting('non_blocking'), [{ type: 'clock_ticked' }], worldAt(25 * HOUR));
    expect(late).toMatchObject({ state: 'completed', outcome: 'no_objection', decision: null });
  });
});

describe('the chain of packages', () => {
  const parent = (over: object = {}, hop = 3): StoredPackage =>
    ({
      record: { id: 'HO-2026-001', outcome: null, decision: null, ...over },
      lineage: { root: 'HO-2026-001', hop },
      content: {
        context: {
          summary: 's',
          decisions: [
            { id: 'D-001', decision: 'JWT', rationale: 'r' },
            { id: 'pending', decision: 'A or B' },
          ],
        },
        expectations: { deliverable: 'd', constraints: [{ id: 'K-API', text: 'Keep the API' }, 'no id'] },
      },
    }) as never;
  const next = (over: object = {}): PackageInput => ({
    from: { agent: 'a' },
    to: { agent: 'b', reason: 'r' },
    context: { summary: 's' },
    expectations: { deliverable: 'd' },
    ...over,
  });

  it('[package P24] after 20 packages, a chain accepts only returns and packages to a person', () => {
    const pair = { kind: 'delegation', from: 'a', to: 'b' } as const;
    expect(chainLimit(pair, parent({}, 20))).toContain('hop 21');
    expect(chainLimit(pair, parent({}, 19))).toBeNull();
    expect(chainLimit({ ...pair, kind: 'return' }, parent({}, 20))).toBeNull();
    expect(chainLimit({ ...pair, to: 'human' }, parent({}, 20))).toBeNull();
  });

  it('[package P34] a package inherits those constraints and decisions of the previous package that have an id', () => {
    const { context, expectations } = withInherited(next(), 'sequential', parent());
    expect(context.decisions?.map(({ id }) => id)).toEqual(['D-001']);
    expect(expectations?.constraints).toEqual([{ id: 'K-API', text: 'Keep the API', inherited_from: 'HO-2026-001' }]);
  });

  it('[package P34] an author can replace inherited decisions', () => {
    const own = next({ context: { summary: 's', decisions: [{ id: 'D-002', decision: 'x', supersedes: 'D-001' }] } });
    expect(withInherited(own, 'sequential', parent()).context.decisions?.map(({ id }) => id)).toEqual(['D-002']);
    expect(withInherited(next(), 'return', parent())).toEqual(next());
    const toPerson = next({ to: { agent: 'human', reason: 'r' } });
    expect(withInherited(toPerson, 'escalation', parent())).toEqual(toPerson);
  });

  it("[package P34] the conditions of a gate's approval become constraints of the package after the gate", () => {
    const approved = parent({ outcome: 'approved', decision: { conditions: ['No new tables'] } });
    const { expectations } = withInherited(next(), 'sequential', approved);
    expect(expectations?.constraints).toContainEqual({
      id: 'K-HO-2026-001-1',
      text: 'No new tables',
      inherited_from: 'HO-2026-001',
    });
    const bare = withInherited(next({ expectations: undefined }), 'sequential', approved);
    expect(bare.context.decisions?.map(({ id }) => id)).toEqual(['D-001', 'K-API', 'K-HO-2026-001-1']);
  });
});
