#!/bin/sh
# The real client, which only says that it is another version.
[ "$1" = --version ] && { echo "$LIFE_VERSION (Claude Code)"; exit 0; }
exec "$LIFE_CLAUDE" "$@"
