"""usage: python_bench.py PEER.so [--json FILE]    what Python costs, beside C++ in the same process, in turns"""

import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

import legwork as lw

TURNS = 15


def row(name, value, unit, peer="", peer_value=0.0, target=0.0, at_least=False, on_value=False, ratio=None):
    ratio = ratio if ratio is not None else (value / peer_value if peer_value else 0)
    measured = value if on_value else ratio
    met = measured >= target if at_least else measured <= target
    beside = f"{peer} {peer_value:.4g}, ratio {ratio:.3f}" if peer else ""
    print(f"{name:52} {value:10.4g} {unit:4} {beside:40} target {'>=' if at_least else '<='} {target:g} {'met' if met else 'MISSED'}")
    return dict(name=name, value=value, unit=unit, peer=peer, peer_value=peer_value, ratio=ratio, target=target, met=met)


def step_row(peer, body):
    """A step with torques from Python, less a step in C++."""
    turns, steps = 201, 200  # short turns: most are undisturbed by what else the machine does
    simulation = lw.Simulation(body)
    torque = np.zeros(simulation.nv)
    ours, theirs, more = [], [], []
    for _ in range(turns):
        simulation.reset()
        step = simulation.step
        start = time.perf_counter()
        for _ in range(steps):
            step(torque)
        ours.append((time.perf_counter() - start) / steps * 1e6)
        theirs.append(peer.peer_steps(body.encode(), steps) / steps * 1e6)
        more.append(ours[-1] - theirs[-1])
    extra = statistics.median(more)
    return row(
        f"a step of the {body} from Python, more than in C++", extra, "us", "C++ step", statistics.median(theirs), 2, on_value=True
    )


def rollout_row(peer, body):
    """A rollout with all its states and rewards, beside a bare batch of the same bodies under the same commands."""
    creature = lw.load(body)
    actuators = creature.equipped().actuators
    count, steps, threads = 64, 60, 2
    middle = np.array([(a.lower + a.upper) / 2 for a in actuators])
    wave = 0.05 * np.array([a.upper - a.lower for a in actuators])
    controls = middle + wave * np.sin(np.arange(count * steps)[:, None] + np.arange(len(actuators)))
    controls = np.ascontiguousarray(controls.reshape(count, steps, -1))
    pointer = controls.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    ours, theirs, ratios = [], [], []
    for _ in range(TURNS):
        start = time.perf_counter()
        lw.rollout(creature, controls, threads=threads)
        ours.append(count / (time.perf_counter() - start))
        theirs.append(count / peer.peer_batch(body.encode(), pointer, count, steps, threads))
        ratios.append(ours[-1] / theirs[-1])
    return row(
        f"rollouts of the {body} for 2 s, 2 threads", statistics.median(ours), "1/s", "C++ batch", statistics.median(theirs), 0.95,
        at_least=True, ratio=statistics.median(ratios),
    )


def import_row():
    """Loading the module, numpy with it, in a fresh interpreter."""
    lines = "import time; t = time.perf_counter(); import legwork; print(time.perf_counter() - t)"
    taken = [float(subprocess.check_output([sys.executable, "-c", lines])) for _ in range(TURNS)]
    lines = lines.replace("legwork", "numpy")
    numpy = [float(subprocess.check_output([sys.executable, "-c", lines])) for _ in range(TURNS)]
    return row("import legwork", statistics.median(taken), "s", "import numpy", statistics.median(numpy), 0.2, on_value=True)


def main():
    peer = ctypes.CDLL(sys.argv[1])
    peer.peer_steps.restype = peer.peer_batch.restype = ctypes.c_double
    rows = [step_row(peer, "dog"), rollout_row(peer, "dog"), import_row()]
    if "--json" in sys.argv:
        path = pathlib.Path(sys.argv[sys.argv.index("--json") + 1])
        kept = json.loads(path.read_text()) if path.exists() else []
        path.write_text(json.dumps(kept + rows, indent=2) + "\n")


main()
