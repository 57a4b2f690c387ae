#!/usr/bin/env bash
# Installs what is missing, builds, and runs the quick benchmark against oneDNN: under two minutes after
# the build. A second run reuses the build. Usage: bash toolchains/quickstart.sh [bench options]
set -euo pipefail
cd "$(dirname "$0")/.."

echo "== 1/3 install what is missing"
bash toolchains/install.sh
echo "== 2/3 build (build/cpu)"
cmake --preset cpu -G Ninja >build-cpu.log 2>&1 || { cat build-cpu.log; exit 1; }
rm -f build-cpu.log
cmake --build --preset cpu --target mikpoly_program
echo "== 3/3 quick benchmark: a stratified sample of the suites against oneDNN"
report=build/cpu/quick.json
build/cpu/bin/mikpoly bench --suite quick --vs onednn-any,onednn-plain,onednn-runtime \
  --budget 60s --json "$report" "$@"
echo "quickstart: done; the table is above, the measurements are in $report"
