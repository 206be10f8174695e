import type { UnreadableContent } from '../content/plain-data.ts';
import { type LintFinding, pointerOf, type SchemaProblem } from './finding.ts';
import { RULES, type RuleId, type Severity } from './rules.ts';

/**
 * Returns a finding of this rule. The finding contains the rule's advice about how to fix the problem. If no severity
 * is given, the finding has the rule's default severity.
 */
export function found(
  rule: RuleId,
  path: readonly (string | number)[],
  message: string,
  severity: Severity = RULES[rule].weights[0],
): LintFinding {
  return { rule, severity, pointer: pointerOf(path), message, fix: RULES[rule].fix };
}

/** Returns the finding HP001 for content that is not plain data. */
export function unreadable({ sentence, fix }: UnreadableContent): LintFinding {
  const finding = found('HP001', [], sentence);
  return { ...finding, fix: fix ?? finding.fix };
}

const CORRECT = 'Correct the value. See the schema: baton lint --schema';

/** Returns the finding HP002. If the problem is an unknown key, the fix says where to put the key. */
export function schemaFinding({ kind, message }: SchemaProblem, path: readonly (string | number)[]): LintFinding {
  const finding = found('HP002', path, message);
  return kind === 'unknown_key' ? finding : { ...finding, fix: kind === 'missing' ? 'Add the field.' : CORRECT };
}
