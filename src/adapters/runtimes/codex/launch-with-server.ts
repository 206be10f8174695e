import { join } from 'node:path';
import type { LaunchContext } from '../../../app/ports/agent-runtime.ts';
import { LAUNCH_SCRIPT_EXITS } from '../../../domain/agents/program-end.ts';
import { shellQuote } from '../../../domain/shell-quote.ts';

const SCRIPT = 'codex.sh';

/**
 * Returns the path of the socket of the agent's own Codex server. The socket is in the agent's folder, which only the
 * owner of Baton's home can enter.
 */
export const socketPath = (agentFolder: string): string => join(agentFolder, 'codex.sock');
export const scriptPath = (agentFolder: string): string => join(agentFolder, SCRIPT);

/**
 * The maximum length of the socket's path. If the path is longer, Codex runs without a server, and Baton relies on the
 * hooks, the rollout and the pane instead.
 */
const MAX_SOCKET_PATH = 100;

export interface Folders {
  /** Folders that the agent may write to, in addition to its project. */
  readonly added: readonly string[];
  /**
   * All folders that the agent may write to in addition to its project: those that Baton adds, and those in the
   * operator's own settings. A flag for the Codex server must list all of these folders, because the flag replaces the
   * operator's list.
   */
  readonly all: readonly string[];
}

/**
 * Returns the script that starts the agent's own Codex server and, as its client, the terminal program. The script
 * restarts a server that dies. If no server can be started, Codex runs without one. A watcher ends the server when the
 * script ends.
 */
export function launchFiles({ agentFolder, projectPath }: LaunchContext, { added, all }: Folders) {
  const words = (...each: readonly string[]): string => each.map(shellQuote).join(' ');
  const socket = socketPath(agentFolder);
  const roots = words('-c', `sandbox_workspace_write.writable_roots=${JSON.stringify(all)}`);
  const script = [
    '#!/bin/sh',
    '# Starts the server of this agent and its terminal program. Baton writes this file whenever it starts the agent.',
    'codex=$1 session=$2 loop=',
    'shift 2',
    `command -v "$codex" >/dev/null || { printf 'the program %s does not exist or cannot be run\\n' "$codex" >&2; exit ${LAUNCH_SCRIPT_EXITS.noProgram}; }`,
    `socket=${words(socket)} life=${words(join(agentFolder, 'codex.life'))} log=${words(join(agentFolder, 'codex-server.log'))}`,
    'rm -f "$socket" "$life"',
    'serve() {',
    `  trap 'kill "$server"; ( sleep 3; kill -9 "$server" ) & wait "$server"; exit' TERM`,
    "  trap '' HUP INT",
    '  while :; do',
    `    "$codex" "$@" ${roots} app-server --listen "unix://$socket" </dev/null >"$log" 2>&1 &`,
    '    server=$!',
    '    wait "$server"',
    '    sleep 1',
    '    rm -f "$socket"',
    '  done',
    '}',
    `if [ ${socket.length} -le ${MAX_SOCKET_PATH} ] && mkfifo -m 600 "$life" 2>/dev/null; then`,
    '  serve "$@" >/dev/null 2>&1 &',
    '  loop=$!',
    `  ( trap '' HUP INT TERM; read -r _ <"$life"; kill "$loop"; rm -f "$life" "$socket" ) >/dev/null 2>&1 &`,
    '  exec 9>"$life"',
    '  waited=0',
    '  while [ ! -S "$socket" ] && [ "$waited" -lt 100 ]; do sleep 0.1; waited=$((waited + 1)); done',
    'fi',
    '[ -n "$session" ] && set -- resume "$session" "$@"',
    'if [ -S "$socket" ]; then',
    `  "$codex" "$@" --remote "unix://$socket" -C ${words(projectPath)} 9>&-`,
    'else',
    `  "$codex" "$@" ${words(...added.flatMap((folder) => ['--add-dir', folder]))} 9>&-`,
    'fi',
    'code=$?',
    '# End the server first: its process must not write the conversation when Baton resumes it.',
    'exec 9>&-',
    '[ -z "$loop" ] || wait "$loop"',
    'exit "$code"',
    '',
  ].join('\n');
  return { [SCRIPT]: script };
}
