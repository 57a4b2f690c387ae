#!/usr/bin/env bash
# Installs what the build needs on Debian 12/13 and Ubuntu, and nothing that is there already.
# As root or through sudo. Usage: bash toolchains/install.sh
set -euo pipefail

packages=(
  g++ cmake ninja-build                     # build
  libbenchmark-dev nlohmann-json3-dev libcli11-dev libgtest-dev
  libdnnl-dev libopenblas0-pthread          # peers; oneDNN is a backend as well
  ocl-icd-opencl-dev                        # Debian's dnnl-config.cmake asks for OpenCL
)
if [[ ${MIKPOLY_CI:-} == 1 ]]; then packages+=(clang-format); fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "install: everything is there"
  exit 0
fi

run=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || {
    echo "install: needs root or sudo to install: ${missing[*]}" >&2
    exit 1
  }
  run=(sudo)
fi
echo "install: ${missing[*]}"
"${run[@]}" apt-get update -qq
"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
  "${missing[@]}" >/dev/null
