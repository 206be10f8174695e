import { dirname } from 'node:path';
import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { SESSION_HOOK_EVENTS } from '../session-hooks.ts';

/**
 * A client that meets a hook name it does not know skips the WHOLE settings file, so a version gets only events it is
 * known to have. Newest first; the first entry whose version is not above the client's counts.
 */
const EVENTS_SINCE: readonly { readonly since: string; readonly events: readonly string[] }[] = [
  { since: '0', events: [...SESSION_HOOK_EVENTS, 'Notification'] },
];

const MATCHED_BY_TOOL = new Set(['PreToolUse', 'PostToolUse', 'PermissionRequest']);

/** What `--settings` adds to the operator's own settings for this one agent. It holds no secret: hooks find theirs in the environment. */
export function claudeSettings({ hookCommand, personaHandoffsPath }: LaunchContext) {
  const hook = (event: string) => [
    {
      ...(MATCHED_BY_TOOL.has(event) ? { matcher: '*' } : {}),
      hooks: [{ type: 'command', command: hookCommand(event) }],
    },
  ];
  const events = EVENTS_SINCE[0]?.events ?? [];
  return {
    hooks: Object.fromEntries(events.map((event) => [event, hook(event)])),
    statusLine: { type: 'command', command: hookCommand('StatusLine') },
    permissions: permissions(personaHandoffsPath),
  };
}

/** Handing over must not stop at a question nobody is there to answer. The skill itself is the operator's: changing it always asks. */
function permissions(handoffs: string | null) {
  const acknowledge = 'Bash(baton ack:*)';
  if (handoffs === null) return { allow: [acknowledge] };
  const documents = `/${patternOf(handoffs)}/**`;
  return {
    allow: [`Write(${documents})`, `Edit(${documents})`, `Read(${documents})`, acknowledge],
    ask: [`Edit(/${patternOf(dirname(handoffs))}/skill.md)`],
  };
}

/** A rule's path is a pattern as in .gitignore; an absolute one begins with two slashes, of which the path brings one. */
const patternOf = (path: string): string => path.replace(/[\\*?[\]!#]/g, '\\$&');
