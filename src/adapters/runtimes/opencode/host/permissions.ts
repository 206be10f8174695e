import { dirname, join, relative } from 'node:path';
import type { Settings } from './settings.ts';

interface Rule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: 'allow' | 'ask';
}

/**
 * Returns the permission rules for one session, which come after the operator's own rules. Handoffs and packages need
 * no permission, so they do not wait while the operator is away. The skill belongs to the operator, so the client asks
 * before the agent changes the skill.
 */
export function permissionRules(
  { handoffs, tools }: Pick<Settings, 'handoffs' | 'tools'>,
  worktree: string,
): readonly Rule[] {
  const always: Rule[] = [
    { permission: 'bash', pattern: 'baton ack *', action: 'allow' },
    { permission: `${tools.name}_*`, pattern: '*', action: 'allow' },
  ];
  if (handoffs === null) return always;
  const documents = [join(handoffs, '*'), join(relative(worktree, handoffs), '*')];
  const skill = relative(worktree, join(dirname(handoffs), 'skill.md'));
  return [
    { permission: 'external_directory', pattern: join(handoffs, '*'), action: 'allow' },
    ...documents.flatMap((pattern): Rule[] => [
      { permission: 'edit', pattern, action: 'allow' },
      { permission: 'read', pattern, action: 'allow' },
    ]),
    { permission: 'edit', pattern: skill, action: 'ask' },
    ...always,
  ];
}
