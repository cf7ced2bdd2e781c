#!/usr/bin/env bash
# usage: pip_install.sh ROOT BUILD PYTHON
# pip installs the package offline, from what BUILD has built, into a folder of its own; moved elsewhere and without any
# hint at the tree that built it, it walks with the bits of the program.
set -euo pipefail
root=$1 build=$2 python=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
# pip builds in the tree that it is given: here one of links, so that ours stays clean
mkdir "$place/tree"
for name in CMakeLists.txt README.md setup.py pyproject.toml python creatures algorithms; do ln -s "$root/$name" "$place/tree/$name"; done
env -u PYTHONPATH LEGWORK_BUILD="$build" PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 \
  "$python" -m pip install --quiet --no-build-isolation --no-deps --target "$place/site" "$place/tree"
mv "$place/site" "$place/moved"
cd "$place"
if grep -rlF "$root" moved; then echo "pip_install.sh: these files name the source tree" >&2; exit 1; fi
env -u LEGWORK_CREATURES PYTHONPATH="$place/moved" "$python" -c "
import legwork as lw
assert lw.__file__.startswith('$place/moved'), lw.__file__
lw.drop('hexapod', seconds=0.2).save('ours.glb')
lw.direct('biped', seconds=0.1)"
"$build/legwork" drop hexapod --seconds 0.2 --quiet --out theirs.glb
cmp ours.glb theirs.glb
[ -e moved/legwork/methods.pyi ] && [ -e moved/legwork/py.typed ]
echo "pip_install.sh: installed, moved, same bits"
