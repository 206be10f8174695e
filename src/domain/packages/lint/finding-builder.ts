import { type LintFinding, pointerOf } from './finding.ts';
import { RULES, type RuleId, type Severity } from './rules.ts';

/** A finding with the remedy of its rule, and its usual weight unless another of the rule's weights is given. */
export function found(
  rule: RuleId,
  path: readonly (string | number)[],
  message: string,
  severity: Severity = RULES[rule].weights[0],
): LintFinding {
  return { rule, severity, pointer: pointerOf(path), message, fix: RULES[rule].fix };
}
