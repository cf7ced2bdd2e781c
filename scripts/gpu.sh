#!/usr/bin/env bash
# usage: gpu.sh BUILD [CREATURE...]
# Programs for an NVIDIA graphics processor, BUILD/gpu/CREATURE: rollouts of a creature there, compared with the processor's
# and counted. Needs nvcc to build and a card to run. LEGWORK_GPU_ARCH: for which cards, default this machine's, else sm_90.
set -euo pipefail
build=$1
shift
[ $# -gt 0 ] || set -- bounder bench_bounder
nvcc=$(command -v "${LEGWORK_NVCC:-nvcc}" || command -v /usr/local/cuda/bin/nvcc) || {
  echo "gpu.sh: nvcc is not found, so nothing is made for graphics processors" >&2
  exit 1
}
arch=${LEGWORK_GPU_ARCH:-$(nvidia-smi >/dev/null 2>&1 && echo native || echo sm_90)}
mkdir -p "$build/gpu"
for creature in "$@"; do
  "$build/bench/emit" "$creature" "$build/gpu/$creature.cu"
  "$nvcc" "-arch=$arch" -O3 -fmad=false -Xcompiler -ffp-contract=off -w "$build/gpu/$creature.cu" -o "$build/gpu/$creature"
  echo "wrote $build/gpu/$creature; run it where there is a card"
done
