#!/usr/bin/env bash
# usage: demo.sh BUILD   what Legwork does, as a gallery to look at
set -euo pipefail
build=$(realpath "${1:-build}")
out=$build/demo
legwork=$build/legwork
mkdir -p "$out"

# show NAME VERB CREATURE [options]: one motion of the gallery
motions=()
show() {
  local name=$1
  shift
  echo "> legwork $*"
  "$legwork" "$@" --out "$out/$name.glb"
  motions+=("$out/$name.glb")
  echo
}

"$legwork" creatures
echo
show ragdoll_falls drop ragdoll --seconds 3 --height 0.6m --spin 0,1.5,0.4
show hexapod_lands drop hexapod --seconds 2 --height 0.3m --throw 0.4,0,0
show hexapod_on_rough_ground drop hexapod --seconds 2 --terrain rough:0.03,0.4 --height 0.25m
show tumbling_pair drop tumbler --seconds 3 --height 1m --throw 0.3,0,2 --spin 3,5,1
show box_on_a_slope drop box --seconds 2 --terrain slope:25deg --friction 0.3 --height 0.05m
show pendulum_swings drop pendulum --pose raised --seconds 4
show forty_balls_on_a_table drop puffs --seconds 3
show four_bar_loop drop fourbar --seconds 3

"$legwork" view "${motions[@]}" --report "$out/gallery.html" --title "What Legwork does"
echo
echo "Look at it: $out/gallery.html"
