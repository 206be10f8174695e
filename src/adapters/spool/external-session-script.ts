import { shellQuote } from '../../domain/shell-quote.ts';
import { ORDER } from './hook-script.ts';

/** At most this many reports wait; a new one replaces the oldest. So they never use up the space of agents' hooks. */
const MAX_WAITING = 200;
/** Used in a file name in place of an agent's number. */
export const NO_AGENT = 0;
/** A path may have 4096 bytes, and JSON may need six bytes for each of them. */
const MAX_BYTES_SIZE = 64 * 1024;
/** The only payload fields that are stored. The conversation never reaches the disk. */
const KEPT = ['session_id', 'transcript_path', 'cwd'];

export interface OperatorScripts {
  /** One file per adopted session, named after its process. */
  readonly adoptedFolder: string;
  readonly adoptedScript: string;
  readonly externalSessionScript: string;
}

/** Version of these hooks. A session can be adopted only if it was started with `ADOPTABLE_HOOKS` or later. */
const HOOKS_VERSION = 2;
const TOLD = new Set(['SessionStart', 'SessionEnd']);

/**
 * The hook command in the operator's own settings. In an adopted session it reports for the agent. Inside an agent of
 * Baton it does nothing, because that agent's own hooks report everything. In any other session it reports only start
 * and end. If Baton was removed, it does nothing. The shell that the client starts for this line checks by itself
 * whether the session is adopted, so no extra program is started. The command reads its input to the end, because the
 * client would treat a closed pipe as an error. `$PPID` is the agent program.
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
 * Creates the script that runs when an external session begins or ends. Like the agents' script, it works while Baton
 * is down.
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
