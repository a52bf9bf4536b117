#!/bin/sh
# Run once by the postgres image, on a new volume: the roles that work instead of the server's administrator.
#   pos_owner  owns the shop's database, and migrates it
#   pos_app    reads and writes rows for the API and the worker; owns nothing, so it cannot switch a guard off
#   temporal   owns Temporal's two databases, and reads nothing of the shop's
# Safe to run again, by hand: it also sets the passwords anew.
set -eu
: "${POSTGRES_OWNER_PASSWORD:?}" "${POSTGRES_APP_PASSWORD:?}" "${POSTGRES_TEMPORAL_PASSWORD:?}"

# The passwords are read from the environment, so that no list of processes shows them.
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "${POSTGRES_DB:-postgres}" <<'SQL'
\getenv owner_password POSTGRES_OWNER_PASSWORD
\getenv app_password POSTGRES_APP_PASSWORD
\getenv temporal_password POSTGRES_TEMPORAL_PASSWORD
select format('create role %I login nosuperuser nocreatedb nocreaterole', name)
from unnest(array['pos_owner', 'pos_app', 'temporal']) name
where not exists (select from pg_roles where rolname = name) \gexec
alter role pos_owner password :'owner_password';
alter role pos_app password :'app_password';
alter role temporal createdb password :'temporal_password';
-- Counting waits for open transactions of every role, so it looks at what they do.
grant pg_read_all_stats to pos_app;
select 'create database pos owner pos_owner'
where not exists (select from pg_database where datname = 'pos') \gexec
revoke connect on database pos from public;
SQL
