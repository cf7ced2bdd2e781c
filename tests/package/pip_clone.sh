#!/usr/bin/env bash
# usage: pip_clone.sh BUILD [PYTHON]   needs python3-venv
# A clean clone of this tree with the dependencies that docs/python.md names, and a fresh environment of Python that knows
# nothing of it: pip builds and installs there without a network, the clone is removed, and what is installed walks with
# the bits of the program in BUILD and writes the 3D page.
set -euo pipefail
build=$(realpath "$1") python=${2:-/usr/bin/python3}
source=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

git clone --quiet "$source" "$place/clone"
"$place/clone/scripts/install_dependencies.sh" build viewer python >"$place/dependencies.log" 2>&1 ||
  { tail -5 "$place/dependencies.log"; exit 1; }
"$python" -m venv --system-site-packages "$place/venv"  # numpy, setuptools and wheel are Debian's
unset PYTHONPATH LEGWORK_BUILD LEGWORK_CREATURES
PIP_NO_INDEX=1 PIP_DISABLE_PIP_VERSION_CHECK=1 "$place/venv/bin/pip" install --quiet --no-build-isolation "$place/clone"
rm -rf "$place/clone"

cd "$place"
venv/bin/python -c "
import legwork as lw
assert lw.__file__.startswith('$place/venv'), lw.__file__
walk = lw.walk('dog', seconds=2)
walk.save('ours.glb')
walk.report('ours.html')"
"$build/legwork" walk dog --seconds 2 --quiet --out theirs.glb
cmp ours.glb theirs.glb
[ "$(stat -c %s ours.html)" -gt 100000 ] || { echo "pip_clone.sh: ours.html is too small to be a page" >&2; exit 1; }
venv/bin/pip uninstall --quiet --yes legwork
if find venv -iname '*legwork*' | grep .; then echo "pip_clone.sh: these files are left" >&2; exit 1; fi
echo "pip_clone.sh: built from a clone, installed, same bits as the program, removed"
