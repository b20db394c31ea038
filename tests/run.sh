#!/usr/bin/env bash
# Runs every test. On a fresh Debian machine with Rust it first installs what the tests need.
set -euo pipefail
cd "$(dirname "$0")/.."

# A clean clone need not build the world again: the target directory lies outside of it.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/strabo"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache/target}"

# Debian packages, as `command:package`. A C compiler builds zstd; a browser without a screen looks at the pages, and npm
# brings what checks their accessibility.
needed=(cc:gcc chromium:chromium chromedriver:chromium-driver npm:npm)
missing=()
for pair in "${needed[@]}"; do
    command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
done
if [ "$(id -u)" = 0 ]; then sudo=""; else sudo="sudo"; fi
may_install() { command -v apt-get >/dev/null && { [ -z "$sudo" ] || command -v sudo >/dev/null; }; }
# Good to have: without it no other program reads our archives back, and two tests check less.
warcio="${WARCIO:-$(command -v warcio || true)}"
if [ -z "$warcio" ] && ! python3 -c "import ensurepip" 2>/dev/null && may_install; then
    missing+=(python3-venv)
fi
if [ ${#missing[@]} -gt 0 ]; then
    if ! may_install; then
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

if [ -z "$warcio" ]; then
    warcio="$cache/warcio/bin/warcio"
    if [ ! -x "$warcio" ]; then
        { python3 -m venv --clear "$cache/warcio" &&
            "$cache/warcio/bin/pip" install -q --retries 1 --disable-pip-version-check warcio; } >&2 ||
            echo "warcio could not be installed: archives are not read back by another program" >&2
    fi
fi
if [ -x "$warcio" ]; then export WARCIO="$warcio"; fi

# With arguments, only what they name: ./tests/run.sh -p earth
if [ $# -gt 0 ]; then
    cargo test --locked "$@"
else
    cargo test --workspace --locked
fi
