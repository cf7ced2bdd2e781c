#!/usr/bin/env bash
# usage: bare_debian.sh BUILD   as root, with a network; needs debootstrap and qemu-user-static
# The package BUILD/legwork_*_amd64.deb on a Debian 12 that has nothing else: it installs with its dependencies and no
# compiler and no Open MPI, walks, walks with the same bits on a processor that has SSE2 alone and from Python, and leaves nothing when it is purged.
set -euo pipefail
build=$(realpath "$1")
deb=$(ls "$build"/legwork_*_amd64.deb)
root=$build/bare_debian

fail() { echo "bare_debian.sh: $*" >&2; exit 1; }
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }

rm -rf "$root"
debootstrap --variant=minbase bookworm "$root" >"$build/bare_debian.log" ||
  { tail -5 "$build/bare_debian.log"; fail "debootstrap failed"; }
cp "$deb" "$root/legwork.deb"
cp "$(command -v qemu-x86_64-static)" "$root/qemu"

inside apt-get install -y -q --no-install-recommends /legwork.deb >>"$build/bare_debian.log" 2>&1 ||
  { tail -5 "$build/bare_debian.log"; fail "the package does not install"; }
for compiler in cc c++ gcc g++ clang++; do
  inside which "$compiler" && fail "there is a compiler: this proves nothing"
done
inside legwork --version

# level PREFIX...: the folder that the loader takes the library from
level() { inside "$@" 2>&1 | grep -oE 'calling init: .*/liblegwork\.so[^ ]*' | sed 's|.*calling init: ||; s|/liblegwork.*||'; }
echo "library here: $(level env LD_DEBUG=libs legwork --version)"

inside legwork walk dog --seconds 2 --quiet --out /here.glb --report /dog.html
[ "$(stat -c %s "$root/dog.html")" -gt 100000 ] || fail "dog.html is too small to be a page"

# a launcher says that it started several, but the package does not bring Open MPI
{ inside env OMPI_COMM_WORLD_SIZE=2 legwork discover cart --quiet 2>&1 || true; } | grep -F "install openmpi-bin" ||
  fail "nobody says that Open MPI is missing"

old="/qemu -cpu Opteron_G1"
folder=$(level $old -E LD_DEBUG=libs /usr/bin/legwork --version)
[ -n "$folder" ] && [[ $folder != *glibc-hwcaps* ]] || fail "the old processor was given the library of '$folder'"
echo "library with SSE2 alone: $folder"
inside $old /usr/bin/legwork walk dog --seconds 2 --quiet --out /old.glb
cmp "$root/here.glb" "$root/old.glb" || fail "the bits differ"
echo "the same bits on both processors: $(sha256sum <"$root/here.glb" | cut -c1-16)"

# Python's module, with what it recommends
inside apt-get install -y -q --no-install-recommends python3-numpy >>"$build/bare_debian.log" 2>&1 ||
  { tail -5 "$build/bare_debian.log"; fail "numpy does not install"; }
inside python3 -c "import legwork as lw; lw.walk('dog', seconds=2).save('/python.glb')"
cmp "$root/here.glb" "$root/python.glb" || fail "Python's bits differ"
echo "the same bits from Python"

inside dpkg -L legwork >"$build/bare_debian.files"
inside dpkg --purge legwork >>"$build/bare_debian.log" 2>&1
while read -r path; do
  [ -e "$root$path" ] || continue
  inside dpkg -S "$path" >/dev/null 2>&1 || fail "$path is left after the purge"
done < <(grep -vx '/\.' "$build/bare_debian.files")
inside ldconfig -p | grep legwork && fail "the loader still knows the library"
rm -rf "$root"
echo "bare_debian.sh: installed, walked, purged"
