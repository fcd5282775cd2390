#!/bin/sh
# SPDX-License-Identifier: MIT
# The frames of an animation by several machines that share a folder, with ssh alone.
#   HOSTS="ash birch cedar" sh examples/animate.sh /shared/keys.flam3 /shared/out [OPTION...]
# Run again after a failure: finished frames are kept (--resume).
set -eu
flames=$1 folder=$2
shift 2
mkdir -p "$folder"
set -- --resume --progress none "$@"
parts=$(echo "$HOSTS" | wc -w) part=0 jobs=
for host in $HOSTS; do
  part=$((part + 1))
  # a host called "local" is this machine
  [ "$host" = local ] && run= || run="ssh $host"
  $run kiln animate "$flames" -o "$folder/####.png" --chunk "$part/$parts" "$@" </dev/null >"$folder/part-$part.log" 2>&1 &
  jobs="$jobs $!"
done
failed=0
for job in $jobs; do wait "$job" || failed=1; done
exit $failed
