import { dirname } from 'node:path';
import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { TOOL_SERVER } from '../../../domain/packages/tools.ts';
import { isSince } from './client-version.ts';

/**
 * A client that meets an unknown hook name skips the WHOLE settings file, so a version gets only events that it is
 * known to have. `since` is the oldest version that was started with the event and took it (docs/decisions/0014). A
 * missing event only costs time: reconcile reads the same from the screen, later.
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

/** Events of every version: the operator's own settings are read by whichever version they start. */
export const EVENTS_OF_ALL_VERSIONS: readonly string[] = eventsOf(undefined);

export const MATCHED_BY_TOOL: ReadonlySet<string> = new Set(['PreToolUse', 'PostToolUse', 'PermissionRequest']);

/**
 * Settings that `--settings` adds to the operator's own for this one agent. They hold no secret: hooks find theirs in
 * the environment.
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
 * Handing off and passing packages on must not stop at a permission question that nobody is there to answer. The skill
 * is the operator's: changing it always asks.
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
 * A rule's path is a pattern as in .gitignore. An absolute one begins with two slashes; the path brings one of them.
 */
const patternOf = (path: string): string => path.replace(/[\\*?[\]!#]/g, '\\$&');
