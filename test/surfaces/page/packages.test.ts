import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { asYaml } from '../../../src/contract/packages/as-yaml.ts';
import { NO_FIELDS } from '../../../src/contract/packages/new-package.ts';
import type { PackageInput } from '../../../src/contract/packages/package.ts';
import type { PackageDetail, PackageFinding } from '../../../src/contract/packages/package-resources.ts';
import type { Agent, Event } from '../../../src/contract/resources.ts';
import { stateLook } from '../../../src/contract/words/package-state-words.ts';
import { eventSentence } from '../../../src/surfaces/http/inbox/event-sentence.ts';
import { packagesWaiting } from '../../../src/surfaces/page/agents/packages-waiting.ts';
import { calledBy } from '../../../src/surfaces/page/api/party-names.ts';
import {
  isNothing,
  NOTHING_CHANGED,
  whatChanged as whatChangedBy,
} from '../../../src/surfaces/page/live/what-changed.ts';
import { placeFindings, placesIn } from '../../../src/surfaces/page/packages/content/findings-in-place.ts';
import {
  buttonWords,
  chosenAnew,
  type DecisionDraft,
  NOTHING_CHOSEN,
  validateDraft,
  whatChanged,
} from '../../../src/surfaces/page/packages/decide/decision-draft.ts';
import { personActions } from '../../../src/surfaces/page/packages/decide/person-actions.ts';
import { layOutChain } from '../../../src/surfaces/page/packages/lay-out-chain.ts';
import { fieldsToCorrect, findingsInForm } from '../../../src/surfaces/page/packages/new/form-findings.ts';
import { artifactLook, waiterInWords } from '../../../src/surfaces/page/packages/package-words.ts';
import { delegation, gatePackage } from '../http/packages/package-scene.ts';

const finding = (pointer: string, rule = 'HP000'): PackageFinding => ({
  rule,
  severity: 'warning',
  pointer,
  message: '',
  fix: '',
});

describe('lint findings on the page', () => {
  const places = placesIn(delegation() as PackageInput);
  const placed = (pointer: string): string => {
    const found = placeFindings([finding(pointer)], places);
    return [...places].find((place) => found.at(place).length > 0) ?? 'elsewhere';
  };

  it.each([
    ['/handoff/context/summary', '/context/summary'],
    ['/context/summary', '/context/summary'],
    ['/handoff/context/artifacts/0/path', '/context/artifacts/0'],
    ['/handoff/context/artifacts/7', '/context/artifacts'],
    ['/handoff/context/decisions', '/context/decisions'],
    ['/handoff/expectations/success_criteria/0', '/expectations/success_criteria/0'],
    ['/handoff/expectations/constraints/0/text', '/expectations/constraints/0'],
    ['/handoff/context/summary~1x', 'elsewhere'],
    ['/handoff/context/summaryx', 'elsewhere'],
    ['/handoff/context', 'elsewhere'],
    ['/handoff/timestamp', 'elsewhere'],
    ['/handoff/gate', 'elsewhere'],
    ['/handoff', 'elsewhere'],
    ['', 'elsewhere'],
  ])('[package P12] the page shows a lint finding with the pointer "%s" at the place "%s"', (pointer, place) => {
    expect(placed(pointer)).toBe(place);
  });

  it('the page shows each lint finding exactly once', () => {
    const part = fc.oneof(
      fc.constantFrom('handoff', 'context', 'summary', 'artifacts', 'expectations', '0', '1', '', '__proto__'),
      fc.string({ maxLength: 5 }),
    );
    const pointer = fc.array(part, { maxLength: 5 }).map((parts) => parts.map((each) => `/${each}`).join(''));
    fc.assert(
      fc.property(fc.array(pointer), (pointers) => {
        const { at, elsewhere } = placeFindings(
          pointers.map((each) => finding(each)),
          places,
        );
        const shown = [...places].reduce((sum, place) => sum + at(place).length, 0) + elsewhere.length;
        expect(shown).toBe(pointers.length);
      }),
    );
  });

  it("the page shows a lint finding about a gate's deadline at the gate", () => {
    const found = placeFindings([finding('/handoff/gate/deadline')], placesIn(gatePackage() as PackageInput));
    expect(found.at('/gate')).toHaveLength(1);
  });
});

describe('findings about the form for a new package', () => {
  it('an empty field has one finding in plain words, errors come first, and no finding names a command or YAML', () => {
    const about = (pointer: string, severity: PackageFinding['severity'], given: Partial<PackageFinding> = {}) => ({
      ...finding(`/handoff/${pointer}`),
      ...{ severity, message: 'Said.', fix: 'Write `to: { agent: NAME }`.', line: 3, ...given },
    });
    const findings = [
      about('context/artifacts', 'warning', { fix: 'Add the file.' }),
      about('context/summary', 'warning'),
      about('to/agent', 'error'),
      about('context/summary', 'error'),
      about('to/agent', 'warning'),
      about('expectations/deliverable', 'error', { fix: 'See the schema: baton lint --schema' }),
    ];
    const fields = { ...NO_FIELDS, summary: ' ', deliverable: 'TBD' };
    expect(findingsInForm(findings, fields).map(({ severity, message, fix }) => [severity, message, fix])).toEqual([
      ['error', 'To: Choose a receiver.', ''],
      ['error', 'What the agent should know: Fill in this field.', ''],
      ['error', 'Expected result: Said.', ''],
      ['warning', 'Files: Said.', 'Add the file.'],
    ]);
    expect([...fieldsToCorrect(findings, fields, { ...fields, to: 'Ann' })]).toEqual(['summary', 'deliverable']);
  });
});

describe('the form for a decision', () => {
  const about = { gate: { kind: 'blocking', items: ['one', 'two'], approved: [] as number[] }, seen: 'a'.repeat(64) };
  const draft = (given: Partial<DecisionDraft>): DecisionDraft => ({ ...NOTHING_CHOSEN, ...given });

  it('[package P20] until the person chooses an option, a decision is incomplete', () => {
    expect(NOTHING_CHOSEN).toMatchObject({ option: null, items: [] });
    expect(validateDraft(NOTHING_CHOSEN, about)).toMatchObject({ kind: 'unfinished', field: 'option' });
    expect(validateDraft(draft({ reason: 'fine' }), about)).toMatchObject({ kind: 'unfinished', field: 'option' });
    expect(validateDraft(draft({ option: 'approve' }), about)).toMatchObject({ kind: 'unfinished', field: 'items' });
  });

  it('if a gate has only one open item, an approval approves this item even if the item is not ticked', () => {
    for (const gate of [
      { kind: 'blocking', items: ['one'], approved: [] },
      { kind: 'blocking', items: ['zero', 'one'], approved: [1] },
    ])
      expect(validateDraft(draft({ option: 'approve' }), { ...about, gate })).toEqual({
        kind: 'ready',
        body: { option: 'approve', seen: about.seen, items: [0] },
      });
  });

  it('[package P20] a rejection and a question need a reason', () => {
    for (const option of ['reject', 'question'] as const) {
      expect(validateDraft(draft({ option, reason: ' \n' }), about)).toMatchObject({ field: 'reason' });
      expect(validateDraft(draft({ option, reason: ' so ', items: [0] }), about)).toEqual({
        kind: 'ready',
        body: { option, reason: 'so', seen: about.seen },
      });
    }
  });

  it('a decision that is sent contains the newly ticked items, the conditions and the content that the person saw', () => {
    const given = draft({ option: 'approve', items: [0, 1], conditions: ' only 15 minutes \n\n' });
    expect(validateDraft(given, { ...about, gate: { ...about.gate, approved: [0] } })).toEqual({
      kind: 'ready',
      body: { option: 'approve', seen: about.seen, items: [1], conditions: ['only 15 minutes'] },
    });
    expect(validateDraft(draft({ option: 'approve' }), { gate: null, seen: about.seen })).toEqual({
      kind: 'ready',
      body: { option: 'approve', seen: about.seen },
    });
  });

  it('[004 Escalation (Human)] an approval of an escalation with a pending decision needs a choice or a comment', () => {
    const asks = { gate: null, seen: about.seen, asksChoice: true };
    expect(validateDraft(draft({ option: 'approve', choice: ' ' }), asks)).toMatchObject({ field: 'choice' });
    for (const said of [{ choice: 'A' }, { reason: 'A, for time' }])
      expect(validateDraft(draft({ option: 'approve', ...said }), asks).kind).toBe('ready');
    expect(validateDraft(draft({ option: 'reject', reason: 'Neither' }), asks).kind).toBe('ready');
  });

  it('the button of the decision form names the decision', () => {
    expect(buttonWords(NOTHING_CHOSEN, about)).toBe('Send decision');
    expect(buttonWords(draft({ option: 'approve', items: [1] }), about)).toBe('Approve 1 of 2 items');
    expect(buttonWords(draft({ option: 'approve', items: [0, 1] }), about)).toBe('Approve package');
  });

  it('[package P21] if the content of a package changes, the decision form clears the option and the ticked items, but keeps its texts', () => {
    expect(chosenAnew({ option: 'approve', items: [0], reason: 'r', choice: 'B', conditions: 'c' })).toEqual({
      option: null,
      items: [],
      reason: 'r',
      choice: 'B',
      conditions: 'c',
    });
    const before = { revision: 1, artifacts: { a: '1', b: '2' } } as unknown as PackageDetail;
    const now = { revision: 2, artifacts: { a: '1', b: 'missing' } } as unknown as PackageDetail;
    expect(whatChanged(before, now)).toEqual(['new revision: 2', 'b has changed']);
  });
});

describe('the actions of a person on a package', () => {
  const of = (given: Partial<PackageDetail>) =>
    personActions({
      ...{ type: 'delegation', state: 'pending', over: false, waiter: 'receiver', from: 'con', superseded_by: null },
      ...given,
    });

  it('the actions that a person can take depend on the state of the package', () => {
    expect(of({})).toEqual(['cancel']);
    expect(of({ waiter: 'human' })).toEqual(['decide', 'cancel']);
    expect(of({ state: 'clarifying', waiter: 'sender' })).toEqual(['answer', 'cancel']);
    expect(of({ state: 'draft', waiter: 'sender' })).toEqual(['cancel']);
    expect(of({ state: 'draft', waiter: 'sender', from: 'human' })).toEqual(['seal', 'cancel']);
    expect(of({ state: 'accepted' })).toEqual(['fail', 'cancel']);
    expect(of({ state: 'completed', over: true })).toEqual([]);
    expect(of({ state: 'cancelled', over: true })).toEqual(['restore']);
    expect(of({ state: 'cancelled', over: true, superseded_by: 'HO-2026-009' })).toEqual([]);
  });
});

describe('the labels of a package', () => {
  it('the label of a package says who must act next', () => {
    const row = { from: 'con', to: 'human', waiter: 'human' } as const;
    const called = calledBy([{ slug: 'reviewer-ann-2', name: 'Ann' }]);
    expect(waiterInWords(row, called)).toBe('you');
    expect(waiterInWords({ ...row, to: 'reviewer-ann-2', waiter: 'receiver' }, called)).toBe('Ann (receiver)');
    expect(stateLook('constructor')).toEqual({ word: 'constructor', tone: 'grey' });
    expect(artifactLook('missing', 'deleted').tone).toBe('green');
    expect(artifactLook('missing', 'created').tone).toBe('red');
  });
});

describe('the name of a party of a package on the page', () => {
  it.each([
    ['human', 'you'],
    ['orchestrator', 'you'],
    ['agent-7', 'agent 7'],
    ['developer-con-1', 'Con'],
    ['reviewer', 'reviewer'],
    ['developer-ann-2', 'Ann (developer-ann-2)'],
  ])('the party %s of a package is called "%s" on the page', (name, shown) => {
    const personas = [
      { slug: 'developer-con-1', name: 'Con' },
      { slug: 'developer-ann-2', name: 'Ann' },
      { slug: 'reviewer-ann-3', name: 'Ann' },
    ];
    expect(calledBy(personas)(name)).toBe(shown);
  });
});

describe('the number of packages that wait for an agent', () => {
  it("[D15] the number of an agent's waiting packages includes packages to and from the agent", () => {
    const row = (state: string, waiter: string | null, from = 'con', to = 'ann') =>
      ({ state, waiter, from, to, project_id: 1 }) as unknown as PackageDetail;
    const count = packagesWaiting([
      row('pending', 'receiver'),
      row('accepted', 'receiver'),
      row('clarifying', 'sender'),
      row('clarifying', 'orchestrator'),
      row('pending', 'human', 'ann', 'human'),
      // Only the operator can decide this gate package, so it does not count as waiting for its receiver.
      row('pending', 'human', 'con', 'ann'),
      row('pending', 'receiver', 'con', 'agent-7'),
    ]);
    const persona = (slug: string) => ({ slug }) as Agent['persona'];
    const taker = { project: { id: 1, name: 'shop', path: '/shop' }, adopted: false };
    expect(count({ ...taker, id: 7, persona: persona('ann') })).toBe(3);
    expect(count({ ...taker, id: 8, persona: persona('con') })).toBe(1);
    expect(count({ ...taker, id: 9, persona: null })).toBe(0);
    // [D15] The page must not count a persona's packages for an agent that works in another project, or for an adopted
    // session, even if the agent has this persona.
    expect(count({ ...taker, id: 10, persona: persona('ann'), project: { ...taker.project, id: 2 } })).toBe(0);
    expect(count({ ...taker, id: 11, persona: persona('ann'), adopted: true })).toBe(0);
  });
});

describe('a chain of packages on the page', () => {
  const row = (id: string, lineage: object) =>
    ({ id, lineage: { parent: null, supersedes: null, returns_for: null, ...lineage } }) as unknown as Parameters<
      typeof layOutChain
    >[0][number];
  const shape = (rows: Parameters<typeof layOutChain>[0]) =>
    layOutChain(rows).map(({ row: { id }, depth, ties }) => [
      id,
      depth,
      ties.map((tie) => `${tie.word} ${tie.id}`).join(),
    ]);

  it('the page shows each package of a chain below the package that it follows', () => {
    expect(
      shape([
        row('1', {}),
        row('2', { parent: '1' }),
        row('3', { parent: '1', supersedes: '1' }),
        row('4', { parent: '2', returns_for: '2' }),
        row('5', { parent: 'gone' }),
      ]),
    ).toEqual([
      ['1', 0, ''],
      ['2', 1, ''],
      ['4', 2, 'returns for 2'],
      ['3', 1, 'replaces 1'],
      ['5', 0, ''],
    ]);
  });

  it('each package of a chain with a cycle is shown once', () => {
    expect(shape([row('1', { parent: '2' }), row('2', { parent: '1' }), row('3', { parent: '3' })])).toHaveLength(3);
  });
});

describe('the events of packages', () => {
  const event = (type: string, data: Event['data'] = {}): Event => ({
    seq: 1,
    at: '2026-01-01T00:00:00.000Z',
    type,
    agent_id: 3,
    run_id: null,
    by: null,
    sentence: '',
    kind: null,
    bad_news: false,
    data: { packageId: 'HO-2026-001', ...data },
  });

  it.each([
    [
      'package_decided',
      { fact: { option: 'reject', by: 'operator', channel: 'page', reason: 'too long' } },
      'HO-2026-001 was rejected by operator (page): “too long”',
    ],
    [
      'package_acknowledged',
      { fact: { acknowledgement: { level: 'full', task: 'Look' } } },
      'HO-2026-001 was accepted: “Look”',
    ],
    [
      'package_acknowledged',
      { fact: { acknowledgement: { level: 'partial', questions: ['Which?'], blockers: [] } } },
      'The receiver asked 1 question about HO-2026-001: “Which?”',
    ],
    ['package_cancelled', { fact: { by: 'operator' } }, 'HO-2026-001 was canceled by a person'],
    ['package_read', {}, 'HO-2026-001 was read by Agent 3'],
  ])('the event %s is shown as a sentence', (type, data, sentence) => {
    expect(eventSentence(event(type, data))).toBe(sentence);
  });

  it('if several new events concern one package, the page reloads the package only once', () => {
    const other = { ...event('inbox_opened'), agent_id: null };
    const changed = whatChangedBy(NOTHING_CHANGED, [event('package_read'), event('package_decided'), other]);
    expect([...changed.packages]).toEqual(['HO-2026-001']);
    expect([changed.inbox, isNothing(changed)]).toEqual([true, false]);
  });
});

describe('a package as YAML', () => {
  it('writing a package as YAML and parsing the YAML gives the same value', () => {
    const plain = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(plain, (value) => {
        expect(parse(asYaml(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 1_000 },
    );
    for (const text of [
      'a: b',
      '- x',
      '# x',
      'yes',
      '1',
      '',
      ' ',
      'x #y',
      '[1]',
      '\u202e',
      'null',
      '0x1f',
      '~',
      '1e3',
      'a\tb',
    ])
      expect(parse(asYaml({ text, [text]: [text, { text }] }))).toEqual({ text, [text]: [text, { text }] });
    expect(asYaml(delegation())).toContain('summary: "API architecture defined in docs/api.md: 12 endpoints');
  });
});
