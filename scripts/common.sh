# What the scripts share. Sourced, not run: sets `root`, the folder of the repository.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(cmake ninja-build g++ libpng-dev zlib1g-dev libtinyxml2-dev libcli11-dev libfmt-dev libopenexr-dev pkg-config)

say() { echo "$*" >&2; }
die() {
  say "$*"
  exit 1
}

# need_packages NAME...: installs the Debian packages that are missing.
need_packages() {
  local missing=() name have apt
  command -v dpkg-query >/dev/null || return 0  # another system: CMake says what it lacks
  # dpkg-query fails where it has never heard of a package: that is the answer, not an error
  have=$({ dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true; } | sed -n 's/ installed$//p')
  for name in "$@"; do grep -qx -- "$name" <<<"$have" || missing+=("$name"); done
  ((${#missing[@]})) || return 0
  if [ "$(id -u)" = 0 ]; then
    apt=(apt-get)
  elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    apt=(sudo apt-get)
  else
    die "kiln needs packages that are not installed, and this is neither root nor a user with sudo. As root, run:
  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "installing ${missing[*]}"
  mkdir -p "$root/build"
  local log=$root/build/packages.log
  local install=("${apt[@]}" install -y -q --no-install-recommends "${missing[@]}")
  export DEBIAN_FRONTEND=noninteractive
  "${install[@]}" >"$log" 2>&1 || { "${apt[@]}" update -q >>"$log" 2>&1 && "${install[@]}" >>"$log" 2>&1; } || {
    tail -20 "$log" >&2
    die "the packages could not be installed; the whole log is $log"
  }
}

# Sets `nvcc` to a CUDA compiler that knows C++20 (12 or later), or to nothing.
find_nvcc() {
  local version
  nvcc=$(command -v nvcc || true)
  [ -n "$nvcc" ] || { [ -x /usr/local/cuda/bin/nvcc ] && nvcc=/usr/local/cuda/bin/nvcc; } || true
  [ -n "$nvcc" ] || return 0
  version=$("$nvcc" --version | sed -n 's/.*release \([0-9]*\)\..*/\1/p')
  if [ "${version:-0}" -lt 12 ]; then
    say "$nvcc is CUDA ${version:-of unknown version}, kiln's CUDA code needs 12 or later: building for the CPU only"
    nvcc=
  fi
}

# cuda_options [ARCHS]: sets `cuda_options` for CMake; without ARCHS the GPUs of this machine, else 90.
cuda_options() {
  local archs=${1:-}
  find_nvcc
  if [ -z "$nvcc" ]; then
    cuda_options=(-DKILN_CUDA=OFF)
    return 0
  fi
  if [ -z "$archs" ] && command -v nvidia-smi >/dev/null; then
    archs=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' | grep -xE '[0-9]+' | sort -un | paste -sd ';') || archs=
  fi
  cuda_options=(-DKILN_CUDA=ON "-DKILN_CUDA_ARCHS=${archs:-90}" "-DCMAKE_CUDA_COMPILER=$nvcc")
}

# quietly LOG COMMAND...: output goes to LOG; when the command fails, the end of it is shown.
quietly() {
  local log=$1 code=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || code=$?
  [ $code = 0 ] && return 0
  grep -nE '(error|Error|FAILED)[: ]' "$log" | head -20 >&2 || true
  tail -30 "$log" >&2
  say "failed ($code): $*"
  say "the whole log is $log"
  return $code
}
