import { ORDER } from './hook-script.ts';
import { quote } from './quote.ts';

/** So many wait at most; the oldest goes for a new one. They must never take the room of agents' hooks. */
const MOST_WAITING = 200;
/** In the place of an agent's number. */
export const NO_AGENT = 0;
/** A folder's name may have 4096 bytes, and JSON may write each as six. */
const LARGEST_BYTES = 64 * 1024;
/** All that is kept of what the agent program says. What is said in the session never reaches the disk. */
const KEPT = ['session_id', 'transcript_path', 'cwd'];

/**
 * What stands in the operator's own settings. It leaves at once inside an agent of Baton's, whose own hooks tell
 * everything, and where Baton is gone; it prints nothing, for some agent programs take that for context, and exits 0.
 * `$PPID` is the agent program, which runs this line in a shell.
 */
export const candidateCommand = (script: string, runtime: string, event: string): string =>
  `[ -n "$BATON_AGENT_TOKEN" ] || [ ! -x ${quote(script)} ] || ${quote(script)} ${runtime} ${event} $PPID; true`;

/** Run only when a session of the operator's begins or ends. Like the agents' script it needs no Baton that is up. */
export function candidateScript(spoolFolder: string, most = MOST_WAITING): string {
  return `#!/bin/sh
# Tells Baton that a session which Baton did not start has begun or ended. Written by Baton; changes are overwritten.
umask 077
LC_ALL=C
export LC_ALL
if ! cd ${quote(spoolFolder)} 2>/dev/null; then
  cat >/dev/null
  exit 0
fi
runtime=$1 event=$2 pid=$3 n=
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
ulimit -f ${LARGEST_BYTES / 512} 2>/dev/null
{
  printf 'candidate1 %s %s %s\\n' "$runtime" "$event" "$pid" &&
    grep -aoE '"(${KEPT.join('|')})" *: *"([^"\\\\]|\\\\.)*"' &&
    printf 'TMUX=%s\\nTMUX_PANE=%s\\n' "$TMUX" "$TMUX_PANE"
} 2>/dev/null >".$f" && mv ".$f" "$f" 2>/dev/null || rm -f ".$f" 2>/dev/null
exit 0
`;
}
