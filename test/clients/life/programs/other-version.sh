#!/bin/sh
# Runs the real Claude Code, but answers `--version` with the version in LIFE_VERSION.
[ "$1" = --version ] && { echo "$LIFE_VERSION (Claude Code)"; exit 0; }
exec "$LIFE_CLAUDE" "$@"
