#!/usr/bin/env bash
# usage: demo.sh BUILD   what Legwork does, as a gallery to look at
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
out=$build/demo
legwork=$build/legwork
mkdir -p "$out"

# show NAME VERB CREATURE [options]: one motion of the gallery
motions=()
show() {
  local name=$1
  shift
  echo "> $legwork $* --out $out/$name.glb"
  "$legwork" "$@" --out "$out/$name.glb" | sed 's/^/  /'
  motions+=("$out/$name.glb")
}

"$legwork" creatures
echo
show roach_walks walk roach --seconds 2
show quadruped_walks walk quadruped --seconds 3
show hexapod_lands drop hexapod --seconds 2 --height 0.3m --throw 0.4,0,0
show hexapod_on_rough_ground drop hexapod --seconds 2 --terrain rough:0.03,0.4 --height 0.25m
show strider_thrown drop strider --seconds 2 --height 0.1m --throw 1.2,0,0 --friction 0.4
show strider_on_stairs drop strider --seconds 2.5 --terrain steps:0.06,0.3 --height 0.15m --throw 0.8,0,0.5
show newt_on_an_egg_crate drop newt --seconds 2 --terrain bumps:0.01,0.08 --height 0.1m
show ragdoll_falls drop ragdoll --seconds 3 --height 0.6m --spin 0,1.5,0.4
show ragdoll_downhill drop ragdoll --seconds 3 --terrain slope:-25deg --height 0.2m --throw 1.5,0,0 --friction 0.4
show forty_puffs_on_a_table drop puffs --seconds 3
show tumbling_on_the_moon drop tumbler --seconds 3 --height 0.5m --throw 0.3,0,1 --spin 3,5,1 --gravity 1.62
show dog_trots modes dog --action trot --stiffness 20 --spine 5 --hz 2 --seconds 4
show loop_rolls modes loop_creature --stiffness 1 --dynamic --mode 6=1 --mode 7=1,90 --hz 5.26 --seconds 3
show pendulum_swings drop pendulum --seconds 4 --pose raised
show tyrannosaurus_walks reach tyrannosaurus --step 0.98h --iterations 2000
show triceratops_walks reach triceratops --resolution 5 --iterations 1000
show four_bar_loop drop fourbar --seconds 3
show fish_follows_a_point run examples/fish_follows.toml
show cart_rolls run examples/cart_rolls.toml
show bounder_climbs_a_hill run examples/bounder_climbs.toml
show roach_drops_and_stands script examples/roach_drops.corpus
show roach_jumps script examples/roach_jumps.corpus
show roach_breaks_through_wires script examples/roach_wires.corpus
show roach_sprayed_flips_and_rights_itself script examples/roach_spray.corpus
show biped_walks_by_equations direct biped --algorithm walk --seconds 8
show biped_walks_on_the_ground direct biped --algorithm ground_walk --seconds 5

echo
echo "> $legwork gait $out/strider_thrown.glb"
"$legwork" gait "$out/strider_thrown.glb" | sed 's/^/  /'
echo
echo "> $legwork render $out/hexapod_lands.glb --strip 6 $out/strip.png --width 960 --height 300 --samples 8"
"$legwork" render "$out/hexapod_lands.glb" --strip 6 "$out/strip.png" --width 960 --height 300 --samples 8

"$legwork" view "${motions[@]}" --report "$out/index.html" --title "What Legwork does"
echo
echo "The gallery: $(realpath "$out/index.html")"
echo "A picture:   $(realpath "$out/strip.png")"
