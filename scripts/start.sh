#!/bin/sh
# Uses exec at every level, so that npm's SIGTERM reaches the bot instead of a shell.
cd "$(dirname "$0")/.." || exit 1
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci --omit=dev --loglevel=error || exit 1
fi
# Uses less memory: see docs/decisions.md.
exec sh scripts/node.sh --max-semi-space-size=4 src/main.ts "$@"
