"""Environments for learners, by Gymnasium's documented protocol.

Gymnasium itself is not needed. Where it is installed, the classes are its own kinds, the spaces are its own, and
gymnasium.make("legwork/Walk-v0", creature="dog") works once this module is imported.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Environment, Result, motion
from ._errors import Error
from .spaces import Box, batch_space

try:
    import gymnasium  # type: ignore[import]
    from gymnasium.vector import AutoresetMode  # type: ignore[import]

    _Env: Any = gymnasium.Env
    _VectorEnv: Any = gymnasium.vector.VectorEnv
except ImportError:
    import enum

    gymnasium = None
    _Env = _VectorEnv = object

    class AutoresetMode(enum.Enum):  # type: ignore[no-redef]
        """When a body of a vector environment begins its next episode."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"


def _spaces(core: Environment) -> tuple[Box, Box]:
    low = np.array([signal[2] for signal in core.observations])
    high = np.array([signal[3] for signal in core.observations])
    n = len(core.actions)
    return Box(low, high, dtype=np.float64), Box(-np.ones(n), np.ones(n), dtype=np.float64)


def _check_mode(render_mode: str | None) -> None:
    if render_mode not in (None, "rgb_array"):
        raise Error(f"'{render_mode}' is no way to render", "use 'rgb_array' or None", "render_mode")


class Env(_Env):  # type: ignore[misc]
    """One body with a task. reset and step follow gymnasium.Env."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}
    spec: Any = None

    def __init__(
        self, creature: Any = "dog", *, render_mode: str | None = None, width: int = 480, height: int = 270, **options: Any
    ) -> None:
        _check_mode(render_mode)
        self.core = Environment(creature, 1, 1, **options)
        self.observation_space, self.action_space = _spaces(self.core)
        self.metadata = {**type(self).metadata, "render_fps": round(1 / self.core.dt)}
        self.render_mode = render_mode
        self._size = (width, height)
        self._begun = False
        self._random = np.random.default_rng()

    @property
    def np_random(self) -> np.random.Generator:
        """Random numbers for wrappers; the body's start has its own."""
        return self._random

    @property
    def unwrapped(self) -> Env:
        """Itself."""
        return self

    def _info(self) -> dict[str, Any]:
        return {"distance": float(self.core.distance[0]), "time": float(self.core.time[0])}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode; the same seed, the same start. options are not used."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.core.reset(seed=_seed(seed) if seed is not None else None)
        self._begun = True
        return self.core.observation[0].copy(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Holds an action; returns observation, reward, terminated, truncated, info."""
        if not self._begun:
            raise Error("step comes after reset", "call reset first", "environment")
        if self.core.terminated[0] or self.core.truncated[0]:
            raise Error("the episode has ended", "call reset", "environment")
        action = np.asarray(action)
        if action.shape != self.action_space.shape:
            raise Error(f"has the shape {action.shape}, not {self.action_space.shape}", "", "action")
        self.core.step(action[None])
        core = self.core
        return (
            core.observation[0].copy(), float(core.reward[0]), bool(core.terminated[0]), bool(core.truncated[0]), self._info()
        )

    def _now(self) -> Result:
        return motion(self.core.creature, [0.0], self.core.q[:1], self.core.v[:1])

    def render(self) -> np.ndarray | None:
        """A picture (height, width, 3) of bytes, with render_mode 'rgb_array'."""
        if self.render_mode is None:
            return None
        width, height = self._size
        return self._now().render(width=width, height=height, samples=4)

    def close(self) -> None:
        """Nothing is held open."""

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _seed(seed: int) -> int:
    if not isinstance(seed, (int, np.integer)) or seed < 0:
        raise Error(f"{seed!r} is no whole number from 0 on", "", "seed")
    return int(seed) % (1 << 32)


class VectorEnv(_VectorEnv):  # type: ignore[misc]
    """n bodies with a task, eight at a time inside. reset and step follow gymnasium.vector.VectorEnv."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}
    spec: Any = None

    def __init__(
        self, creature: Any = "dog", n: int = 8, *, threads: int = 0, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None, **options: Any,
    ) -> None:
        _check_mode(render_mode)
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError as wrong:
            raise Error(f"'{autoreset_mode}' is none", "use NextStep, SameStep or Disabled", "autoreset_mode") from wrong
        self.core = Environment(creature, n, threads, **options)
        self.num_envs = n
        self.single_observation_space, self.single_action_space = _spaces(self.core)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self.metadata = {**type(self).metadata, "autoreset_mode": mode, "render_fps": round(1 / self.core.dt)}
        self.render_mode = render_mode
        self._mode = mode
        self._ended = np.zeros(n, dtype=bool)
        self._begun = False

    def _info(self) -> dict[str, Any]:
        everyone = np.ones(self.num_envs, dtype=bool)
        return {
            "distance": self.core.distance.copy(), "_distance": everyone,
            "time": self.core.time.copy(), "_time": everyone.copy(),
        }

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins all episodes, or those of options["reset_mask"]."""
        which = None
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"])
            if mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
                raise Error(f"must be {self.num_envs} truth values", "", "reset_mask")
            which = np.flatnonzero(mask).tolist()
        self.core.reset(which, seed=None if seed is None else _seed(seed))
        self._ended[:] = False if which is None else self._ended & ~np.isin(np.arange(self.num_envs), which)
        self._begun = True
        return self.core.observation.copy(), self._info()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Holds the actions (n, numbers). Bodies whose episode has ended begin anew as autoreset_mode says."""
        if not self._begun:
            raise Error("step comes after reset", "call reset first", "environment")
        core = self.core
        before = self._ended.copy()
        if self._mode is AutoresetMode.DISABLED and before.any():
            raise Error("an episode has ended", "call reset with options={'reset_mask': ...}", "environment")
        core.step(np.asarray(actions))
        reward, terminated, truncated = core.reward.copy(), core.terminated.copy(), core.truncated.copy()
        if before.any():  # NextStep: this step is their reset; the action does not count
            core.reset(np.flatnonzero(before).tolist())
            reward[before], terminated[before], truncated[before] = 0, False, False
        self._ended = terminated | truncated
        info = self._info()
        if self._mode is AutoresetMode.SAME_STEP and self._ended.any():
            info["final_obs"], info["_final_obs"] = core.observation.copy(), self._ended.copy()
            info["final_info"], info["_final_info"] = self._info(), self._ended.copy()
            core.reset(np.flatnonzero(self._ended).tolist())
            self._ended[:] = False
        return core.observation.copy(), reward, terminated, truncated, info

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture of each body, with render_mode 'rgb_array'."""
        if self.render_mode is None:
            return None
        body, q, v = self.core.creature, self.core.q, self.core.v
        return tuple(
            motion(body, [0.0], q[i : i + 1], v[i : i + 1]).render(width=240, height=135, samples=2)
            for i in range(self.num_envs)
        )

    def close(self, **_: Any) -> None:
        """Nothing is held open."""

    @property
    def unwrapped(self) -> VectorEnv:
        """Itself."""
        return self


def make_env(creature: Any = "dog", **options: Any) -> Env:
    """An environment for one body; see legwork.options("task") and legwork.options("world")."""
    return Env(creature, **options)


def make_vector_env(creature: Any = "dog", n: int = 8, **options: Any) -> VectorEnv:
    """An environment for n bodies at once; see legwork.options("task") and legwork.options("world")."""
    return VectorEnv(creature, n, **options)


if gymnasium is not None:
    for _id, _task in (("legwork/Walk-v0", "walk"), ("legwork/Stand-v0", "stand")):
        if _id not in gymnasium.registry:
            gymnasium.register(
                _id, entry_point=Env, vector_entry_point=lambda num_envs=1, **k: VectorEnv(n=num_envs, **k), kwargs={"task": _task}
            )
