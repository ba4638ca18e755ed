#!/bin/sh
# Creates the two roles of docs/operations.md. The PostgreSQL image runs this when its data folder is empty.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" --dbname=postgres \
  --set=owner_password="$BELAY_OWNER_PASSWORD" --set=password="$BELAY_PASSWORD" <<'SQL'
create role belay_owner login password :'owner_password';
create role belay login password :'password';
create database belay owner belay_owner;
SQL
