import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { PackageInput } from '../../../src/contract/package.ts';
import type { PackageDetail, PackageFinding } from '../../../src/contract/package-resources.ts';
import { asYaml } from '../../../src/surfaces/page/packages/as-yaml.ts';
import {
  buttonWords,
  chosenAnew,
  type DecisionDraft,
  judgeDraft,
  NOTHING_CHOSEN,
  whatChanged,
} from '../../../src/surfaces/page/packages/decision-draft.ts';
import { placeFindings, placesIn } from '../../../src/surfaces/page/packages/findings-in-place.ts';
import { artifactLook, stateLook, waiterInWords } from '../../../src/surfaces/page/packages/package-words.ts';
import { personActions } from '../../../src/surfaces/page/packages/person-actions.ts';
import { delegation, gatePackage } from '../http/package-scene.ts';

const finding = (pointer: string, rule = 'HP000'): PackageFinding => ({
  rule,
  severity: 'warning',
  pointer,
  message: '',
  fix: '',
});

describe('findings of the lint', () => {
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
  ])('[package P12] that point to %s stand at %s', (pointer, place) => {
    expect(placed(pointer)).toBe(place);
  });

  it('stand in one place each, whatever their pointers are: none is lost', () => {
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

  it('about a gate stand at it where there is one', () => {
    const found = placeFindings([finding('/handoff/gate/deadline')], placesIn(gatePackage() as PackageInput));
    expect(found.at('/gate')).toHaveLength(1);
  });
});

describe('the decision of a person', () => {
  const about = { gate: { kind: 'blocking', items: ['one', 'two'], approved: [] as number[] }, seen: 'a'.repeat(64) };
  const draft = (given: Partial<DecisionDraft>): DecisionDraft => ({ ...NOTHING_CHOSEN, ...given });

  it('[package P20] is nothing until something is chosen, and approves no point that was not ticked', () => {
    expect(NOTHING_CHOSEN).toMatchObject({ option: null, items: [] });
    expect(judgeDraft(NOTHING_CHOSEN, about)).toMatchObject({ kind: 'unfinished', field: 'option' });
    expect(judgeDraft(draft({ reason: 'fine' }), about)).toMatchObject({ kind: 'unfinished', field: 'option' });
    expect(judgeDraft(draft({ option: 'approve' }), about)).toMatchObject({ kind: 'unfinished', field: 'items' });
  });

  it('[package P20] needs words to reject and to ask', () => {
    for (const option of ['reject', 'question'] as const) {
      expect(judgeDraft(draft({ option, reason: ' \n' }), about)).toMatchObject({ field: 'reason' });
      expect(judgeDraft(draft({ option, reason: ' so ', items: [0] }), about)).toEqual({
        kind: 'ready',
        body: { option, reason: 'so', seen: about.seen },
      });
    }
  });

  it('names the ticked points that are still open, the conditions and what was seen', () => {
    const given = draft({ option: 'approve', items: [0, 1], conditions: ' only 15 minutes \n\n' });
    expect(judgeDraft(given, { ...about, gate: { ...about.gate, approved: [0] } })).toEqual({
      kind: 'ready',
      body: { option: 'approve', seen: about.seen, items: [1], conditions: ['only 15 minutes'] },
    });
    expect(judgeDraft(draft({ option: 'approve' }), { gate: null, seen: about.seen })).toEqual({
      kind: 'ready',
      body: { option: 'approve', seen: about.seen },
    });
  });

  it('says on its button what it does', () => {
    expect(buttonWords(NOTHING_CHOSEN, about)).toBe('Send the decision');
    expect(buttonWords(draft({ option: 'approve', items: [1] }), about)).toBe('Approve 1 of 2 points');
    expect(buttonWords(draft({ option: 'approve', items: [0, 1] }), about)).toBe('Approve');
  });

  it('[package P21] is taken back when what it is about has changed; its words are kept', () => {
    expect(chosenAnew({ option: 'approve', items: [0], reason: 'r', conditions: 'c' })).toEqual({
      option: null,
      items: [],
      reason: 'r',
      conditions: 'c',
    });
    const before = { revision: 1, artifacts: { a: '1', b: '2' } } as unknown as PackageDetail;
    const now = { revision: 2, artifacts: { a: '1', b: 'missing' } } as unknown as PackageDetail;
    expect(whatChanged(before, now)).toEqual(['it is revision 2 now', 'b has changed']);
  });
});

describe('what a person can do', () => {
  const of = (given: Partial<PackageDetail>) =>
    personActions({
      state: 'delivered',
      over: false,
      owner: 'sender',
      from: 'con',
      gate: null,
      type: 'delegation',
      ...given,
    });

  it('follows from the state and the owner', () => {
    expect(of({})).toEqual(['cancel']);
    expect(of({ state: 'awaiting_human' })).toEqual(['decide', 'cancel']);
    expect(of({ state: 'clarifying' })).toEqual(['answer', 'cancel']);
    expect(of({ state: 'draft' })).toEqual(['cancel']);
    expect(of({ state: 'draft', from: 'human' })).toEqual(['seal', 'cancel']);
    expect(of({ state: 'accepted', owner: 'receiver' })).toEqual(['cancel']);
    expect(of({ state: 'accepted', owner: 'human' })).toEqual(['complete', 'fail', 'cancel']);
    const gate = { kind: 'blocking', items: ['x'], approved: [0] };
    expect(of({ state: 'accepted', gate })).toEqual(['cancel']);
    expect(of({ state: 'accepted', gate, owner: 'orchestrator' })).toEqual(['pass', 'cancel']);
    expect(of({ state: 'completed', over: true })).toEqual([]);
  });
});

describe('the words', () => {
  it('say who must act, also for a state that this page does not know', () => {
    const row = { from: 'con', to: 'human', waiter: 'human', state: 'awaiting_human' } as const;
    expect(waiterInWords(row)).toBe('a person');
    expect(waiterInWords({ ...row, to: 'ann', waiter: 'orchestrator', state: 'pending' })).toBe('Baton, to tell ann');
    expect(stateLook('constructor')).toEqual({ word: 'constructor', tone: 'grey' });
    expect(artifactLook('missing', 'deleted').tone).toBe('green');
    expect(artifactLook('missing', 'created').tone).toBe('red');
  });
});

describe('a package as YAML', () => {
  it('is read again as what it was, whatever stands in it', () => {
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
