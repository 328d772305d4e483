#!/bin/sh
# Builds the libraries and the self-test, and runs it with several seeds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$here/build.sh" "$out"
${CXX:-g++} -std=c++17 -O1 -pthread -Wall -Wextra -Werror -I"$here" -o "$out/selftest" \
  "$here"/selftest*.cpp -ldl
for settings in "" seed=2 seed=3,delay=300 seed=4,delay=20 seed=5,memory=64m; do
  echo "FAKE_CUDA_CONFIG=$settings"
  FAKE_CUDA_CONFIG=$settings timeout 120 "$out/selftest" "$out"
done
