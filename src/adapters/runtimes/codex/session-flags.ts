import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { TOOL_SERVER } from '../../../domain/packages/tools.ts';
import type { Folders } from './launch-with-server.ts';

/**
 * Codex takes settings for one session as `-c KEY=TOML` arguments. Codex reads the hooks of each layer of settings
 * separately, so Baton's hooks run beside the operator's own hooks, and no file of the operator is changed.
 */

/** The hook events. A Codex that does not know an event ignores it. */
export const HOOK_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'Stop',
  'PreCompact',
  'PostCompact',
  'Interrupt',
  'SessionEnd',
] as const;

/**
 * The maximum time in seconds that Codex allows for hooks at the end of a session or at an interruption. If a hook asks
 * for more time, Codex asks the operator to review the hook.
 */
const SHORT = 3;
const LONG = 30;
const isShort = (event: string): boolean => event === 'SessionEnd' || event === 'Interrupt';

/** Codex lists the settings from its command line as if they came from a file with this path. */
const SOURCE = '/<session-flags>/config.toml';

/** Returns a text as a TOML string. A JSON string is also a TOML string. */
const text = (value: string): string => JSON.stringify(value);
const list = (values: readonly string[]): string => `[${values.map(text).join(',')}]`;

export function sessionFlags(context: LaunchContext): readonly string[] {
  const { hookCommand, projectPath, batonProgram } = context;
  const hooks = HOOK_EVENTS.map((event) => ({
    event,
    command: hookCommand(event),
    timeout: isShort(event) ? SHORT : LONG,
  }));
  const flags = [
    ...hooks.map(
      ({ event, command, timeout }) =>
        `hooks.${event}=[{hooks=[{type="command",command=${text(command)},timeout=${timeout}}]}]`,
    ),
    `hooks.state={${hooks.map((hook) => `${text(keyOf(hook))}={trusted_hash=${text(hashOf(hook))}}`).join(',')}}`,
    // Tell Codex to trust this folder, because the operator added the folder to Baton as a project.
    `projects={${text(projectPath)}={trust_level="trusted"}}`,
    `mcp_servers.${TOOL_SERVER}={command=${text(batonProgram)},args=["mcp"],env_vars=${list(TOOL_SERVER_VARIABLES)},default_tools_approval_mode="approve"}`,
  ];
  return flags.flatMap((flag) => ['-c', flag]);
}

/**
 * Returns the folders that the agent may write to in addition to its project: the folder of its handoff documents, and
 * the spool. `baton ack` writes the acknowledgment into the spool, because a sandboxed command cannot connect to Baton.
 */
export function writableFolders({ personaHandoffsPath, agentFolder }: LaunchContext, configPath: string): Folders {
  const spool = join(dirname(dirname(agentFolder)), 'spool');
  const added = personaHandoffsPath === null ? [] : [personaHandoffsPath, spool];
  return { added, all: [...ownFolders(configPath), ...added] };
}

/** Returns the operator's own `sandbox_workspace_write.writable_roots`. */
function ownFolders(configPath: string): readonly string[] {
  try {
    const config = readFileSync(configPath, 'utf8');
    const [, table = ''] = /^\[sandbox_workspace_write\]\s*$([\s\S]*?)(?=^\s*\[|(?![\s\S]))/m.exec(config) ?? [];
    const [, found = ''] = /^[ \t]*writable_roots[ \t]*=[ \t]*\[([^\][]*)\]/m.exec(table) ?? [];
    return [...found.matchAll(/"((?:\\.|[^"\\])*)"|'([^']*)'/g)].map(([, quoted, literal = '']) =>
      quoted === undefined ? literal : (JSON.parse(`"${quoted}"`) as string),
    );
  } catch {
    return [];
  }
}

/**
 * The names of the variables that the package tools need. Codex must be told these names, because on its own it passes
 * only few variables to a tool server.
 */
const TOOL_SERVER_VARIABLES = ['BATON_AGENT_ID', 'BATON_AGENT_TOKEN', 'BATON_HOME'];

interface SessionHook {
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

/**
 * Returns the hash by which Codex identifies a hook. Codex runs only trusted hooks, so Baton passes the hashes of its
 * own hooks as trusted. If a later Codex computes the hash in another way, Codex asks the operator, and Baton shows
 * this question.
 */
export function hashOf({ event, command, timeout }: SessionHook): string {
  // Keep the keys in alphabetical order, because Codex sorts the keys of a hook before it computes the hook's hash.
  const hook = { async: false, command, timeout, type: 'command' };
  const identity = JSON.stringify({ event_name: labelOf(event), hooks: [hook] });
  return `sha256:${createHash('sha256').update(identity).digest('hex')}`;
}

const keyOf = ({ event }: SessionHook): string => `${SOURCE}:${labelOf(event)}:0:0`;
const labelOf = (event: string): string => event.replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
