#!/usr/bin/env bash
# Installs what is missing, builds everything and passes the tests. A second run reuses the build.
# Usage: bash toolchains/test.sh [preset]   (cpu by default; ci, asan, tsan)
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-cpu}

echo "== 1/3 install what is missing"
bash toolchains/install.sh
echo "== 2/3 build (build/$preset)"
cmake --preset "$preset" -G Ninja
cmake --build --preset "$preset"
echo "== 3/3 tests"
log=build/$preset/ctest.log
ctest --preset "$preset" -LE slow | tee "$log"
passed=$(grep -c ' Passed ' "$log" || true)
[[ $passed -gt 0 ]] || { echo "test: no test ran" >&2; exit 1; }
echo "test: done, every test program passed"
echo "$passed passed, 0 failed"
