#!/bin/sh
# SPDX-License-Identifier: MIT
# no_libm_transcendentals.sh OBJECTS...: fails if an object or a library of kiln wants a transcendental function of libm. They differ
# between versions and processors in the last bits; kernels/math.h and engine/model/exact_math.h have ours.
command -v nm >/dev/null || { echo "skipped: no nm (package binutils)"; exit 77; }
names='a?sin|a?cos|a?tan|atan2|sincos|a?sinh|a?cosh|a?tanh|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|t?gamma|lgamma|erfc?|c(exp|log|pow|sin|cos|abs|arg)'
symbols=$(for object in "$@"; do nm -u "$object" || exit 1; done) || { echo "nm failed on $*"; exit 1; }
wanted=$(echo "$symbols" | sed 's/@.*//' | awk '$1 == "U" || $1 == "w" { print $2 }' | sort -u)
[ "$(echo "$wanted" | wc -l)" -ge 20 ] || { echo "hardly any undefined symbol in $*: not what was built?"; exit 1; }
# name, namef, namel, the fast twins __name_finite, glibc's vectors _ZGVdN4v_name
found=$(echo "$wanted" | grep -E "^(__|_ZGV[a-zA-Z0-9]+_)?($names)[fl]?(_finite|_[a-z0-9]+)?$")
if [ -n "$found" ]; then
  echo "libm transcendentals:"
  for symbol in $found; do
    echo "  $symbol"
    nm -uA "$@" | grep -w "$symbol" | head -3
  done
  exit 1
fi
echo "$(echo "$wanted" | wc -l) symbols from elsewhere, none of them a transcendental function"
