# SPDX-License-Identifier: MIT
# What the scripts share. Sourced, not run: sets `root`, the folder of the repository.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(cmake ninja-build g++ libpng-dev zlib1g-dev libzstd-dev libtinyxml2-dev libcli11-dev libfmt-dev libssl-dev nlohmann-json3-dev libopenexr-dev libboost-dev libturbojpeg0-dev libwebp-dev)
window_packages=(libglfw3-dev libgl-dev)  # for kiln view --window: with Mesa too large for who wants a first picture

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
  have=$({ dpkg-query -W -f='${binary:Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true; } |
    sed -n "s/\(:$(dpkg --print-architecture)\)\? installed\$//p")
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
  local log=$root/build/packages.log plan
  export DEBIAN_FRONTEND=noninteractive
  "${apt[@]}" update -q >"$log.update" 2>&1 || true  # without a network what is there may do
  # what apt would ask a user about, who shall know it before the download; each package is got, unpacked and set up
  plan=$(LC_ALL=C "${apt[@]}" install --assume-no -q --no-install-recommends "${missing[@]}" 2>/dev/null || true)
  apt_plan <<<"$plan"
  LC_ALL=C steps=$((3 * $(sed -n 's/.* \([0-9]*\) newly installed.*/\1/p' <<<"$plan" | grep . || echo 0))) \
    with_progress 10 "$log" "${apt[@]}" install -y -q --no-install-recommends "${missing[@]}" \
    || die "the packages could not be installed"
}

# What kiln is built from and run by for ARM64 on another processor, and the options of that build (packaging/arm64.cmake).
# What is the same for all processors is there already; OpenEXR's package for one excludes that for another.
arm64_options=("-DCMAKE_TOOLCHAIN_FILE=$root/packaging/arm64.cmake" -DKILN_CPU_ISAS=all -DKILN_CUDA=OFF -DKILN_EXR=OFF -DKILN_MPI=OFF)
arm64_packages() {
  local name packages=(g++-aarch64-linux-gnu qemu-user-static)
  dpkg --print-foreign-architectures | grep -qx arm64 || dpkg --add-architecture arm64 ||
    die "kiln for ARM64 needs Debian's packages for it. As root, run: dpkg --add-architecture arm64"
  for name in "${build_packages[@]}" libgtest-dev; do
    [[ $name =~ ^lib(cli11|boost|openexr)-dev$ || ! $name =~ ^(lib|zlib).*-dev$ ]] || packages+=("$name:arm64")
  done
  need_packages "${packages[@]}"
}

# apt_plan: of what apt-get says before it asks whether to go on, the numbers in one line.
apt_plan() {
  local line count='' download='' disk=''
  while IFS= read -r line; do
    [[ $line =~ ([0-9]+)\ newly\ installed ]] && count=${BASH_REMATCH[1]}
    [[ $line =~ ^Need\ to\ get\ ([0-9.,]+\ [kMG]?B)[/\ ] ]] && download=${BASH_REMATCH[1]}
    [[ $line =~ ^After\ this\ operation,\ ([0-9.,]+\ [kMG]?B)\ of\ additional ]] && disk=${BASH_REMATCH[1]}
  done
  [ -z "$count" ] || say "$count packages${download:+, $download to download}${disk:+, $disk on the disk}"
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

# Is there a GPU that CUDA programs can use?
has_gpu() { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU'; }

# cuda_options [ARCHS]: sets `cuda_options` for CMake; without ARCHS the GPUs of this machine, else 90.
cuda_options() {
  local archs=${1:-}
  find_nvcc
  if [ -z "$nvcc" ]; then
    cuda_options=(-DKILN_CUDA=OFF)
    return 0
  fi
  if [ -z "$archs" ] && has_gpu; then
    archs=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d '. ' | grep -xE '[0-9]+' | sort -un | paste -sd ';') || archs=
  fi
  cuda_options=(-DKILN_CUDA=ON "-DKILN_CUDA_ARCHS=${archs:-90}" "-DCMAKE_CUDA_COMPILER=$nvcc")
}

# Sets `cuda_options` for packages: code for the GPUs that people have, as far as this nvcc knows them; who makes packages adds
# the compiler for older drivers (packaging/nvrtc).
package_cuda_options() {
  local arch known archs=
  find_nvcc
  [ -z "$nvcc" ] || known=$("$nvcc" --list-gpu-arch)
  for arch in 75 80 86 89 90 100 120; do
    if [[ ${known:-} == *compute_$arch* ]]; then archs+=${archs:+;}$arch; fi
  done
  cuda_options "$archs"
}

# configure FOLDER OPTION...: what every build has in common, so that scripts/test goes on in the folder where
# scripts/render ended without compiling it anew. Warnings are errors where the compiler is the one of the tests.
configure() {
  local folder=$1 warnings=OFF
  shift
  [ "$(${CXX:-g++} -dumpversion 2>/dev/null)" = 12 ] && warnings=ON
  quietly "$folder/configure.log" cmake -S "$root" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DKILN_WERROR=$warnings "$@"
}

# build_program [--cuda]: packages and build/kiln, where they are still to do, with what this machine can run: CUDA only if
# there is a GPU (or --cuda), of the instruction sets its own.
build_program() {
  local folder=$root/build cuda=
  need_packages "${build_packages[@]}"
  if [ "${1:-}" = --cuda ]; then
    find_nvcc
    [ -n "$nvcc" ] || die "--cuda needs nvcc, the compiler of CUDA 12 or later"
    grep -qs '^KILN_CUDA:STRING=ON' "$folder/CMakeCache.txt" || cuda=1
  elif [ ! -f "$folder/build.ninja" ] && has_gpu; then
    find_nvcc
    [ -n "$nvcc" ] && cuda=1 || say "there is a GPU but no CUDA compiler (nvcc): this build renders on the CPU"
  fi
  [ -z "$cuda" ] || cuda_options
  if [ ! -f "$folder/build.ninja" ]; then
    [ -n "$cuda" ] || cuda_options=(-DKILN_CUDA=OFF)
    configure "$folder" -DKILN_TESTS=OFF -DKILN_CPU_ISAS=native "${cuda_options[@]}"
  elif [ -n "$cuda" ]; then
    configure "$folder" "${cuda_options[@]}"
  fi
  if [ ! -x "$folder/kiln" ]; then  # seconds of one core: the program for one instruction set, one CUDA architecture
    local seconds=$(((300 + ${cuda:-0} * 240) / $(nproc)))
    say "building kiln, once: about $((seconds / 60 + 1)) min if this machine has nothing else to do"
  fi
  with_progress 10 "$folder/build.log" cmake --build "$folder" --target kiln
}

# with_progress SECONDS LOG COMMAND...: as quietly, and tells how far ninja is, or apt-get, which makes $steps steps: on a
# terminal in a line that rewrites itself, else in a new line every so many seconds.
with_progress() {
  local every=$1 log=$2 code=0
  shift 2
  mkdir -p "$(dirname "$log")"
  "$@" 2>&1 </dev/null | show_progress "$every" "$log" || code=${PIPESTATUS[0]}
  [ "$code" = 0 ] || report_failure "$code" "$log" "$@"
}

show_progress() {  # SECONDS LOG
  local every=$1 line count="[0]" name="the first files" start=$SECONDS said=$SECONDS code columns= done=0
  [ -t 2 ] && columns=$(stty size <&2 2>/dev/null | cut -d' ' -f2)
  while :; do
    code=0
    IFS= read -r -t 1 line || code=$?
    if [ $code = 0 ]; then
      printf '%s\n' "$line" >&3
      [[ $line =~ ^(\[[1-9][0-9]*/[0-9]+\])\ (Building.*/)?(.*) ]] && count=${BASH_REMATCH[1]} name="done: ${BASH_REMATCH[3]}"
      if [ "${steps:-0}" -gt 0 ] && apt_step "$line"; then
        done=$((done + 1)) count="[$done/$steps]" name=$step
      fi
    elif [ $code -le 128 ]; then
      break  # the end; above 128: a second without a word
    fi
    if [ -n "$columns" ]; then
      printf '\r\033[K%.*s' $((columns - 1)) "$count $((SECONDS - start)) s  $name" >&2
    elif ((SECONDS - said >= every)); then
      say "$count $((SECONDS - start)) s  $name"
      said=$SECONDS
    fi
  done 3>"$2"
  [ -z "$columns" ] || printf '\r\033[K' >&2
}

# apt_step LINE: sets `step` to what apt-get does there with which package; false: nothing that is counted.
apt_step() {
  local words
  read -r -a words <<<"$1"
  case $1 in
    Get:*) step="download ${words[4]:-} ${words[7]:-} ${words[8]:-}" ;;
    Unpacking\ * | Setting\ up\ *) step="${1%% (*}" ;;
    *) return 1 ;;
  esac
}

# quietly LOG COMMAND...: output goes to LOG; when the command fails, the end of it is shown.
quietly() {
  local log=$1 code=0
  shift
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 </dev/null || code=$?
  [ $code = 0 ] || report_failure $code "$log" "$@"
}

report_failure() {  # CODE LOG COMMAND...: says what failed and returns CODE
  local code=$1 log=$2
  shift 2
  grep -nE '(error|Error|FAILED)[: ]' "$log" | head -20 >&2 || true
  tail -30 "$log" >&2
  say "failed ($code): $*"
  say "the whole log is $log"
  return "$code"
}
