import { type LintFinding, pointerOf } from './finding.ts';
import { RULES, type RuleId, type Severity } from './rules.ts';

/**
 * Returns a finding with the text that the rule suggests as a fix. If no severity is given, the finding has the rule's
 * default severity.
 */
export function found(
  rule: RuleId,
  path: readonly (string | number)[],
  message: string,
  severity: Severity = RULES[rule].weights[0],
): LintFinding {
  return { rule, severity, pointer: pointerOf(path), message, fix: RULES[rule].fix };
}
