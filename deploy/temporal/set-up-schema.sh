#!/bin/sh
# Makes Temporal's two databases, or brings them up to date. Safe to run again, also beside a running server.
# temporal-sql-tool reads SQL_HOST, SQL_PORT, SQL_USER and SQL_PASSWORD by itself.
set -eu
schema=${SCHEMA_DIR:-/etc/temporal/schema}/postgresql/v12

bring_up_to_date() {
  tool="temporal-sql-tool --plugin postgres12 --db $1"
  $tool create
  # setup-schema resets the version, so it runs only where there has never been one.
  if ! said=$($tool update-schema -d "$schema/$2/versioned" 2>&1); then
    case "$said" in
      *schema_version*'does not exist'*)
        $tool setup-schema -v 0.0
        $tool update-schema -d "$schema/$2/versioned"
        ;;
      *)
        echo "$said" >&2
        exit 1
        ;;
    esac
  fi
}

bring_up_to_date temporal temporal
bring_up_to_date temporal_visibility visibility
echo 'The schema of Temporal is up to date.'
