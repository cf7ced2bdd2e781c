"""Controllers written in Python.

A function of yours is called before every step, or once in so many: a call costs about a microsecond and what your own
lines cost, beside some ten microseconds for a step of a dog. A controller of many bodies at once costs the same for all
of them together.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from ._core import Result, Simulation, SimulationBatch
from ._errors import Error
from .methods import takes

Controller = Callable[[Simulation], Any]
BatchController = Callable[[SimulationBatch], Any]
_NUMBER = (int, float, np.integer, np.floating)


def _drive(simulation: Any, answer: Any) -> None:
    """A controller sets torque or target itself, or returns them: an array of nv torques, or a dict of both."""
    if answer is None:
        return
    given = answer if isinstance(answer, dict) else {"torque": answer}
    for name, values in given.items():
        if name not in ("torque", "target"):
            raise Error(f"returned '{name}'", "return torque, target or both", "controller")
        place = getattr(simulation, name)
        try:
            values = np.asarray(values, dtype=float)
        except (TypeError, ValueError) as wrong:
            raise Error(f"returned a {name} that is no array of numbers", "", "controller") from wrong
        if values.shape != place.shape:
            raise Error(f"returned a {name} of the shape {values.shape}, not {place.shape}", "", "controller")
        if not np.isfinite(values).all():
            raise Error(f"returned a {name} that is not finite", "", "controller")
        place[...] = values


def _check(controller: Any) -> None:
    if not callable(controller):
        raise Error(f"a {type(controller).__name__} is none", "give a function of the simulation", "controller")


def _count(value: Any, name: str) -> int:
    if not isinstance(value, _NUMBER) or not 1 <= value < 1 << 31 or value != int(value):
        raise Error(f"{value!r} is no whole number above 0", "", name)
    return int(value)


def _time(value: Any) -> float:
    if not isinstance(value, _NUMBER) or not 0 <= value < 1e6:
        raise Error(f"{value!r} is no time", "give 0 to 1e6 s", "seconds")
    return float(value)


@takes("world")
def simulate(
    creature: Any, controller: Controller | None = None, *, seconds: float = 5, every: int = 1, start: Any = None,
    **world: Any,
) -> Result:
    """Moves a body by physics under a function of yours, and records it.

    controller(sim) is called before every step, or once in `every` steps. It reads sim.q, sim.v, sim.time and so on, and
    sets sim.torque or sim.target, or returns torques (nv,) or a dict of both. start: a pose's name or a q. creature may be
    a Simulation, which then moves on in its world from that start.
    """
    if controller is not None:
        _check(controller)
    simulation = creature if isinstance(creature, Simulation) and not world else Simulation(creature, **world)
    every = _count(every, "every")
    seconds = _time(seconds)
    simulation.reset(start)
    frame = simulation.frame_steps
    frames = int(round(seconds / (frame * simulation.dt)))
    simulation.record()
    step = 0
    for _ in range(frames):
        left = frame
        while left:
            if controller is not None and step % every == 0:
                _drive(simulation, controller(simulation))
            run = min(left, every - step % every) if controller is not None else left
            if not simulation.step(steps=run):
                return simulation.motion()
            step += run
            left -= run
        simulation.record()
    return simulation.motion()


@takes("world")
def simulate_batch(
    creature: Any, controller: BatchController, *, n: int, seconds: float = 5, every: int = 1, threads: int = 0,
    q: Any = None, v: Any = None, **world: Any,
) -> np.ndarray:
    """Moves n bodies at once under one function of yours: states (n, frames, nq + nv), a frame for each 1/rate.

    controller(batch) is called before every step, or once in `every`, with the arrays of all bodies: batch.q (n, nq),
    batch.v (n, nv). It sets batch.torque (n, nv) or batch.target (n, nu), or returns torques or a dict of both. q and v:
    where they start, a row for each or one for all.
    """
    _check(controller)
    batch = SimulationBatch(creature, _count(n, "n"), threads, **world)
    every = _count(every, "every")
    seconds = _time(seconds)
    if q is not None or v is not None:
        batch.reset(None, q, v)
    frame = batch.frame_steps
    frames = int(round(seconds / (frame * batch.dt)))
    states = np.empty((n, frames + 1, batch.nq + batch.nv))
    states[:, 0, : batch.nq], states[:, 0, batch.nq :] = batch.q, batch.v
    step = 0
    for f in range(1, frames + 1):
        left = frame
        while left:
            if step % every == 0:
                _drive(batch, controller(batch))
            run = min(left, every - step % every)
            batch.step(steps=run)
            step += run
            left -= run
        states[:, f, : batch.nq], states[:, f, batch.nq :] = batch.q, batch.v
    return states
