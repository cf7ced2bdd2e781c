#!/usr/bin/env bash
# usage: demo.sh BUILD   what Legwork does, as one gallery to look at; what was made by this program is not made again
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build}
out=$build/demo
legwork=$build/legwork
mkdir -p "$out"

motions=()
# made FILE: by this very program, in an earlier run
made() { [ "$1" -nt "$legwork" ]; }

# show NAME VERB CREATURE [options]: one motion of the gallery
show() {
  local name=$1 file=$out/$1.glb
  shift
  echo "> $legwork $* --out $file"
  if made "$file"; then
    echo "  made already"
  else
    # 3: the creature failed, which is to be seen as well
    "$legwork" "$@" --out "$file" | sed 's/^/  /' || [ $? = 3 ]
  fi
  motions+=("$file")
}

"$legwork" creatures
echo

echo "Walking by oscillators and reflexes"
show roach_walks_over_bumps walk roach --seconds 3 --slowness 3 --feet stick --terrain bumps:0.004,0.03
show dog_walks walk dog --seconds 6
show roach_drops_and_stands script examples/roach_drops.corpus
show roach_jumps script examples/roach_jumps.corpus
show roach_breaks_through_wires script examples/roach_wires.corpus
show roach_sprayed_flips_and_rights_itself script examples/roach_spray.corpus

echo
echo "Ways to move, found by search"
echo "> $legwork discover bounder --folder $out/bounder"
if made "$out/bounder/gait_04.glb"; then
  echo "  made already"
else
  "$legwork" discover bounder --folder "$out/bounder" | sed 's/^/  /'
fi
for k in 1 2 3 4; do
  cp -p "$out/bounder/gait_0$k.glb" "$out/bounder_way_$k.glb"
  motions+=("$out/bounder_way_$k.glb")
done
show fish_follows_a_point run examples/fish_follows.toml
show cart_rolls run examples/cart_rolls.toml
show bounder_climbs_a_hill run examples/bounder_climbs.toml

echo
echo "Motion by equations"
show biped_walks_by_equations direct biped --algorithm walk --seconds 8
show biped_walks_on_the_ground direct biped --algorithm ground_walk --seconds 6
show biped_climbs_stairs direct biped --algorithm stairs --terrain steps:0.12,0.36 --seconds 6

echo
echo "Gaits from natural vibrations"
show dog_trots modes dog --action trot --stiffness 20 --spine 5 --hz 2 --seconds 4
show loop_rolls modes loop_creature --stiffness 1 --dynamic --mode 6=1 --mode 7=1,90 --hz 5.26 --seconds 3

echo
echo "Gaits from the joints' ranges"
show apatosaurus_walks reach apatosaurus --resolution 5 --iterations 1000
show tyrannosaurus_walks reach tyrannosaurus --step 0.98h --iterations 2000

echo
echo "From kinematics to physics"
show biped_walks_without_magnets direct biped --track "$out/biped_walks_by_equations.glb" --seconds 6

echo
echo "Bodies that fall"
show ragdoll_downhill drop ragdoll --seconds 3 --terrain slope:-25deg --height 0.2m --throw 1.5,0,0 --friction 0.4
show tumbling_on_the_moon drop tumbler --seconds 3 --height 0.5m --throw 0.3,0,1 --spin 3,5,1 --gravity 1.62

echo
echo "> $legwork gait $out/dog_trots.glb"
"$legwork" gait "$out/dog_trots.glb" | sed 's/^/  /'
echo
if ! made "$out/strip.png"; then
  echo "> $legwork render $out/dog_trots.glb --strip 6 $out/strip.png --width 960 --height 300 --samples 8"
  "$legwork" render "$out/dog_trots.glb" --strip 6 "$out/strip.png" --width 960 --height 300 --samples 8
fi
"$legwork" view "${motions[@]}" --report "$out/index.html" --title "What Legwork does"
echo
echo "The gallery: $(realpath "$out/index.html")"
echo "A picture:   $(realpath "$out/strip.png")"
