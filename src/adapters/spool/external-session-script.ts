import { ORDER } from './hook-script.ts';
import { quote } from './quote.ts';

/** So many wait at most; the oldest goes for a new one. They must never take the room of agents' hooks. */
const MAX_WAITING = 200;
/** In the place of an agent's number. */
export const NO_AGENT = 0;
/** A folder's name may have 4096 bytes, and JSON may write each as six. */
const MAX_BYTES_SIZE = 64 * 1024;
/** All that is kept of what the agent program says. What is said in the session never reaches the disk. */
const KEPT = ['session_id', 'transcript_path', 'cwd'];

export interface OperatorScripts {
  /** `<process>` of each session that was adopted. */
  readonly adoptedFolder: string;
  readonly adoptedScript: string;
  readonly candidateScript: string;
}

/** What a session must have been started with to be adopted (domain/candidate). */
const HOOKS_VERSION = 2;
const TOLD = new Set(['SessionStart', 'SessionEnd']);

/**
 * What stands in the operator's own settings. In a session that was adopted it speaks for the agent. It does nothing
 * inside an agent of Baton's, whose own hooks tell everything, nor where Baton is gone; elsewhere only a beginning and
 * an end are told. Whether a session was adopted is seen by the shell that the client starts for this line anyway: no
 * program is started to find out. What was written to it is read to the end, or the client would take it for an error.
 * `$PPID` is the agent program.
 */
export function operatorCommand(scripts: OperatorScripts, runtime: string, event: string): string {
  const [folder, adopted, candidate] = [scripts.adoptedFolder, scripts.adoptedScript, scripts.candidateScript].map(
    quote,
  );
  const speak = `[ -e ${folder}/$PPID ] && [ -x ${adopted} ]; then exec ${adopted} ${event}`;
  const tell = `; elif [ -x ${candidate} ]; then exec ${candidate} ${runtime} ${event} $PPID ${HOOKS_VERSION}`;
  return `if [ -n "$BATON_AGENT_TOKEN" ]; then :; elif ${speak}${TOLD.has(event) ? tell : ''}; fi; exec cat >/dev/null`;
}

/** Run only when a session of the operator's begins or ends. Like the agents' script it needs no Baton that is up. */
export function candidateScript(spoolFolder: string, most = MAX_WAITING): string {
  return `#!/bin/sh
# Tells Baton that a session which Baton did not start has begun or ended. Written by Baton; changes are overwritten.
umask 077
LC_ALL=C
export LC_ALL
if ! cd ${quote(spoolFolder)} 2>/dev/null; then
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
