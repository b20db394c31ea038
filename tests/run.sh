#!/usr/bin/env bash
# Runs every test. On a fresh Debian machine with Rust it first installs what the tests need.
set -euo pipefail
cd "$(dirname "$0")/.."

# A clean clone need not build the world again: the target directory lies outside of it.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/strabo/target}"

# Debian packages, as `command:package`. A C compiler builds zstd; a browser without a screen looks at the pages, and npm
# brings what checks their accessibility.
needed=(cc:gcc chromium:chromium chromedriver:chromium-driver npm:npm)
missing=()
for pair in "${needed[@]}"; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ]; then sudo=""; else sudo="sudo"; fi
    if ! command -v apt-get >/dev/null || { [ -n "$sudo" ] && ! command -v sudo >/dev/null; }; then
        echo "missing: ${missing[*]}: install them and run this again" >&2
        exit 1
    fi
    $sudo apt-get update -q
    $sudo apt-get install -qy --no-install-recommends "${missing[@]}"
fi

if [ ! -d static/node_modules/axe-core ]; then
    (cd static && npm ci --silent --no-audit --no-fund --ignore-scripts) ||
        echo "axe-core could not be installed: pages are not checked for accessibility" >&2
fi

# With arguments, only what they name: ./tests/run.sh -p earth
if [ $# -gt 0 ]; then
    cargo test --locked "$@"
else
    cargo test --workspace --locked
fi
