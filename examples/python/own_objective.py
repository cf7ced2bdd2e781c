"""A search with an objective of your own: how high can the lamp jump? The cross-entropy method on rollouts, eight at a
time on every core; the objective is two lines of numpy.

usage: own_objective.py [PICTURE.png [ROUNDS]]
"""

import sys

import numpy as np

import legwork as lw

LAMP = lw.load("luxo")
LOW, HIGH = (np.array([getattr(a, end) for a in LAMP.actuators]) for end in ("lower", "upper"))
N, KNOTS, HOLD = 128, 8, 4  # candidates of a round; commands of each, held for so many steps of 1/30 s
DYNAMICS = lw.dynamics(LAMP)


def objective(states: np.ndarray) -> np.ndarray:
    """How far the centre of mass rises, for candidates that come down near where they started."""
    com = DYNAMICS.center_of_mass(states[:, :, : LAMP.nq])
    return com[:, :, 2].max(axis=1) - com[:, 0, 2] - 0.2 * np.abs(com[:, -1, 0] - com[:, 0, 0])


def main(picture: str = "own_objective.png", rounds: str = "15") -> None:
    random = np.random.default_rng(1)
    mean = np.tile((LOW + HIGH) / 2, (KNOTS, 1))
    spread = np.tile((HIGH - LOW) / 3, (KNOTS, 1))
    for number in range(int(rounds)):
        commands = np.clip(random.normal(mean, spread, size=(N, *mean.shape)), LOW, HIGH)
        states, _ = lw.rollout(LAMP, commands.repeat(HOLD, axis=1))
        score = objective(states)
        elite = commands[np.argsort(score)[-16:]]
        mean, spread = elite.mean(axis=0), elite.std(axis=0) + 1e-3
        print(f"round {number + 1}: {score.max():.3f} m")

    plan = commands[int(np.argmax(score))].repeat(HOLD, axis=0)
    jump = lw.simulate(
        LAMP, lambda sim: {"target": plan[min(int(30 * sim.time + 1e-6), len(plan) - 1)]}, seconds=len(plan) / 30, rate=30
    )
    jump.render(strip=7, width=900, height=300, samples=12, follow=False, path=picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
