#!/bin/sh
# Uses exec at every level, so that npm's SIGTERM reaches the bot instead of a shell.
cd "$(dirname "$0")/.." || exit 1
installed=node_modules/.package-lock.json
if [ ! -e node_modules ]; then
  npm ci --omit=dev --loglevel=error || exit 1
elif [ ! -e "$installed" ] || [ package-lock.json -nt "$installed" ]; then
  # Another process may run from these packages, and 'npm ci' deletes all of them first.
  echo "The packages are not those of package-lock.json. Stop everything that runs from this folder, run 'npm ci --omit=dev', and start Belay again." >&2
  exit 1
fi
# Uses less memory: see docs/decisions.md.
exec sh scripts/node.sh --max-semi-space-size=4 src/main.ts "$@"
