import { describe, expect, it } from 'vitest';
import { contextTiers } from '../../../src/surfaces/page/settings/context-tiers.ts';
import { placeholderProblems } from '../../../src/surfaces/page/settings/placeholders-in.ts';

const names = (handoffAt: number) => contextTiers(handoffAt).map(({ name, from, to }) => `${name} ${from}-${to}`);

describe('the levels of context use', () => {
  it('on the settings page, the last level of context use begins at the handoff threshold', () => {
    expect(names(80)).toEqual(['fine 0-65', 'warn 65-75', 'high 75-80', 'handoff 80-100']);
    expect(names(100)).toEqual(['fine 0-65', 'warn 65-75', 'high 75-100', 'handoff 100-100']);
  });

  it('if the handoff threshold is low, the settings page omits each lower level of context use that would begin at the threshold or above', () => {
    expect(names(70)).toEqual(['fine 0-65', 'warn 65-70', 'handoff 70-100']);
    expect(names(65)).toEqual(['fine 0-65', 'handoff 65-100']);
    expect(names(10)).toEqual(['fine 0-10', 'handoff 10-100']);
  });
});

describe('the placeholders of a template', () => {
  const known = [
    { name: 'path', required: true },
    { name: 'note', required: false },
  ];

  it('for a template, missing and unknown placeholders are reported', () => {
    expect(placeholderProblems('{{ note }} {{nope}}', known)).toEqual(['Missing: {{path}}.', 'Unknown: {{nope}}.']);
  });

  it('a valid template has no problem with placeholders', () => {
    expect(placeholderProblems('Read {{path}}.', known)).toEqual([]);
  });
});
