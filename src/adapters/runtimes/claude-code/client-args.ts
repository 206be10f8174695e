import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';

/**
 * Arguments that the operator must not pass, because Baton sets them itself or because Claude Code would run without a
 * terminal.
 */
const OURS: Readonly<Record<string, string>> = {
  '--session-id': 'Baton sets the session id of every agent',
  '--resume': 'to resume a conversation, use: baton agent resume',
  '-r': 'to resume a conversation, use: baton agent resume',
  '--continue': 'to resume a conversation, use: baton agent resume',
  '-c': 'to resume a conversation, use: baton agent resume',
  '--settings': 'Baton passes its own settings; put your settings into .claude/settings.local.json',
  '--mcp-config': 'Baton passes its own MCP server; put your servers into .mcp.json',
  '--print': 'an agent runs interactively in its terminal',
  '-p': 'an agent runs interactively in its terminal',
};

/**
 * Returns a sentence that says why Baton does not allow some of these arguments; undefined if all of them are allowed.
 */
export function refuseArgs(args: readonly string[]): string | undefined {
  const found = args.find((arg) => Object.hasOwn(OURS, arg.split('=')[0] ?? ''));
  return found === undefined
    ? undefined
    : `"${found}" cannot be passed to Claude Code here: ${OURS[found.split('=')[0] ?? '']}`;
}

const KEPT: ReadonlySet<string> = new Set(['plan', 'acceptEdits']);

/**
 * Returns the arguments that set the permission mode in which the predecessor ended. The caller puts these arguments
 * after the operator's own arguments, which name only the mode of the first start.
 */
export function permissionMode({ permissionMode: mode, clientArgs }: LaunchContext): readonly string[] {
  if (mode === null) return [];
  const isNamed = clientArgs.some((arg) => arg.startsWith('--permission-mode'));
  return KEPT.has(mode) || (mode === 'default' && isNamed) ? ['--permission-mode', mode] : [];
}
