"""A controller of your own: two oscillators drive the bounder's legs. A batch tries many phases between them at once;
the best one is then simulated alone, with the same bits, and shown.

usage: own_controller.py [PICTURE.png [SECONDS]]
"""

import sys

import numpy as np

import legwork as lw

BODY = lw.load("bounder")
MIDDLE = np.array([(a.lower + a.upper) / 2 for a in BODY.actuators])
SWING = np.array([(a.upper - a.lower) / 2 for a in BODY.actuators])
N = 64


def targets(time: np.ndarray, phase: np.ndarray) -> np.ndarray:
    """Hips swing, knees a quarter of a cycle ahead; the hind leg lags the fore leg by the phase."""
    lag = np.stack([0 * phase, 0 * phase - 0.25, phase, phase - 0.25], axis=-1)
    return MIDDLE + 0.7 * SWING * np.sin(2 * np.pi * (1.6 * np.asarray(time)[..., None] - lag))


def main(picture: str = "own_controller.png", seconds: str = "6") -> None:
    phases = np.arange(N) / N
    states = lw.simulate_batch(
        BODY, lambda batch: {"target": targets(batch.time, phases)}, n=N, seconds=float(seconds), every=5
    )
    distance = states[:, -1, 0] - states[:, 0, 0]
    best = int(np.argmax(distance))
    print(f"phase {phases[best]:.2f} is the best of {N}: {distance[best]:.2f} m in {seconds} s")

    alone = lw.simulate(
        BODY, lambda sim: {"target": targets(sim.time, phases[best])}, seconds=float(seconds), every=5
    )
    assert np.array_equal(alone.q, states[best, : len(alone), : BODY.nq])
    alone.render(strip=6, width=900, height=260, samples=12, path=picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
