#!/usr/bin/env bash
# usage: build_viewer.sh FILE.html FILE.cpp   the report's page from viewer/, as HTML and as a C++ source
# Installs the packages of the lock file first where they are missing or old.
set -euo pipefail
html=$(realpath -m "$1")
cpp=$(realpath -m "$2")
cd "$(dirname "$0")/../viewer"

exec 9>.install.lock
flock 9
if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then
  npm ci --no-audit --no-fund --loglevel=error >&2 ||
    { echo "build_viewer.sh: npm could not install the viewer's packages; is there a network?" >&2; exit 1; }
fi
node build.js "$html" "$cpp"
