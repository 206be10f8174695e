import { shellQuote } from '../../domain/shell-quote.ts';
import { ORDER } from './hook-script.ts';

/**
 * Maximum number of waiting reports of external sessions. At the limit, a new report replaces the oldest. So these
 * reports never use up the space for agents' hooks.
 */
const MAX_WAITING = 200;
/** The agent number in a spool file's name that stands for a session without an agent. */
export const NO_AGENT = 0;
/**
 * Maximum size of a report file. A report contains paths of up to 4096 bytes, and JSON may need six bytes for each byte
 * of a path.
 */
const MAX_BYTES_SIZE = 64 * 1024;
/** The only fields of a hook's payload that are stored. The conversation is never written to disk. */
const KEPT = ['session_id', 'transcript_path', 'cwd'];

export interface OperatorScripts {
  /** The folder with one file per adopted session. Each file is named after the pid of the client. */
  readonly adoptedFolder: string;
  readonly adoptedScript: string;
  readonly externalSessionScript: string;
}

/**
 * The version of the operator's hooks. A session can be adopted only if its hooks have the version `ADOPTABLE_HOOKS` or
 * later.
 */
const HOOKS_VERSION = 2;
const TOLD = new Set(['SessionStart', 'SessionEnd']);

/**
 * Returns the hook command for the operator's own settings. In an adopted session, the command reports all events. In
 * any other session that Baton did not start, the command reports only the start and the end. The command always reads
 * all of its input, because the client reports a closed pipe as an error.
 */
export function operatorCommand(scripts: OperatorScripts, runtime: string, event: string): string {
  const [folder, adopted, externalScript] = [
    scripts.adoptedFolder,
    scripts.adoptedScript,
    scripts.externalSessionScript,
  ].map(shellQuote);
  const speak = `[ -e ${folder}/$PPID ] && [ -x ${adopted} ]; then exec ${adopted} ${event}`;
  const tell = `; elif [ -x ${externalScript} ]; then exec ${externalScript} ${runtime} ${event} $PPID ${HOOKS_VERSION}`;
  return `if [ -n "$BATON_AGENT_TOKEN" ]; then :; elif ${speak}${TOLD.has(event) ? tell : ''}; fi; exec cat >/dev/null`;
}

/**
 * Returns the hook command of the Claude Code plugin. The command does the same as `operatorCommand`, but finds Baton's
 * home when it runs, because all users have the same plugin file. If the operator's settings contain Baton's hooks as
 * well, the plugin reports nothing.
 */
export function pluginCommand(runtime: string, event: string): string {
  const settings = `"\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json"`;
  const silent = `[ -n "$BATON_AGENT_TOKEN" ] || grep -qs '# baton hooks v' ${settings}; then :`;
  const speak = `[ -e "$b/adopted/$PPID" ] && [ -x "$b/bin/baton-adopted" ]; then exec "$b/bin/baton-adopted" ${event}`;
  const tell = `; elif [ -x "$b/bin/baton-candidate" ]; then exec "$b/bin/baton-candidate" ${runtime} ${event} $PPID ${HOOKS_VERSION}`;
  return `b="\${BATON_HOME:-$HOME/.baton}"; if ${silent}; elif ${speak}${TOLD.has(event) ? tell : ''}; fi; exec cat >/dev/null`;
}

/**
 * Creates the script that runs when an external session begins or ends. Like the agents' hook script, this script also
 * runs while Baton is down.
 */
export function externalSessionScript(spoolFolder: string, most = MAX_WAITING): string {
  return `#!/bin/sh
# Tells Baton that a session which Baton did not start has begun or ended. Written by Baton; changes are overwritten.
umask 077
LC_ALL=C
export LC_ALL
if ! cd ${shellQuote(spoolFolder)} 2>/dev/null; then
  cat >/dev/null
  exit 0
fi
runtime=$1 event=$2 pid=$3 hooks=\${4:-1} n=
{ read -r n <${ORDER}${NO_AGENT}; } 2>/dev/null
case $n in
1[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]) ;;
*) n=999999999 ;;
esac
n=$((n + 1))
{ echo "$n" 1<>${ORDER}${NO_AGENT}; } 2>/dev/null
set -- ${NO_AGENT}-1*
while [ $# -ge ${most} ]; do
  rm -f "$1" 2>/dev/null
  shift
done
f="${NO_AGENT}-$n-$$"
trap '' XFSZ 2>/dev/null
ulimit -f ${MAX_BYTES_SIZE / 512} 2>/dev/null
{
  printf 'candidate1 %s %s %s %s\\n' "$runtime" "$event" "$pid" "$hooks" &&
    grep -aoE '"(${KEPT.join('|')})" *: *"([^"\\\\]|\\\\.)*"' &&
    printf 'TMUX=%s\\nTMUX_PANE=%s\\n' "$TMUX" "$TMUX_PANE"
} 2>/dev/null >".$f" && mv ".$f" "$f" 2>/dev/null || rm -f ".$f" 2>/dev/null
exit 0
`;
}
