#!/bin/sh
# Stands for a Claude Code that cannot run on this machine: prints that it needs Node.js 22 and exits with 1.
[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit 0; }
echo 'Error: Claude Code requires Node.js 22 or newer (found v18.0.0).' >&2
exit 1
