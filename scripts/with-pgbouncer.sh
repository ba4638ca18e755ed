#!/bin/sh
# Runs its arguments with TEST_DATABASE_URL set to a temporary PgBouncer in transaction mode, and
# TEST_DATABASE_DIRECT_URL to the server behind it, which was TEST_DATABASE_URL:
#   sh scripts/with-postgres.sh sh scripts/with-pgbouncer.sh npm run -s race
# Installs Debian's PgBouncer if there is none, which requires root.
set -u
cd "$(dirname "$0")/.." || exit 1
direct=${TEST_DATABASE_URL:?needs a server: run this with scripts/with-postgres.sh}

# Debian installs it in a folder that only root has on the PATH.
PATH="$PATH:/usr/sbin"
command -v pgbouncer >/dev/null ||
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pgbouncer; } >/dev/null 2>&1
if ! command -v pgbouncer >/dev/null; then
  echo "PgBouncer is missing and could not be installed: run 'apt-get install pgbouncer' as root." >&2
  exit 1
fi

folder=$(mktemp -d) || exit 1
# It refuses to run as root.
as=
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder" || exit 1
  as='-u postgres'
fi
stop() {
  [ ! -s "$folder/pid" ] || kill "$(cat "$folder/pid")"
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

port=$(sh scripts/node.sh -e 'const s = net.createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })') || exit 1
server=${direct#*@}
server=${server%%/*}
# As docs/operations.md says. Direct connections keep the limits that Belay sets.
cat >"$folder/pgbouncer.ini" <<END
[databases]
* = host=${server%:*} port=${server##*:} user=belay connect_query='set statement_timeout = 15000; set idle_in_transaction_session_timeout = 15000'
[pgbouncer]
pool_mode = transaction
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
default_pool_size = 20
max_client_conn = 1000
listen_addr = 127.0.0.1
listen_port = $port
unix_socket_dir =
auth_type = any
logfile = $folder/log
pidfile = $folder/pid
END
if ! pgbouncer -q -d $as "$folder/pgbouncer.ini"; then
  echo "PgBouncer did not start:" >&2
  cat "$folder/log" >&2
  exit 1
fi
# The daemon may write its id after the command has returned, and is stopped by it.
tries=0
until [ -s "$folder/pid" ] || [ "$tries" -ge 100 ]; do
  sleep 0.05
  tries=$((tries + 1))
done

TEST_DATABASE_DIRECT_URL="$direct" TEST_DATABASE_URL="postgres://belay@127.0.0.1:$port/postgres" "$@"
