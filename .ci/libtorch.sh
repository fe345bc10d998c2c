#!/usr/bin/env bash
# Fetches libtorch for the worker into .libtorch/: the CPU part of torch's wheel, and two libraries that it links.
# Downloads are resumed, checked against the sums below and kept, so that it works again without a network.
set -euo pipefail
cd "$(dirname "$0")/.."

TORCH=2.11.0
# name==version  file  sha256
WHEELS="
torch==$TORCH torch-$TORCH-cp312-cp312-manylinux_2_28_x86_64.whl 0f68f4ac6d95d12e896c3b7a912b5871619542ec54d3649cf48cc1edd4dd2756
nvidia-cuda-runtime==13.0.96 nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl 7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548
nvidia-cuda-cupti==13.0.85 nvidia_cuda_cupti-13.0.85-py3-none-manylinux_2_25_x86_64.whl 4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8
"
HOME_=${DLBENCH_LIBTORCH_HOME:-.libtorch}
KEPT=$HOME_/wheels
DONE=$HOME_/torch/dlbench-complete

say() { echo "libtorch: $*" >&2; }
fail() { say "$*"; exit 1; }

[ "$(uname -sm)" = "Linux x86_64" ] || fail "only Linux on x86-64 is served; point DLBENCH_LIBTORCH at an installation of torch $TORCH"
if [ -e "$DONE" ] && [ "$(cat "$DONE")" = "$TORCH" ]; then exit 0; fi
command -v python3 >/dev/null || fail "python3 is needed to fetch and unpack torch's wheel (not to run the worker)"

right() { [ -e "$1" ] && echo "$2  $1" | sha256sum --check --status; }

# Where the package index keeps a file. pip alone knows which index is configured; its log names the place before it
# downloads, and then it is stopped.
address() {
  { python3 -m pip download -vv --no-deps --only-binary=:all: --python-version 3.12 --no-cache-dir \
      --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 --platform manylinux_2_25_x86_64 \
      --platform manylinux_2_28_x86_64 -d "$KEPT/unused" "$1" 2>/dev/null || true; } |
    grep -m1 -o "[a-z]*://[^ #]*/$2" || true
}

fetch() {
  local package=$1 file=$2 sum=$3 kept=$KEPT/$2
  right "$kept" "$sum" && return
  local given
  for given in ${DLBENCH_WHEELS:+"$DLBENCH_WHEELS/$file"}; do
    if right "$given" "$sum"; then cp "$given" "$kept.part" && mv "$kept.part" "$kept"; return; fi
  done
  python3 -m pip --version >/dev/null 2>&1 || fail "pip is needed to fetch $package (or lay $file into a folder named by DLBENCH_WHEELS)"
  # An earlier download may have ended just before its file was named.
  if right "$kept.part" "$sum"; then mv "$kept.part" "$kept"; return; fi
  local try
  for try in 1 2 3; do
    local url
    url=$(address "$package" "$file")
    rm -rf "$KEPT/unused"
    if [ -n "$url" ] && command -v curl >/dev/null; then
      [ -s "$kept.part" ] && say "resuming $file" || say "fetching $file"
      if curl --fail --location --silent --show-error ${PIP_CERT:+--cacert "$PIP_CERT"} \
        --connect-timeout 30 --continue-at - --output "$kept.part" "$url"; then
        if right "$kept.part" "$sum"; then mv "$kept.part" "$kept"; return; fi
        say "the sha256 of what came is not $sum: it is fetched anew"
        rm -f "$kept.part"
      fi
    fi
    if [ "$try" = 3 ]; then
      say "fetching $file whole through pip"
      python3 -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.12 \
        --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 --platform manylinux_2_25_x86_64 \
        --platform manylinux_2_28_x86_64 -d "$KEPT/unused" "$package" >&2 || true
      [ ! -e "$KEPT/unused/$file" ] || mv "$KEPT/unused/$file" "$kept"
      rm -rf "$KEPT/unused" "$kept.part"
      right "$kept" "$sum" && return
      rm -f "$kept"
      fail "$file could not be fetched, or its sha256 is not $sum"
    fi
  done
}

mkdir -p "$KEPT"
# One at a time: `make test` and `make runner` may be typed in two windows.
exec 9>"$HOME_/lock"
flock 9
if [ -e "$DONE" ] && [ "$(cat "$DONE")" = "$TORCH" ]; then exit 0; fi
while read -r package file sum; do
  [ -z "$package" ] || fetch "$package" "$file" "$sum"
done <<<"$WHEELS"

say "unpacking"
NEW=$HOME_/unpacking
rm -rf "$NEW" && mkdir -p "$NEW"
python3 - "$NEW" "$KEPT" $(awk 'NF {print $2}' <<<"$WHEELS") <<'PYTHON'
import sys, zipfile, pathlib
to, kept, files = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
# What the CPU part of libtorch consists of; the wheel's layout is kept, because the libraries look for each other there.
libraries = {"libtorch_cpu.so", "libc10.so", "libgomp.so.1", "libcudart.so.13", "libcupti.so.13"}
for file in files:
    with zipfile.ZipFile(kept / file) as wheel:
        for name in wheel.namelist():
            parts = name.split("/")
            wanted = name.startswith("torch/include/") or parts[-1] in libraries and parts[-2] == "lib"
            licence = ".dist-info/" in name and "licen" in name.lower()
            if (wanted or licence) and not name.endswith("/"):
                wheel.extract(name, to)
PYTHON
# In place of the wheel's libtorch.so, which would drag CUDA in.
echo 'INPUT ( -ltorch_cpu )' >"$NEW/torch/lib/libtorch.so"
echo "$TORCH" >"$NEW/torch/build-version"
echo "$TORCH" >"$NEW/torch/dlbench-complete"
rm -rf "$HOME_/torch" "$HOME_/nvidia"
mv "$NEW/nvidia" "$HOME_/nvidia"
mv "$NEW/torch" "$HOME_/torch"
for licences in "$NEW"/*.dist-info; do [ ! -d "$licences" ] || { rm -rf "$HOME_/$(basename "$licences")"; mv "$licences" "$HOME_/"; }; done
rm -rf "$NEW"
say "torch $TORCH is in $HOME_ ($(du -sh --exclude=wheels "$HOME_" | cut -f1)); the wheels stay in $KEPT and may be deleted"
