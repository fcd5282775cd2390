#!/bin/sh
# SPDX-License-Identifier: MIT
# no_fused_complex_products.sh PROGRAM FAMILY: fails if the compiler fused complex products into vfmaddsub or vfmsubadd. g++ 12 does so for
# {x*s - y*c, x*c + y*s} in spite of -ffp-contract=off; such a lane is rounded once where every other device rounds twice.
program=$1
command -v objdump >/dev/null || { echo "skipped: no objdump (package binutils)"; exit 77; }
[ "$2" = x86-64 ] || { echo "skipped: not x86-64"; exit 77; }
listing=$(mktemp) && trap 'rm -f "$listing"' EXIT
objdump -d -C --no-show-raw-insn "$program" >"$listing" || exit 1
count=$(grep -cE '\<vfmadd[0-9]+ps' "$listing")
[ "$count" -ge 100 ] || { echo "only $count vfmadd...ps in $program: are the CPU kernels in it?"; exit 1; }
awk '/^[0-9a-f]+ </ { name = $0 } /vfm(addsub|subadd)/ { print name; print $0; found = 1 } END { exit found }' "$listing" ||
  { echo "fused complex products: write the product with an explicit fma() (kernels/math.h)"; exit 1; }
echo "$count packed fma instructions, none of them fuses a complex product"
