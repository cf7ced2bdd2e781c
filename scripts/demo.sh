#!/usr/bin/env bash
# usage: demo.sh BUILD   what Legwork does, in files to look at
set -euo pipefail
build=${1:-build}
out=$build/demo
mkdir -p "$out"

"$build/legwork" drop hexapod --seconds 2 --out "$out/drop.glb"

echo
echo "Look at it: open $out/drop.glb in any glTF viewer (Blender, a browser's three.js viewer, f3d)."
