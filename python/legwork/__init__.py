"""Give it a body; get it walking.

    import legwork as lw
    dog = lw.load("dog")
    walk = lw.walk(dog, seconds=6, terrain="slope:5deg")
    walk.gait.speed, walk.gait.legs["lf"].duty_factor
    walk.q, walk.v, walk.time, walk.contact_force        # read-only numpy views, no copies
    walk.save("dog.glb"); walk.report("dog.html")

Units are SI, angles radians, Z up, X forward, Y left, quaternions w x y z. Bad input raises legwork.Error.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from . import methods as _methods
from ._core import (
    Actuator,
    CompiledC,
    Creature,
    Dof,
    Dynamics,
    Environment,
    Gait,
    Joint,
    Leg,
    LegGait,
    Link,
    Result,
    Simulation,
    SimulationBatch,
    Stance,
    Study,
    World,
    __version__,
)
from ._core import Dynamics as dynamics
from ._errors import Error, Stopped
from .methods import *  # noqa: F403: one function for each method of the library
from .methods import options

if TYPE_CHECKING:  # the same with every type, and with options by name
    from ._calls import make_env, make_vector_env, simulate, simulate_batch
    from ._core import (
        archive,
        archive_csv,
        check_archive,
        compile_c,
        creatures,
        evolution,
        has_report_page,
        load,
        merge_archives,
        motion,
        read,
        replay,
        report,
        rerun,
        rollout,
        study,
        worlds,
    )
    from ._core import run_scenario as run
    from .env import Env, VectorEnv
    from .spaces import Box
else:
    from ._functions import *  # noqa: F403
    from .control import simulate, simulate_batch

# Environments come when they are asked for: with Gymnasium installed they import it.
_LATER = {"Env": "env", "VectorEnv": "env", "make_env": "env", "make_vector_env": "env", "Box": "spaces"}

__all__ = [
    *_methods.__all__,
    "Actuator", "Box", "CompiledC", "Creature", "Dof", "Dynamics", "Env", "Environment", "Error", "Gait", "Joint", "Leg", "LegGait",
    "Link", "Result", "Simulation", "SimulationBatch", "Stance", "Stopped", "Study", "VectorEnv", "World", "__version__", "archive",
    "archive_csv", "check_archive", "compile_c", "creatures", "dynamics", "evolution", "has_report_page", "load", "make_env",
    "make_vector_env", "merge_archives", "motion", "options", "read", "replay", "report", "rerun", "rollout", "run", "simulate",
    "simulate_batch", "study", "worlds",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'legwork' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    modules = ["control", "env", "methods", "spaces"]
    return sorted([*__all__, *modules, *(name for name in globals() if name.startswith("__") and name not in __all__)])


if "gymnasium" in sys.modules:  # who has imported it may want gymnasium.make("legwork/Walk-v0")
    from . import env as _env  # noqa: F401
