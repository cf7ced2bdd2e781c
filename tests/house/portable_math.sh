#!/usr/bin/env bash
# usage: portable_math.sh ROOT [BUILD]
# Results have the same bits on every machine: libm's functions that round differently from one processor to the next
# (sin, exp, pow, ...) are not called in src/; math/real.h and math/scalar.h have their own. Rooms that only draw or show may call them: render
# and report. With BUILD the objects of the library are checked as well, which also finds calls that a header hides.
set -u
cd "$1" || exit 2
names='sin|cos|tan|asin|acos|atan|atan2|sincos|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|log|log2|log10|log1p|pow|hypot|cbrt|erf|erfc|tgamma|lgamma|fma'

bad=0
while IFS=: read -r file line text; do
  echo "$file:$line: calls libm, whose last bits depend on the processor; use math/real.h or math/scalar.h: ${text#"${text%%[! ]*}"}" >&2
  bad=1
done < <(grep -rnE "(std|__builtin_)::?($names)[fl]?\(|__builtin_($names)[fl]?\(" src include --include='*.h' --include='*.cpp' |
  grep -vE '^src/(render|report)/')

if [ $# -gt 1 ]; then
  objects=$(cd "$2" && find CMakeFiles/legwork.dir/src -name '*.o' ! -path '*/src/render/*' ! -path '*/src/report/*')
  [ -n "$objects" ] || { echo "portable_math.sh: there are no objects in $2" >&2; exit 2; }
  while read -r object _ name; do
    echo "$object calls libm's $name, whose last bits depend on the processor; use math/real.h or math/scalar.h" >&2
    bad=1
  done < <(cd "$2" && nm -A --undefined-only $objects | sed 's/:  */ /' | grep -E " U ($names)[fl]?(@.*)?$")
fi
exit $bad
