#!/usr/bin/env bash
# usage: fuzz.sh BUILD [MINUTES [TARGET...]]
# Fuzzes every target (every reader of files, every verb on mutated bodies; BUILD/tests/fuzz/fuzz list) on all processors
# for so many minutes in all, the time shared out alike. Corpora grow in BUILD/fuzz/corpus from run to run, findings lie
# in BUILD/fuzz/findings. A table tells executions, edges of the code that were reached, and findings: those of this run,
# and executions of all runs. Ends with 1 where something was found.
set -euo pipefail
build=$1 minutes=${2:-10}
shift; [ $# -gt 0 ] && shift
fuzz=$(realpath "$build")/tests/fuzz/fuzz
home=$(realpath "$build")/fuzz
jobs=${JOBS:-$(nproc)}
mkdir -p "$home/logs" "$home/findings" "$home/corpus"
exec 9>"$home/lock"
flock -n 9 || { echo "fuzz.sh: another run uses $home" >&2; exit 2; }
here=$(cd "$(dirname "$0")/.." && pwd)
[ -d /dev/shm ] && export TMPDIR=/dev/shm  # files that readers are given need no disk
export LEGWORK_CC=none  # rollouts are not compiled: they are too short for it
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <("$fuzz" list)
"$fuzz" seeds "$home/corpus"
cp -rn "$here/tests/fuzz/corpus/." "$home/corpus"

seconds=$(awk -v m="$minutes" -v j="$jobs" -v n=${#targets[@]} 'BEGIN { s = int(m * 60 * j / n); print s < 2 ? 2 : s }')
one() {
  target=$1 log=$home/logs/$1
  "$fuzz" "$target" -max_total_time="$seconds" -timeout=30 -report_slow_units=1000 -rss_limit_mb=3000 -max_len=200000 -print_final_stats=1 \
    -artifact_prefix="$home/findings/$target-" "$home/corpus/$target" >"$log" 2>&1 || touch "$log.found"
  awk '/^stat::number_of_executed_units/ { print $2 }' "$log" >>"$log.executions"
}
export -f one
export fuzz home seconds
rm -f "$home"/logs/*.found
echo "${#targets[@]} targets, $seconds s each, $jobs at a time"
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c 'one {}'

found=0
printf '%-12s %11s %9s %9s %7s %12s  %s\n' target executions 'a second' edges corpus 'in all runs' finding
for target in "${targets[@]}"; do
  log=$home/logs/$target
  read -r executions rate < <(awk '/^stat::number_of_executed_units/ { n = $2 } /^stat::average_exec_per_sec/ { r = $2 }
    END { print n + 0, r + 0 }' "$log")
  edges=$(awk '{ for (i = 1; i < NF; i++) if ($i == "cov:") e = $(i + 1) } END { print e + 0 }' "$log")
  all=$(awk '{ n += $1 } END { print n + 0 }' "$log.executions")
  corpus=$(find "$home/corpus/$target" -type f | wc -l)
  finding=none
  if [ -e "$log.found" ]; then
    found=1
    finding=$(grep -oE "Test unit written to .*" "$log" | tail -1 | sed 's/.* //')
    finding="$(grep -oE "SUMMARY: .*" "$log" | tail -1 | cut -c1-160)
    again: $fuzz $target ${finding:-(it ended before it began: $log)}"
  fi
  printf '%-12s %11s %9s %9s %7s %12s  %s\n' "$target" "$executions" "$rate" "$edges" "$corpus" "$all" "$finding"
done
exit $found
