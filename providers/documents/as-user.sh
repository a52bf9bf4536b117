#!/bin/sh
# Starts a browser as a user of its own, with none of our rights. Its profile is given to that user first: whoever starts
# the browser made it. What BROWSER_SETPRIV adds is for a browser without a sandbox; the sandbox of some needs a program
# of root's.
set -eu
for argument in "$@"; do
  case "$argument" in
    --user-data-dir=*)
      # Also its home: what it keeps, such as its list of fonts, goes with the profile.
      export HOME="${argument#--user-data-dir=}"
      chown -R "$BROWSER_UID:$BROWSER_GID" "$HOME"
      ;;
  esac
done
exec setpriv --reuid "$BROWSER_UID" --regid "$BROWSER_GID" --clear-groups --inh-caps=-all --ambient-caps=-all \
  ${BROWSER_SETPRIV:-} -- "$BROWSER_PATH" "$@"
