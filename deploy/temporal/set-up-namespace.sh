#!/bin/sh
# Makes the namespace and its search attributes. Safe to run again: what is there stays as it is.
# The CLI reads TEMPORAL_ADDRESS by itself.
set -eu
namespace=${TEMPORAL_NAMESPACE:-pos}

patiently() {
  for _ in $(seq 60); do
    "$@" && return
    sleep 1
  done
  return 1
}

patiently temporal operator cluster health
temporal operator namespace describe -n "$namespace" ||
  temporal operator namespace create -n "$namespace" --retention 30d

# A new namespace is known to every part of the server only after some seconds.
known=$(patiently temporal operator search-attribute list -n "$namespace")
while read -r name type; do
  echo "$known" | grep -qw "$name" ||
    temporal operator search-attribute create -n "$namespace" --name "$name" --type "$type"
done <<'ATTRIBUTES'
PosStatus Keyword
PosRefundState Keyword
PosLocationId Keyword
PosMethod Keyword
PosReturnId Int
PosOrderId Int
PosExpiresAt Datetime
ATTRIBUTES
echo "The namespace $namespace is ready."
