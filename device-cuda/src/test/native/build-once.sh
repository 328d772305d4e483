#!/bin/sh
# Builds the fake libraries into the directory given, unless those there are of the same sources and compiler. Without a
# compiler there are none, and the tests that need them are skipped; where FAKE_CUDA is "required", that is a failure.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cxx=${CXX:-g++}
if ! command -v "$cxx" >/dev/null 2>&1; then
  echo "fake CUDA: no $cxx on the PATH, so the tests of CUDA devices are skipped; install g++" >&2
  rm -rf "$1"
  [ "${FAKE_CUDA:-}" != required ]
  exit
fi
wanted=$({ "$cxx" --version; cat "$here"/build.sh "$here"/*.h "$here"/*.cpp; } | sha256sum)
if [ "$(cat "$1/built-from" 2>/dev/null)" != "$wanted" ]; then
  rm -rf "$1" # with the kernels that an older compiler made
  "$here/build.sh" "$1"
  echo "$wanted" >"$1/built-from"
fi
