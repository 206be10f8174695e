import { describe, expect, it } from 'vitest';
import { attacksOn, costOf } from '../../prove/guard/attacks/attack-expression.mjs';
import { attackExpressions, findExpressions } from '../../prove/guard/expressions.ts';

describe('[X-2] the check for slow regular expressions', () => {
  it('the check for slow regular expressions understands every regular expression in the source', () => {
    const { expressions, problems } = findExpressions();
    expect(problems).toEqual([]);
    expect(expressions.length).toBeGreaterThan(300);
  });

  it('the check for slow regular expressions finds no text for which an expression in the source needs 50 ms or more', {
    timeout: 1_800_000,
  }, async () => {
    const { found } = await attackExpressions(findExpressions().expressions);
    expect(found).toEqual([]);
  });

  it.each([
    ['cubic', /\bworks?\s*(?:well|now)?\s*[.!]?\s*$/],
    ['quadratic, by beginning again', /[./-]+$/],
    ['quadratic, by an opening that is never closed', /<!--[\s\S]*?-->/],
    ['exponential', /^(?:a+)+$/],
    ['exponential by choices', /^(?:\w|[a-z])*!$/],
    ['quadratic before the end of a line', /^\s*(?:user|system)\s*:/gim],
    ['exponential after a reference to a group', /^(\*\*|__)\1(?:a+)+$/],
    ['exponential on a character that no probe has', /^(?:\u0e01+)+$/],
  ])('the check for slow regular expressions detects an expression that is %s', (_, expression) => {
    const { source, flags } = expression;
    const { ms } = costOf({ source, flags, everywhere: flags.includes('g'), length: 200_000 });
    expect(ms).toBeGreaterThan(20);
    expect(attacksOn(source, flags).length).toBeGreaterThan(5);
  });

  it.each([
    ['a reference by name', '(?<mark>a)\\k<mark>', ''],
    ['a reference to a group that is still open', '(a\\1)', ''],
    ['a control character', '\\cA', ''],
    ['flags inside of a group', '(?i:a)b', ''],
    ['the flag v', '[a-z]', 'v'],
    ['a class that matches no character', '[]', ''],
  ])('the check for slow regular expressions refuses an expression with %s', (_, source, flags) => {
    expect(() => attacksOn(source, flags)).toThrow('cannot read');
  });
});
