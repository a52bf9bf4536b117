#!/usr/bin/env bash
# Holds the API document against the tools of those who read it: two linters, and three generators of clients whose output
# must compile. The tools are installed beside, not among the project's packages. Usage: npm run openapi:check
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tools=${OPENAPI_TOOLS:-${TMPDIR:-/tmp}/openapi-tools}
mkdir -p "$tools/out"
cp "$here/package.json" "$tools/package.json"
# By it a generator learns that modules are named in full, as Node wants them.
echo '{ "compilerOptions": { "module": "nodenext", "moduleResolution": "nodenext" } }' >"$tools/tsconfig.json"
npm install --prefix "$tools" --no-audit --no-fund --ignore-scripts --silent
bin=$tools/node_modules/.bin
document=$tools/out/openapi.json

node "$here/document.ts" "$document"
"$bin/redocly" lint --config "$here/redocly.yaml" --max-problems 100 "$document"
"$bin/spectral" lint --ruleset "$here/spectral.yaml" --fail-severity warn "$document"

"$bin/openapi-typescript" "$document" --output "$tools/out/types.d.ts"
# From the tools' own folder: from here the compiler would take in the project's packages as well.
compile() { (cd "$tools/out" && "$bin/tsc" --noEmit --strict "$@"); }
compile --skipLibCheck false types.d.ts

"$bin/openapi-ts" --input "$document" --output "$tools/out/hey" --client @hey-api/client-fetch
compile --target es2022 --module nodenext --moduleResolution nodenext --lib es2022,dom,dom.iterable hey/index.ts

if command -v openapi-python-client >/dev/null; then
  openapi-python-client generate --path "$document" --output-path "$tools/out/python" --overwrite --meta none
  python3 -m compileall -q "$tools/out/python"
else
  echo 'openapi-python-client is not installed: its client was not made.'
fi
echo 'Every tool reads the document.'
