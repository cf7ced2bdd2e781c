#!/usr/bin/env bash
# usage: install_dependencies.sh GROUP...   groups: build viewer python test long package sanitize bits bench site
# Installs the Debian packages that are missing; costs nothing when all are there.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A packages=(
  [build]="cmake ninja-build pkg-config clang lld ccache g++ libeigen3-dev libtomlplusplus-dev libpugixml-dev
           libtinygltf-dev nlohmann-json3-dev libcli11-dev libsqlite3-dev libembree-dev libstb-dev libopenmpi-dev openmpi-bin ffmpeg"
  [python]="python3-dev pybind11-dev python3-pybind11 python3-numpy python3-setuptools python3-pip python3-wheel"
  [test]="python3-pytest python3-hypothesis python3-matplotlib mypy libgtest-dev libmujoco-dev librandom123-dev clang-format chromium nodejs npm"
  [bench]="libbenchmark-dev libmujoco-dev libdart-dev libdart-external-ikfast-dev libbullet-dev libbullet-extras-dev"
  [viewer]="nodejs npm"
  [package]="dpkg-dev fakeroot"
  [long]="debootstrap qemu-user-static blender python3-numpy python3-venv"
  [sanitize]="libclang-rt-14-dev"
  [bits]="g++-aarch64-linux-gnu g++-riscv64-linux-gnu qemu-user-static"
  [site]="mkdocs python3-pymdownx libjs-katex"
)

missing=()
for group in "$@"; do
  [ -n "${packages[$group]:-}" ] || { echo "install_dependencies.sh: no group '$group'; groups: ${!packages[*]}" >&2; exit 2; }
  for package in ${packages[$group]}; do
    # node and npm also come from elsewhere than Debian; then Debian's would be in conflict with them
    case $package in nodejs | npm) command -v node >/dev/null && command -v npm >/dev/null && continue ;; esac
    dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
done

if [ ${#missing[@]} -gt 0 ]; then
  if [ "$(id -u)" -eq 0 ]; then root=
  elif command -v sudo >/dev/null; then root=sudo
  else
    echo "install_dependencies.sh: these packages are missing: ${missing[*]}; install them as root" >&2
    exit 1
  fi
  echo "installing ${missing[*]}"
  $root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

# Packages of npm, exactly those of the folder's lock file.
install_npm() {
  [ -f "$1/package.json" ] || return 0
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] || (cd "$1" && npm ci --no-audit --no-fund)
}
for group in "$@"; do
  case $group in
    viewer) install_npm viewer ;;
    test) install_npm tests/tools ;;
  esac
done
