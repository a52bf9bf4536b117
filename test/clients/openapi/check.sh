#!/usr/bin/env bash
# Holds the API document against the tools of those who read it: two linters, and the generators of clients. What a generator
# makes must compile, and each client sells one thing. The tools are installed beside, not among the project's packages.
# Usage: npm run openapi:check. OPENAPI_READY names the ready.json of a running demo shop; without it one is started.
# What needs Python 3 with venv, Java or Maven is left out where that is missing, and said.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tools=${OPENAPI_TOOLS:-${TMPDIR:-/tmp}/openapi-tools}
out=$tools/out
mkdir -p "$out"
cp "$here/package.json" "$tools/package.json"
cp "$here"/sales/* "$out"
# By it a generator learns that modules are named in full, as Node wants them.
echo '{ "compilerOptions": { "module": "nodenext", "moduleResolution": "nodenext" } }' >"$tools/tsconfig.json"
npm install --prefix "$tools" --no-audit --no-fund --ignore-scripts --silent
bin=$tools/node_modules/.bin
document=$out/openapi.json
has() { command -v "$1" >/dev/null || { echo "$1 is not here: $2 was not made."; false; }; }

node "$here/document.ts" "$document"
"$bin/redocly" lint --config "$here/redocly.yaml" --max-problems 100 "$document"
"$bin/spectral" lint --ruleset "$here/spectral.yaml" --fail-severity warn "$document"

hasPython=false hasJava=false hasMaven=false
if has python3 'every client of Python and of openapi-generator' && python3 -m venv "$tools/python"; then
  hasPython=true
  "$tools/python/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt"
  if has java 'every client of openapi-generator'; then hasJava=true; fi
fi
if $hasJava && has mvn 'the client in Java'; then hasMaven=true; fi
# Java's tool, as the package registry of Python has it.
generate() {
  rm -rf "${out:?}/$2"
  "$tools/python/bin/openapi-generator-cli" generate -i "$document" -g "$1" -o "$out/$2" "${@:3}" >"$out/$2.log" 2>&1 ||
    { tail -n 20 "$out/$2.log" && false; }
}
# From the tools' own folder: from here the compiler would take in the project's packages as well.
compile() {
  (cd "$out" && "$bin/tsc" --strict --target es2022 --module nodenext --moduleResolution nodenext \
    --lib es2022,dom,dom.iterable --outDir js "$@")
}

"$bin/openapi-typescript" "$document" --output "$out/types.d.ts"
"$bin/openapi-ts" --input "$document" --output "$out/hey" --client @hey-api/client-fetch
compile types.d.ts fetch.ts hey.ts
if $hasPython; then
  PATH=$tools/python/bin:$PATH openapi-python-client generate --path "$document" --output-path "$out/pos_client" --overwrite --meta none
  "$tools/python/bin/python" -m compileall -q "$out/pos_client"
fi
if $hasJava; then
  generate typescript-fetch typescript-fetch --additional-properties=importFileExtension=.js
  compile typescript-fetch.ts
  generate python generated
  "$tools/python/bin/python" -m compileall -q "$out/generated/openapi_client"
fi
if $hasMaven; then
  # These three answer an object or an empty list, for which its template writes a method name that is none.
  generate java java --library native --schema-mappings \
    getBillingAddressOfCustomer_200_response=Object,getCouponOfOwnCart_200_response=Object,getSelectedPaymentMethodOfOwnCart_200_response=Object
  mkdir -p "$out/java/src/main/java/sale" && cp "$out/Sale.java" "$out/java/src/main/java/sale/"
  mvn --quiet --batch-mode --file "$out/java" compile -Dmaven.test.skip
fi

# The sales.
ready=${OPENAPI_READY:-$out/shop/ready.json}
if [ -z "${OPENAPI_READY:-}" ]; then
  PORT=0 POS_DATA_DIR=$out/shop node "$here/../../../local/start.ts" >"$out/shop.log" 2>&1 &
  shop=$!
  trap 'kill -INT $shop && wait $shop || true; rm -rf "$out/shop"' EXIT
  until [ -f "$ready" ] || ! kill -0 $shop; do sleep 0.5; done
fi
told() { node -p "JSON.parse(fs.readFileSync(process.argv[1])).$1" "$ready"; }
CLIENT_URL=$(told api | sed 's|/rest$||')
CLIENT_TOKEN=$(told registerToken)
export CLIENT_URL CLIENT_TOKEN CLIENT_SALE="${ready%/*}/examples/sale.json"
cp "$out/what-is-sold.mjs" "$out/js/"
echo 'One sale by each client:'
node "$out/js/hey.js"
node "$out/js/fetch.js"
if $hasPython; then "$tools/python/bin/python" "$out/client.py"; fi
if $hasJava; then
  node "$out/js/typescript-fetch.js"
  PYTHONPATH=$out/generated "$tools/python/bin/python" "$out/generated.py"
fi
if $hasMaven; then mvn --quiet --batch-mode --file "$out/java" exec:java -Dexec.mainClass=sale.Sale; fi
echo 'Every tool reads the document.'
