#!/usr/bin/env bash
# usage: reference.sh ROOT PYTHON   docs/python_reference.md is what the package's own docstrings say
cd "$1" || exit 2
diff <("$2" scripts/python_reference.py) docs/python_reference.md >&2 || {
  echo "docs/python_reference.md: not what the package says; run: PYTHONPATH=build/python python3 scripts/python_reference.py > docs/python_reference.md" >&2
  exit 1
}
