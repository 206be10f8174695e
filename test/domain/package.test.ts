import { describe, expect, it } from 'vitest';
import { advancePackage } from '../../src/domain/package/advance-package.ts';
import { canonicalJson } from '../../src/domain/package/canonical-json.ts';
import { approvalStands } from '../../src/domain/package/gate.ts';
import { contradictionOf, inferType } from '../../src/domain/package/infer-type.ts';
import { judgeAcknowledgement, normalised } from '../../src/domain/package/judge-acknowledgement.ts';
import { namedConstraints, namedCriteria, type PackageInput, packageId } from '../../src/domain/package/package.ts';
import { receiveReport } from '../../src/domain/package/receive-report.ts';
import { type ChainEvent, chainLimit, openFrames } from '../../src/domain/package/return-stack.ts';
import { isRefusal } from '../../src/domain/refusals.ts';
import {
  acknowledged,
  CHANGED,
  DELIVERED,
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

const HOUR = 3_600_000;
const delivered = () => play(fresh(), [sealed(), DELIVERED]);
const waiting = (kind?: 'blocking' | 'non_blocking') => play(gatePackage(kind), [sealed(), { type: 'gate_opened' }]);

describe('ids and hashes', () => {
  it('[package P1] ids count up within a year and grow beyond three digits', () => {
    expect([packageId(2026, 1), packageId(2026, 1234)]).toEqual(['HO-2026-001', 'HO-2026-1234']);
  });

  it('[package P1] the order of keys and absent values do not change the canonical text', () => {
    expect(canonicalJson({ b: [1, { d: undefined, c: 'x' }], a: null })).toBe('{"a":null,"b":[1,{"c":"x"}]}');
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
    expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
  });
});

describe('the type', () => {
  const parties = (from: string, to: string, more = {}) => ({ from: { agent: from }, to: { agent: to }, ...more });
  const chain = { openFrames: [{ handoff: 'HO-001', caller: 'a', callee: 'b' }], nextAgent: 'c' };

  const asks = { expectations: { deliverable: 'A report', success_criteria: ['No critical risk'] } };

  it.each([
    ['a gate', parties('a', 'human', { gate: {} }), 'gate'],
    ['to a person', parties('a', 'human'), 'escalation'],
    ['back to the caller', parties('b', 'a'), 'return'],
    ['to itself', parties('a', 'a'), 'continuation'],
    ['to the next of the workflow', parties('b', 'c', asks), 'sequential'],
    ['with a deliverable and criteria to anyone else', parties('b', 'd', asks), 'delegation'],
    ['without expectations to anyone else', parties('b', 'd'), 'sequential'],
    ['without criteria to anyone else', parties('b', 'd', { expectations: { deliverable: 'x' } }), 'sequential'],
    ['out of step, with no delegation open', { ...parties('d', 'a'), from: { agent: 'd', step: null } }, 'sequential'],
  ])('[package P3] %s → %s', (_, value, type) => {
    expect(inferType(value, chain)).toBe(type);
  });

  it('[package P3] without the chain, a return is known by a sender that has no step', () => {
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
  ])('[package P4] %s contradicts what it is', (type, value) => {
    expect(contradictionOf({ ...value, type })).toBeTypeOf('string');
  });

  it('[package P4] the chain can contradict, too', () => {
    expect(contradictionOf({ ...parties('b', 'a'), type: 'delegation' }, chain)).toContain('return');
    expect(contradictionOf({ ...parties('b', 'd'), type: 'sequential' }, chain)).toBeUndefined();
  });
});

describe('the way of a package', () => {
  it('[package P14] a delegation from draft to its return', () => {
    const accepted = play(delivered(), [acknowledged()]);
    expect(accepted).toMatchObject({ state: 'accepted', owner: 'receiver', epoch: 2, waiter: 'receiver' });
    const results = [{ id: 'C-001', result: 'pass' as const }];
    const complete = { type: 'completed', by: 'receiver', epoch: 2, results, returned: true } as const;
    expect(outcome(accepted, { ...complete, returned: false })).toBe('package_not_possible');
    expect(outcome(accepted, { ...complete, results: [] })).toBe('package_not_possible');
    expect(outcome(accepted, { ...complete, results: [{ id: 'C-001', result: 'unknown' }] })).toBe(
      'package_not_possible',
    );
    expect(play(accepted, [complete])).toMatchObject({
      state: 'completed',
      owner: 'sender',
      waiter: null,
      deadlineAt: null,
    });
  });

  it('[package P12] errors keep it from being sealed', () => {
    expect(outcome(fresh(), { type: 'sealed', by: 'sender', epoch: 1, seal: SEAL, errors: 1 })).toBe('not_sealable');
  });

  it('[package P14] what does not fit is refused with the state and what would fit', () => {
    const refusal = advancePackage(fresh(), acknowledged(), worldAt());
    expect(refusal).toMatchObject({
      code: 'package_not_possible',
      sentence: expect.stringMatching(/ is a draft, so it cannot be acknowledged\.$/),
      hint: 'It waits for its sender. Possible now: seal, cancel.',
    });
  });

  it('[package P14] an unconfirmed delivery is probed and never repeated by itself', () => {
    const next = advancePackage(
      play(fresh(), [sealed()]),
      { type: 'delivery_seen', verdict: 'unconfirmed' },
      worldAt(),
    );
    expect(next).toMatchObject({ record: { state: 'pending' }, wishes: [{ kind: 'probe_delivery' }] });
  });

  it('[package P15] a sender that is gone leaves its package to the orchestrator, and is fenced off', () => {
    const escrow = play(delivered(), [{ type: 'session_ended', whose: 'sender' }]);
    expect(escrow).toMatchObject({ state: 'delivered', owner: 'orchestrator', epoch: 2 });
    expect(outcome(escrow, { type: 'cancelled', by: 'sender', epoch: 1 })).toBe('stale_epoch');
    expect(outcome(escrow, { type: 'cancelled', by: 'sender', epoch: 2 })).toBe('not_the_owner');
    expect(outcome(escrow, { type: 'cancelled', by: 'host', epoch: 2 })).toBe('cancelled');
    expect(play(escrow, [acknowledged()])).toMatchObject({ owner: 'receiver', epoch: 3 });
  });

  it('[package P15] what a receiver held that is gone goes back to the sender, or to escrow', () => {
    const gone = { type: 'session_ended', whose: 'receiver' } as const;
    expect(play(delivered(), [acknowledged(), gone])).toMatchObject({ state: 'failed', owner: 'sender' });
    const both = play(delivered(), [acknowledged(), { type: 'session_ended', whose: 'sender' }, gone]);
    expect(both).toMatchObject({ state: 'failed', owner: 'orchestrator' });
  });

  it('[package P14] the receiver can decline; the sender keeps it', () => {
    const next = play(delivered(), [{ type: 'declined', by: 'receiver', code: 'capability' }]);
    expect(next).toMatchObject({ state: 'rejected', owner: 'sender', cause: 'capability' });
  });

  it('[package P19] time reminds first, then calls a person, and decides nothing', () => {
    const tick = (record: ReturnType<typeof fresh>, ms: number) =>
      advancePackage(record, { type: 'clock_ticked' }, worldAt(ms));
    const first = tick(delivered(), HOUR);
    expect(first).toMatchObject({
      record: { state: 'delivered', reminders: 1 },
      wishes: [{ kind: 'remind', whom: 'receiver' }],
    });
    if (isRefusal(first)) throw new Error();
    expect(tick(first.record, HOUR + 1)).toMatchObject({ wishes: [] });
    expect(tick(first.record, 2 * HOUR)).toMatchObject({
      record: { state: 'delivered' },
      wishes: [{ kind: 'escalate' }],
    });
  });

  it('[package P19] a package that may expire does so, and its sender has it', () => {
    const lapsing = play(fresh({ expiresAt: NOON }), [{ type: 'clock_ticked' }]);
    expect(lapsing).toMatchObject({ state: 'expired', owner: 'sender' });
  });
});

describe('[004 Acknowledge Receipt] acknowledging', () => {
  const against = { seal: SEAL, round: 0, toCover: ['K-001', 'C-001'], report: worldAt().report };

  it('[package P17] the forms that the seed prints are one form inside', () => {
    const beside = { content: SEAL.content, coveredIds: [] };
    expect(
      normalised({ understood: { task: 'x', constraints: 'y' }, questions: [], starting: true }, beside),
    ).toMatchObject({
      level: 'full',
      task: 'x',
      starting: true,
    });
    expect(normalised({ understood: 'partial', blockers: ['b'] }, beside)).toMatchObject({
      level: 'partial',
      starting: false,
    });
  });

  it.each([
    ['all is there', FULL, 'full'],
    [
      'the task names the ids itself',
      { ...FULL, coveredIds: [], task: 'Report risks within K-001 until C-001 holds' },
      'full',
    ],
    ['another revision was read', { ...FULL, content: 'old' }, 'refused'],
    ['no restatement', { ...FULL, task: ' ' }, 'refused'],
    ['an id is not covered', { ...FULL, coveredIds: ['K-001'] }, 'refused'],
    ['it does not start', { ...FULL, starting: false }, 'refused'],
    ['full, with a question', { ...FULL, questions: ['?'] }, 'refused'],
    ['partial, with a question', PARTIAL, 'partial'],
    ['partial, with nothing', { ...PARTIAL, questions: [] }, 'refused'],
    ['partial, and starting', { ...PARTIAL, starting: true }, 'refused'],
    ['six questions', { ...PARTIAL, questions: ['1', '2', '3', '4', '5', '6'] }, 'refused'],
  ])('[package P17] %s', (_, said, kind) => {
    expect(judgeAcknowledgement(said, against).kind).toBe(kind);
  });

  it('[package P17] the ids that are missing are named', () => {
    expect(judgeAcknowledgement({ ...FULL, coveredIds: [] }, against)).toMatchObject({ missing: ['K-001', 'C-001'] });
  });

  it('[package P16] a receiver cannot say that an artifact exists against the report', () => {
    const blocked = { ...against, report: { findings: [], blocked: true, unusable: ['docs/api.md'] } };
    expect(judgeAcknowledgement(FULL, blocked)).toMatchObject({ kind: 'refused' });
  });

  it('[package P17] the same acknowledgement again changes nothing, another one is refused', () => {
    const accepted = play(delivered(), [acknowledged()]);
    expect(play(accepted, [acknowledged()])).toEqual(accepted);
    expect(outcome(accepted, acknowledged({ ...FULL, task: 'Something else' }))).toBe('package_not_possible');
  });

  it('[package P18] three rounds of questions, then a person', () => {
    let record = delivered();
    for (let round = 1; round <= 3; round++) {
      record = play(record, [acknowledged(PARTIAL)]);
      expect(record).toMatchObject({ state: 'clarifying', round, waiter: 'sender', owner: 'sender' });
      expect(outcome(record, { type: 'answered', by: 'sender', epoch: 1, answered: [], seal: SEAL })).toBe(
        'acknowledgement_incomplete',
      );
      const answered = record.questions.map(({ id }) => id);
      record = play(record, [{ type: 'answered', by: 'sender', epoch: 1, answered, seal: SEAL }]);
      expect(record).toMatchObject({ state: 'delivered', revision: round + 1 });
    }
    expect(play(record, [acknowledged(PARTIAL)])).toMatchObject({ state: 'awaiting_human', waiter: 'human' });
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
    stepDefinesDeliverable: false,
    chainIsWhole: true,
    ageMs: 0,
    staleAfterMs: HOUR,
  };
  const rules = (
    changed: Partial<PackageInput>,
    saw = {},
    type: 'delegation' | 'sequential' | 'return' = 'delegation',
  ) => receiveReport({ ...content, ...changed }, type, { ...seen, ...saw }).findings.map(({ rule }) => rule);

  it('[package P16] says what the seed asks: summary, artifacts, deliverable, constraints', () => {
    expect(rules({})).toEqual(['HP401']);
    expect(rules({ context: { summary: '[what was done]' } })).toContain('HP901');
    expect(rules({}, { artifacts: {} })).toContain('HP902');
    expect(rules({}, { artifacts: { 'docs/api.md': 'other' } })).toContain('HP902');
    expect(rules({ expectations: undefined })).toContain('HP903');
    expect(rules({}, { ageMs: 2 * HOUR })).toContain('HP905');
    expect(rules({}, { chainIsWhole: false })).toContain('HP906');
  });

  it('[package P32] tells a receiver that works elsewhere what it does not have itself, which blocks nothing', () => {
    const own = (artifacts: Record<string, string>) => ({ elsewhere: { where: '/w/con', own: artifacts } });
    expect(rules({}, own(seen.artifacts))).not.toContain('HP907');
    expect(rules({}, own({}))).toContain('HP907');
    expect(receiveReport(content, 'delegation', { ...seen, ...own({ 'docs/api.md': 'older' }) })).toMatchObject({
      blocked: false,
      unusable: [],
    });
  });

  it('[package P16] a step of the workflow may say what is expected, and a return expects nothing', () => {
    expect(rules({ expectations: undefined }, { stepDefinesDeliverable: true }, 'sequential')).not.toContain('HP903');
    expect(rules({ expectations: undefined }, {}, 'return')).not.toContain('HP903');
  });

  it('[package P17] what was written without an id has one by its place', () => {
    expect([...namedConstraints(content), ...namedCriteria(content)].map(({ id }) => id)).toEqual(['K-001', 'C-001']);
  });
});

describe('[004 Handoff to Human (Gate)] gates', () => {
  it('[package P20] an agent can never decide, whatever it calls itself', () => {
    expect(outcome(waiting(), decided({ channel: 'agent', by: 'human' }))).toBe('agents_cannot_decide');
  });

  it('[package P20] reject and question need words', () => {
    expect(outcome(waiting(), decided({ option: 'reject' }))).toBe('bad_request');
    expect(outcome(waiting(), decided({ option: 'question' }))).toBe('bad_request');
    expect(outcome(waiting(), decided({ option: 'reject', reason: 'No errors listed' }))).toBe('rejected');
  });

  it('[package P20] a question goes to the author, and the answer opens the gate again', () => {
    const asked = play(waiting(), [decided({ option: 'question', reason: 'Which API?' })]);
    expect(asked).toMatchObject({ state: 'clarifying', waiter: 'sender' });
    const answered = asked.questions.map(({ id }) => id);
    const again = play(asked, [{ type: 'answered', by: 'sender', epoch: 1, answered, seal: CHANGED }]);
    expect(again).toMatchObject({ state: 'awaiting_human', seal: CHANGED });
    expect(outcome(again, decided({ seal: SEAL }))).toBe('stale_content');
  });

  it('[package P20] item by item: it is approved when all are', () => {
    const half = play(waiting(), [decided({ items: [0] })]);
    expect(half).toMatchObject({ state: 'awaiting_human', approvedItems: [0], decision: null });
    expect(play(half, [decided({ items: [1] })])).toMatchObject({
      state: 'accepted',
      outcome: 'approved',
      owner: 'sender',
    });
    expect(play(half, [{ type: 'content_seen', seal: CHANGED }])).toMatchObject({ approvedItems: [] });
  });

  it('[package P20] the first decision stands; the second is told whose it was', () => {
    const approved = play(waiting(), [decided()]);
    expect(advancePackage(approved, decided({ by: 'Bob', option: 'reject', reason: 'no' }), worldAt())).toMatchObject({
      code: 'already_decided',
      sentence: expect.stringContaining('Ann'),
    });
  });

  it('[package P21] an approval is bound to what was seen: a change before the next step opens the gate again', () => {
    const approved = play(waiting(), [decided()]);
    expect([approvalStands(approved, SEAL), approvalStands(approved, CHANGED)]).toEqual([true, false]);
    expect(play(approved, [{ type: 'gate_passed', seal: SEAL }])).toMatchObject({
      state: 'completed',
      outcome: 'approved',
    });
    for (const type of ['gate_passed', 'content_seen'] as const)
      expect(play(approved, [{ type, seal: CHANGED }])).toMatchObject({
        state: 'awaiting_human',
        decision: null,
        outcome: null,
        approvedItems: [],
      });
  });

  it('[package P22] a timeout never approves: a blocking gate stays open, however late', () => {
    const late = play(waiting(), [{ type: 'clock_ticked' }, { type: 'clock_ticked' }], worldAt(1_000 * HOUR));
    expect(late).toMatchObject({ state: 'awaiting_human', decision: null, outcome: null, waiter: 'human' });
  });

  it('[package P22] where work went on, silence is recorded as silence', () => {
    const late = play(waiting('non_blocking'), [{ type: 'clock_ticked' }], worldAt(25 * HOUR));
    expect(late).toMatchObject({ state: 'completed', outcome: 'no_objection', decision: null });
  });

  it('[package P20] an escalation that a person takes on is theirs', () => {
    const asked = play(fresh({ type: 'escalation', to: 'human' }), [sealed(), { type: 'gate_opened' }, decided()]);
    expect(asked).toMatchObject({ state: 'accepted', owner: 'human', epoch: 2 });
  });
});

describe('[004 Return] the return stack, from the log', () => {
  const passed = (
    kind: 'delegation' | 'sequential' | 'return' | 'continuation',
    from: string,
    to: string,
    artifacts: string[] = [],
  ): ChainEvent => ({
    type: 'accepted',
    handoff: `HO-${from}-${to}`,
    kind,
    from,
    to,
    at: NOON,
    artifacts,
  });
  const wanted = (
    kind: 'delegation' | 'return' | 'sequential' | 'continuation',
    from: string,
    to: string,
    artifacts: string[] = [],
  ) => ({
    kind,
    from,
    to,
    at: NOON,
    artifacts,
  });

  it('[package P23] a delegation waits for its return; what moves on within it still returns to the first caller', () => {
    const log = [passed('delegation', 'a', 'b'), passed('sequential', 'b', 'c')];
    expect(openFrames(log)).toMatchObject([{ caller: 'a', callee: 'c', depth: 1 }]);
    expect(openFrames([...log, passed('return', 'b', 'a')])).toHaveLength(1);
    expect(openFrames([...log, passed('return', 'c', 'a')])).toEqual([]);
  });

  it('[package P23] what failed, expired or was declined waits no longer, nor what hangs on it', () => {
    const log = [passed('delegation', 'a', 'b'), passed('delegation', 'b', 'c')];
    expect(openFrames([...log, { type: 'over', handoff: 'HO-b-c' }])).toHaveLength(1);
    expect(openFrames([...log, { type: 'over', handoff: 'HO-a-b' }])).toEqual([]);
  });

  it('[package P24] depth, circles and hops are limited; back and up to a person it may always go', () => {
    const deep = [passed('delegation', 'a', 'b'), passed('delegation', 'b', 'c'), passed('delegation', 'c', 'd')];
    expect(chainLimit(deep, wanted('delegation', 'd', 'e'))).toContain('4 deep');
    expect(chainLimit(deep.slice(0, 2), wanted('delegation', 'c', 'a'))).toContain('circle');
    expect(chainLimit(deep.slice(0, 2), wanted('delegation', 'c', 'b'))).toContain('circle');
    expect(chainLimit(deep.slice(0, 2), wanted('delegation', 'c', 'd'))).toBeNull();
    const long = Array.from({ length: 20 }, (_, hop) => passed('sequential', `s${hop}`, `s${hop + 1}`));
    expect(chainLimit(long, wanted('sequential', 's20', 's21'))).toContain('20 hops');
    expect(chainLimit(deep, wanted('return', 'd', 'c'))).toBeNull();
    expect(chainLimit(long, wanted('delegation', 's20', 'human'))).toBeNull();
  });

  it('[package P24] to and fro without anything new ends after three times; a new artifact counts anew', () => {
    const round = (artifact?: string) => [
      passed('delegation', 'a', 'b', artifact === undefined ? [] : [artifact]),
      passed('return', 'b', 'a'),
    ];
    const three = [...round('x'), ...round('x'), ...round('x')];
    expect(chainLimit(three, wanted('delegation', 'a', 'b', ['x']))).toContain('to and fro');
    expect(chainLimit(three, wanted('delegation', 'a', 'b', ['y']))).toBeNull();
    expect(chainLimit(three.slice(0, 4), wanted('delegation', 'a', 'b', ['x']))).toBeNull();
  });

  it('[package P24] a persona is not continued twice within two minutes', () => {
    const log = [passed('continuation', 'p', 'p')];
    expect(chainLimit(log, wanted('continuation', 'p', 'p'))).toContain('120 s');
  });
});
