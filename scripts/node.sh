#!/bin/sh
# Runs its arguments with a Node new enough for Belay: the one pinned in package-lock.json,
# or a newer one on the PATH. A check in JavaScript could not report that Node itself does not start.
cd "$(dirname "$0")/.." || exit 1
new_enough() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  [ "${version%%.*}" -ge 24 ] 2>/dev/null
}
node=node_modules/.bin/node
if ! new_enough "$node"; then
  node=$(PATH=$(printf %s "$PATH" | sed 's#[^:]*node_modules/[^:]*:##g') command -v node)
fi
if [ -z "$node" ] || ! new_enough "$node"; then
  echo "Belay needs Node 24 or newer. Run 'npm ci' without --omit=optional to get the pinned one; it needs glibc and libatomic1." >&2
  exit 1
fi
# Node compiles each module once and stores the result, if it can write there.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$PWD/node_modules/.cache/node-compile}"
# Returns more freed memory to the system: see docs/decisions.md.
export MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-131072}"
PATH="$PWD/node_modules/.bin:$PATH" exec "$node" "$@"
