#!/bin/sh
# Builds the three fake libraries into the directory given.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cxx=${CXX:-g++}
flags="-std=c++17 -O1 -fPIC -pthread -fvisibility=hidden -Wall -Wextra -Werror -I$work -I$here"
# Our threads may outlive a dlclose, so the libraries stay loaded.
link="-shared -pthread -Wl,-z,nodelete -Wl,-z,defs"

compile() { # NAME... starts the compiler for each in the background
  for name in "$@"; do
    # shellcheck disable=SC2086
    $cxx $flags $extra -c -o "$work/$name.o" "$here/$name.cpp" &
    pids="$pids $!"
  done
}

# Nothing but the entry points is visible outside.
echo '{ global: cu*; nvrtc*; fake*; local: *; };' >"$work/exports"
link="$link -Wl,--version-script,$work/exports"

# What NVRTC puts before each kernel, compiled in advance with the flags of nvrtc_compile.cpp.
cat "$here/kernel_abi.h" "$here/half.h" "$here/prelude.h" >"$out/prelude.h"
$cxx -O1 -fPIC -w -std=c++17 -ffp-contract=off -fvisibility=hidden -fno-gnu-unique -x c++-header \
  -o "$out/prelude.h.gch" "$out/prelude.h"

pids=
extra=
driver="config process errors device memory copy stream event ipc fiber module"
# shellcheck disable=SC2086
compile $driver nvrtc nvrtc_compile cublas
extra=-ftree-vectorize
compile gemm
for pid in $pids; do wait "$pid"; done

objects() { for name in "$@"; do printf '%s/%s.o ' "$work" "$name"; done; }
# shellcheck disable=SC2046,SC2086
{
  $cxx $link -Wl,-soname,libcuda.so.1 -o "$out/libcuda.so.1" $(objects $driver) -ldl
  $cxx $link -Wl,-soname,libnvrtc.so.13 -Wl,-rpath,'$ORIGIN' -o "$out/libnvrtc.so.13" \
    $(objects nvrtc nvrtc_compile) "$out/libcuda.so.1" -ldl
  $cxx $link -Wl,-soname,libcublas.so.13 -Wl,-rpath,'$ORIGIN' -o "$out/libcublas.so.13" \
    $(objects cublas gemm) "$out/libcuda.so.1"
}
