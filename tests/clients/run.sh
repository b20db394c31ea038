#!/usr/bin/env bash
# Asks a server as programs of others do: run.sh http://127.0.0.1:8080
#
# It makes a virtual environment with the clients, in the versions of requirements.txt, and needs the internet the first
# time. The index should have pages.jsonl of this folder in it, which pages.py writes.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
base="${1:?say where the server is, such as http://127.0.0.1:8080}"
venv="${CLIENTS_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/strabo/clients}"

if ! cmp -s "$here/requirements.txt" "$venv/requirements.txt"; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --requirement "$here/requirements.txt"
    cp "$here/requirements.txt" "$venv/requirements.txt"
fi

failed=0
"$venv/bin/python" "$here/clients.py" "$base" || failed=1
# Any request that the description allows is answered without an error of the server, with a status, a media type and a
# body that the description has.
"$venv/bin/schemathesis" run "$base/api/openapi.json" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance \
    --max-examples "${EXAMPLES:-50}" --seed 1 --no-color --suppress-health-check all || failed=1
exit "$failed"
