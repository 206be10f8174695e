import { shellQuote } from '../../domain/shell-quote.ts';
import { FIRST, UNWRITTEN } from './unwritten.ts';

/**
 * Limits of the spool, in files and kilobytes. At a limit, new events are dropped, and the events that wait for Baton
 * stay in the spool.
 */
export interface SpoolCap {
  readonly files: number;
  readonly kilobytes: number;
  /**
   * The hook script checks the limits only at every Nth event of an agent, because such a check takes longer than
   * writing the event.
   */
  readonly lookEvery: number;
}

export const SPOOL_CAP: SpoolCap = { files: 10_000, kilobytes: 50 * 1024, lookEvery: 100 };

/** Maximum size of a hook's payload. No real hook is larger. */
export const MAX_HOOK_BYTES = 4 * 1_048_576;

/**
 * The name of a file that exists while the spool is full. As long as the file exists, the hook script drops new events.
 */
export const FULL = 'full';
/** The name of a file that contains one byte for each dropped event. */
export const OVERFLOW = 'overflow';
/**
 * The names of the counter files begin with this text. The file `order-<agent>` contains the number of events that this
 * agent has had. Events are ordered by this number, because file times change only every few milliseconds. The shell
 * overwrites ten digits with ten digits, so the file is never empty.
 */
export const ORDER = 'order-';

/**
 * Returns the script that agents run for each hook event. The script always exits 0, because a failing hook can stop
 * the agent. Baton assumes that the parent process of the script is the client, unless $BATON_CLIENT_PID names the
 * client. So the hook command must start the script with `exec`.
 */
// At the start of a session, the script prints the text in $BATON_SESSION_START. If the whole text was printed, the
// script writes the name of the text into the event. This name proves to Baton that the session got the text.
export function hookScript(spoolFolder: string, cap: SpoolCap = SPOOL_CAP): string {
  return `#!/bin/sh
# Leaves one hook event in Baton's spool. Written by Baton; changes are overwritten.
umask 077
# Without a locale, cat and mv start faster.
export LC_ALL=C
given=-
if [ "$1" = SessionStart ] && [ -n "$BATON_SESSION_START" ]; then
  { { read -r name && cat && given=$name; } <"$BATON_SESSION_START"; } 2>/dev/null
fi
if [ -z "$BATON_AGENT_TOKEN" ] || ! cd ${shellQuote(spoolFolder)} 2>/dev/null; then
  cat >/dev/null
  exit 0
fi
n=
[ -f "${ORDER}$BATON_AGENT_ID" ] && { read -r n <"${ORDER}$BATON_AGENT_ID"; } 2>/dev/null
case $n in
1[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]) ;;
*) n=999999999 ;;
esac
n=$((n + 1))
{ echo "$n" 1<>"${ORDER}$BATON_AGENT_ID"; } 2>/dev/null
if [ $((n % ${cap.lookEvery})) -eq 0 ]; then
  event=$1
  set -- [0-9]*
  kilobytes=$(du -sk . 2>/dev/null)
  kilobytes=\${kilobytes%%[!0-9]*}
  if [ $# -ge ${cap.files} ] || [ "\${kilobytes:-0}" -ge ${cap.kilobytes} ]; then { : >${FULL}; } 2>/dev/null; fi
  set -- "$event"
fi
f="$BATON_AGENT_ID-$n-$$"
# A longer event ends its file, not the disk.
trap '' XFSZ 2>/dev/null
ulimit -f ${MAX_HOOK_BYTES / 512} 2>/dev/null
if [ -e ${FULL} ]; then
  { printf . >>${OVERFLOW}; } 2>/dev/null
  cat >/dev/null
elif { printf 'baton1 %s %s %s %s\\n' "$BATON_AGENT_TOKEN" "$1" "\${BATON_CLIENT_PID:-$PPID}" "$given" && cat; } 2>/dev/null >".$f" && mv ".$f" "$f" 2>/dev/null; then
  [ "$1" = Acknowledge ] && printf 'kept'
elif [ -e ".$f" ] && [ "$(wc -c <".$f")" -ge ${MAX_HOOK_BYTES} ]; then
  { printf . >>${OVERFLOW}; } 2>/dev/null
  cat >/dev/null
  rm -f ".$f" 2>/dev/null
else
  rm -f ".$f" 2>/dev/null
  n=
  [ -f ${UNWRITTEN} ] && { read -r n <${UNWRITTEN}; } 2>/dev/null
  case $n in
  1[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]) ;;
  *) n=${FIRST} ;;
  esac
  { echo "$((n + 1))" 1<>${UNWRITTEN}; } 2>/dev/null
  cat >/dev/null
fi
[ "$1" = StatusLine ] && printf 'baton'
exit 0
`;
}
