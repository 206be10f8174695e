#!/bin/sh
# Stands for a Claude Code that waits for a prompt: draws its screen, writes its status file, reports its session, and
# then waits for input. P8 counts the CPU time of watching, so the client itself must cost nothing.
[ "$1" = --version ] && echo '2.1.325 (Claude Code)' && exit 0
while [ $# -gt 1 ]; do
  case $1 in
  --session-id) session=$2 ;;
  --settings) settings=$2 ;;
  esac
  shift
done
rule=$(printf '%180s' '' | sed 's/ /─/g')
n=0
while [ $n -lt 42 ]; do
  n=$((n + 1))
  printf '  Line %s of an answer that the agent gave before it became idle.\n' $n
done
printf '\n✻ Worked for 3s · done 9:32 AM\n\n%s\n❯\302\240\n%s\n  ? for shortcuts' "$rule" "$rule"
if [ -n "$session" ]; then
  read -r stat </proc/$$/stat
  set -f
  set -- ${stat##*) }
  printf '{"pid":%s,"procStart":"%s","status":"idle"}' $$ "${20}" >"$CLAUDE_CONFIG_DIR/sessions/$$.json"
  printf '{"session_id":"%s","source":"startup"}' "$session" | "${settings%/agents/*}/bin/baton-hook" SessionStart >/dev/null
fi
exec cat >/dev/null
