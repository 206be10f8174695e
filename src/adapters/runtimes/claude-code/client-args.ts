import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';

/** Arguments that Baton sets itself, and arguments that make Claude Code run without a terminal. */
const OURS: Readonly<Record<string, string>> = {
  '--session-id': 'Baton gives every agent a session of its own',
  '--resume': 'a conversation goes on with: baton agent resume',
  '-r': 'a conversation goes on with: baton agent resume',
  '--continue': 'a conversation goes on with: baton agent resume',
  '-c': 'a conversation goes on with: baton agent resume',
  '--settings': 'Baton adds settings of its own; put yours into .claude/settings.local.json',
  '--mcp-config': 'Baton adds a server of its own; put yours into .mcp.json',
  '--print': 'an agent is talked to in its terminal',
  '-p': 'an agent is talked to in its terminal',
};

/** Says in one sentence why these arguments cannot be given to the client; undefined if they can. */
export function refuseArgs(args: readonly string[]): string | undefined {
  const found = args.find((arg) => Object.hasOwn(OURS, arg.split('=')[0] ?? ''));
  return found === undefined
    ? undefined
    : `"${found}" cannot be given to Claude Code here: ${OURS[found.split('=')[0] ?? '']}`;
}

const KEPT: ReadonlySet<string> = new Set(['plan', 'acceptEdits']);

/**
 * The predecessor's last permission mode. It comes after the operator's own arguments, which name only the first one.
 */
export function permissionMode({ permissionMode: mode, clientArgs }: LaunchContext): readonly string[] {
  if (mode === null) return [];
  const isNamed = clientArgs.some((arg) => arg.startsWith('--permission-mode'));
  return KEPT.has(mode) || (mode === 'default' && isNamed) ? ['--permission-mode', mode] : [];
}
