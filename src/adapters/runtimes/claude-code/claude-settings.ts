import { dirname } from 'node:path';
import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { TOOL_SERVER } from '../../../domain/packages/tools.ts';
import { isSince } from '../client-version.ts';

/**
 * The hook events, with the oldest version that was seen to accept each event (docs/decisions/0014). A client skips the
 * WHOLE settings file if it finds an event that it does not know. If a version lacks an event, Baton reads the same
 * state from the screen, but later.
 */
const EVENTS: readonly { readonly event: string; readonly since?: string }[] = [
  { event: 'SessionStart' },
  { event: 'UserPromptSubmit' },
  { event: 'PreToolUse' },
  { event: 'PostToolUse' },
  { event: 'PermissionRequest', since: '2.0.77' },
  { event: 'Stop' },
  { event: 'StopFailure', since: '2.1.88' },
  { event: 'PreCompact' },
  { event: 'PostCompact', since: '2.1.76' },
  { event: 'SessionEnd' },
  { event: 'Notification' },
];

const eventsOf = (version: string | undefined): readonly string[] =>
  EVENTS.filter(({ since }) => since === undefined || (version !== undefined && isSince(version, since))).map(
    ({ event }) => event,
  );

/**
 * Hook events that every version of the client knows. Baton adds only these to the operator's own settings, because
 * any version may read those settings.
 */
export const EVENTS_OF_ALL_VERSIONS: readonly string[] = eventsOf(undefined);

export const MATCHED_BY_TOOL: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse', 'PermissionRequest']);

/**
 * Settings for one agent, which `--settings` adds to the operator's own settings. The added settings contain no secret,
 * because hooks read their token from the environment.
 */
export function claudeSettings(
  { hookCommand, personaHandoffsPath }: LaunchContext,
  version: string | undefined,
  statusLine: object,
) {
  const hook = (event: string) => [
    {
      ...(MATCHED_BY_TOOL.has(event) ? { matcher: '*' } : {}),
      hooks: [{ type: 'command', command: hookCommand(event) }],
    },
  ];
  return {
    hooks: Object.fromEntries(eventsOf(version).map((event) => [event, hook(event)])),
    statusLine,
    permissions: permissions(personaHandoffsPath),
  };
}

/**
 * Returns the permission rules of an agent. The rules allow handoffs and packages without a question, so that no agent
 * waits while the operator is away. The skill belongs to the operator, so the client always asks before the agent
 * changes the skill.
 */
function permissions(handoffs: string | null) {
  const always = ['Bash(baton ack:*)', `mcp__${TOOL_SERVER}`];
  if (handoffs === null) return { allow: always };
  const documents = `/${patternOf(handoffs)}/**`;
  return {
    allow: [`Write(${documents})`, `Edit(${documents})`, `Read(${documents})`, ...always],
    ask: [`Edit(/${patternOf(dirname(handoffs))}/skill.md)`],
  };
}

/**
 * Escapes a path for a permission rule, because such a path is a pattern as in .gitignore. The caller puts one more
 * slash before the path, because the pattern of an absolute path begins with two slashes.
 */
const patternOf = (path: string): string => path.replace(/[\\*?[\]!#]/g, '\\$&');
