/**
 * What agents run for each hook event. It needs nothing but a shell, cat and mv, is the same whether Baton is up, down
 * or hung, and always exits 0: a hook that fails can stop or loop the agent.
 */
export function hookScript(spoolFolder: string): string {
  const folder = `'${spoolFolder.replaceAll("'", `'\\''`)}'`;
  return `#!/bin/sh
# Leaves one hook event in Baton's spool. Written by Baton; changes are overwritten.
umask 077
if [ -z "$BATON_AGENT_TOKEN" ] || ! cd ${folder} 2>/dev/null; then
  cat >/dev/null
  exit 0
fi
n=0
while [ -e "$BATON_AGENT_ID-$$-$n" ] || [ -e ".$BATON_AGENT_ID-$$-$n" ]; do n=$((n + 1)); done
f="$BATON_AGENT_ID-$$-$n"
if { printf 'baton1 %s %s %s\\n' "$BATON_AGENT_TOKEN" "$1" "$PPID"; cat; } >".$f" 2>/dev/null && mv ".$f" "$f" 2>/dev/null; then
  [ "$1" = Acknowledge ] && printf 'kept'
fi
[ "$1" = StatusLine ] && printf 'baton'
exit 0
`;
}
