# Sourced by the tests of the package: the guest's project of this folder, and what must not change for it.
# Needs: $source (our tree), $cmake, $compiler (the guest's).

# configure FOLDER [OPTIONS...]: the guest's project, with flags of its own
configure() {
  local folder=$1
  shift
  rm -rf "$folder"
  "$cmake" -S "$source/tests/package" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS=-O1 \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "$@" >/dev/null
}

# unchanged FOLDER INCLUDES: the guest's source is compiled with its own flags, our public headers and C++20, and
# neither our linker nor our launcher nor our build type is set for it
unchanged() {
  local command
  command=$(grep '"command".*guest\.cpp' "$1/compile_commands.json" | sed -E 's/.*"command": "(.*)",?$/\1/')
  local flags
  flags=$(tr ' ' '\n' <<<"$command" | grep -vE '^(|-O1|-std=(gnu|c)\+\+20|-o|-c|CMakeFiles.*|.*guest\.cpp)$' | tail -n +2)
  local more
  more=$(sed "s|^-I||" <<<"$flags" | grep -vxE -e '-isystem' -e "$2" || true)
  [ -z "$more" ] || { echo "guest.sh: the guest is compiled with more than its own flags: $more ($command)" >&2; exit 1; }
  [[ $command == "$(command -v "$compiler")"\ * ]] || { echo "guest.sh: not the guest's compiler: $command" >&2; exit 1; }
  if grep -A20 'EXECUTABLE_LINKER__guest' "$1/build.ninja" "$1"/CMakeFiles/rules.ninja | grep -q 'fuse-ld\|ccache'; then
    echo "guest.sh: the guest is linked with our linker or launcher" >&2
    exit 1
  fi
  local variable
  for variable in CMAKE_BUILD_TYPE CMAKE_CXX_COMPILER_LAUNCHER; do
    if grep "^$variable:.*=." "$1/CMakeCache.txt"; then
      echo "guest.sh: this is set for the guest" >&2
      exit 1
    fi
  done
}
