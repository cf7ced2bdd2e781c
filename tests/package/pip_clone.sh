#!/usr/bin/env bash
# usage: pip_clone.sh BUILD [PYTHON]   needs python3-venv
# A clean clone of this tree, and a fresh environment of Python that knows nothing of it: pip builds and installs there
# without a network, the clone is removed, and what is installed walks with the bits of the program in BUILD.
set -euo pipefail
build=$(realpath "$1") python=${2:-/usr/bin/python3}
source=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

git clone --quiet "$source" "$place/clone"
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
[ -s ours.html ]
venv/bin/pip uninstall --quiet --yes legwork
if find venv -iname '*legwork*' | grep .; then echo "pip_clone.sh: these files are left" >&2; exit 1; fi
echo "pip_clone.sh: built from a clone, installed, same bits as the program, removed"
