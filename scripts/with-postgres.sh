#!/bin/sh
# Runs its arguments with TEST_DATABASE_URL set to a temporary PostgreSQL on a free loopback port,
# and returns their exit code:
#   sh scripts/with-postgres.sh npm test
# Installs Debian's server if there is none, which requires root.
set -u
cd "$(dirname "$0")/.." || exit 1

# Debian installs the server's programs outside of the PATH, in one folder per version.
find_server() { ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1; }

programs=$(find_server)
if [ -z "$programs" ]; then
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } >/dev/null 2>&1
  programs=$(find_server)
fi
if [ ! -x "$programs/initdb" ]; then
  echo "There is no PostgreSQL here and it could not be installed: run 'apt-get install postgresql' as root." >&2
  exit 1
fi

# The server refuses to run as root.
as_server() {
  if [ "$(id -u)" = 0 ]; then su postgres -s /bin/sh -c "cd / && $1"; else sh -c "$1"; fi
}

folder=$(mktemp -d) || exit 1
[ "$(id -u)" != 0 ] || chown postgres "$folder" || exit 1

stop() {
  as_server "'$programs/pg_ctl' -D '$folder/data' -m immediate -w stop" >/dev/null 2>&1
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port=$(sh scripts/node.sh -e 'const s = net.createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })') || exit 1
if ! {
  as_server "'$programs/initdb' -D '$folder/data' -U belay -A trust -E UTF8 --locale=C" &&
    as_server "'$programs/pg_ctl' -D '$folder/data' -w -l '$folder/log' -o \"-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories='$folder'\" start"
} >"$folder.out" 2>&1; then
  echo "PostgreSQL did not start:" >&2
  cat "$folder.out" "$folder/log" >&2
  rm -f "$folder.out"
  exit 1
fi
rm -f "$folder.out"

# For programs that restart the server: a command for sh.
restart="'$programs/pg_ctl' -D '$folder/data' -w -l '$folder/log' -m fast restart"
[ "$(id -u)" != 0 ] || restart="su postgres -s /bin/sh -c \"cd / && $restart\""

TEST_DATABASE_RESTART="$restart" TEST_DATABASE_URL="postgres://belay@127.0.0.1:$port/postgres" "$@"
