import { type LintFinding, pointerOf } from './finding.ts';
import { RULES, type RuleId } from './rules.ts';

/** A finding with the severity and the remedy of its rule. */
export function found(rule: RuleId, path: readonly (string | number)[], message: string): LintFinding {
  const { severity, fix } = RULES[rule];
  return { rule, severity, pointer: pointerOf(path), message, fix };
}
