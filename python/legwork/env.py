"""Environments for learners, by Gymnasium's documented protocol.

Gymnasium itself is not needed. Where it is installed, the classes are its own kinds, the spaces are its own, and
gymnasium.make("legwork/Walk-v0", creature="dog") works once this module is imported; `import legwork` after
`import gymnasium` does that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import Creature, Environment, motion
from ._errors import Error
from .methods import takes
from .spaces import Box, batch_space

__all__ = ["AutoresetMode", "Env", "VectorEnv", "make_env", "make_vector_env"]

try:
    import gymnasium  # type: ignore[import]
    from gymnasium.vector import AutoresetMode  # type: ignore[import]

    _Env: Any = gymnasium.Env
    _VectorEnv: Any = gymnasium.vector.VectorEnv
except ImportError:
    import enum

    gymnasium = None

    class AutoresetMode(enum.Enum):  # type: ignore[no-redef]
        """When a body of a vector environment begins its next episode."""

        NEXT_STEP = "NextStep"
        SAME_STEP = "SameStep"
        DISABLED = "Disabled"

    class _Base:
        """What the protocol gives every environment: random numbers that reset(seed) begins anew."""

        spec: Any = None
        _np_random: np.random.Generator | None = None
        _np_random_seed: int | None = None

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            if seed is not None:
                self._np_random, self._np_random_seed = np.random.default_rng(seed), seed

        @property
        def np_random(self) -> np.random.Generator:
            """Random numbers for wrappers and for the starts of episodes that no seed is given for."""
            if self._np_random is None:
                _Base.reset(self, seed=int(np.random.SeedSequence().generate_state(1)[0]))
            assert self._np_random is not None
            return self._np_random

        @np_random.setter
        def np_random(self, value: np.random.Generator) -> None:
            self._np_random, self._np_random_seed = value, -1

        @property
        def np_random_seed(self) -> int:
            """The seed of np_random; -1 where it was set by hand."""
            assert self.np_random is not None and self._np_random_seed is not None
            return self._np_random_seed

        @property
        def unwrapped(self) -> Any:
            """Itself."""
            return self

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            self.close()

        def close(self, **_: Any) -> None:
            """Nothing is held open."""

    _Env = _VectorEnv = _Base


def _spaces(core: Environment) -> tuple[Box, Box]:
    low = np.array([signal[2] for signal in core.observations])
    high = np.array([signal[3] for signal in core.observations])
    n = len(core.actions)
    return Box(low, high, dtype=np.float64), Box(-np.ones(n), np.ones(n), dtype=np.float64)


def _check_rendering(render_mode: str | None, width: Any, height: Any) -> tuple[int, int]:
    if render_mode not in (None, "rgb_array"):
        raise Error(f"'{render_mode}' is no way to render", "use 'rgb_array' or None", "render_mode")
    for name, pixels in (("width", width), ("height", height)):
        if not isinstance(pixels, (int, np.integer)) or not 1 <= pixels <= 16384:
            raise Error(f"{pixels!r} is no number of pixels", "use 1 to 16384", name)
    return int(width), int(height)


def _check_seed(seed: Any) -> int | None:
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise Error(f"{seed!r} is no whole number from 0 on", "", "seed")
    return int(seed)


def _begin(env: Any, seed: int | None, which: list[int] | None) -> None:
    """Begins episodes. The first ones without a seed have the seed of np_random, which then comes from anywhere."""
    if seed is None and not env._begun:
        known: int = env.np_random_seed
        seed = known if known >= 0 else int(env.np_random.integers(1 << 32))
    if seed is None:
        env.core.reset(which)
    else:  # the library's seeds for episodes have 32 bits
        env.core.reset(which, seed if seed < 1 << 32 else int(np.random.SeedSequence(seed).generate_state(1)[0]))
    env._begun = True


def _picture(creature: Creature, q: np.ndarray, v: np.ndarray, size: tuple[int, int], samples: int) -> np.ndarray:
    return motion(creature, [0.0], q[None], v[None]).render(width=size[0], height=size[1], samples=samples)


class Env(_Env):  # type: ignore[misc]
    """One body with a task. reset and step follow gymnasium.Env."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 30}
    observation_space: Box
    action_space: Box

    def __init__(
        self, creature: Any = "dog", *, render_mode: str | None = None, width: int = 480, height: int = 270, **options: Any
    ) -> None:
        self._size = _check_rendering(render_mode, width, height)
        self.core = Environment(creature, 1, 1, **options)
        self.observation_space, self.action_space = _spaces(self.core)
        self.metadata = {**type(self).metadata, "render_fps": round(1 / self.core.dt)}
        self.render_mode = render_mode
        self._begun = False

    def _info(self) -> dict[str, Any]:
        return {"distance": float(self.core.distance[0]), "time": float(self.core.time[0])}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode; the same seed, the same start. options are not used."""
        seed = _check_seed(seed)
        super().reset(seed=seed)
        _begin(self, seed, None)
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

    def render(self) -> np.ndarray | None:
        """A picture (height, width, 3) of bytes, with render_mode 'rgb_array'."""
        if self.render_mode is None:
            return None
        return _picture(self.core.creature, self.core.q[0], self.core.v[0], self._size, 4)

    def close(self) -> None:
        """Nothing is held open."""

    def __repr__(self) -> str:
        return f"<legwork.Env of '{self.core.creature.name}'>"


class VectorEnv(_VectorEnv):  # type: ignore[misc]
    """n bodies with a task, eight at a time inside. reset and step follow gymnasium.vector.VectorEnv."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}
    num_envs: int
    observation_space: Box
    action_space: Box
    single_observation_space: Box
    single_action_space: Box
    closed: bool = False

    def __init__(
        self, creature: Any = "dog", n: int = 8, *, threads: int = 0, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None, width: int = 240, height: int = 135, **options: Any,
    ) -> None:
        self._size = _check_rendering(render_mode, width, height)
        try:
            mode = AutoresetMode(autoreset_mode)
        except ValueError as wrong:
            raise Error(f"'{autoreset_mode}' is none", "use NextStep, SameStep or Disabled", "autoreset_mode") from wrong
        self.core = Environment(creature, n, threads, **options)
        self.num_envs = self.core.n
        self.single_observation_space, self.single_action_space = _spaces(self.core)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.metadata = {**type(self).metadata, "autoreset_mode": mode, "render_fps": round(1 / self.core.dt)}
        self.render_mode = render_mode
        self._mode = mode
        self._ended = np.zeros(self.num_envs, dtype=bool)
        self._begun = False

    def _info(self, whose: np.ndarray) -> dict[str, Any]:
        """Arrays of all, each with the mask of those that it speaks of."""
        return {
            "distance": np.where(whose, self.core.distance, 0), "_distance": whose.copy(),
            "time": np.where(whose, self.core.time, 0), "_time": whose.copy(),
        }

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins all episodes, or those of options["reset_mask"]."""
        seed = _check_seed(seed)
        chosen = np.ones(self.num_envs, dtype=bool)
        if options and "reset_mask" in options:
            chosen = np.asarray(options["reset_mask"])
            if chosen.shape != (self.num_envs,) or chosen.dtype != np.bool_:
                raise Error(f"must be {self.num_envs} truth values", "", "reset_mask")
        if not self._begun and not chosen.all():
            raise Error("some bodies have no episode yet", "reset all of them first", "reset_mask")
        super().reset(seed=seed)
        _begin(self, seed, None if chosen.all() else np.flatnonzero(chosen).tolist())
        self._ended &= ~chosen
        return self.core.observation.copy(), self._info(chosen)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Holds the actions (n, numbers). Bodies whose episode has ended begin anew as autoreset_mode says."""
        if not self._begun:
            raise Error("step comes after reset", "call reset first", "environment")
        core, everyone = self.core, np.ones(self.num_envs, dtype=bool)
        before = self._ended.copy()
        if self._mode is AutoresetMode.DISABLED and before.any():
            raise Error("an episode has ended", "call reset with options={'reset_mask': ...}", "environment")
        core.step(np.asarray(actions))
        reward, terminated, truncated = core.reward.copy(), core.terminated.copy(), core.truncated.copy()
        if before.any():  # NextStep: this step is their reset; the action does not count
            core.reset(np.flatnonzero(before).tolist())
            reward[before], terminated[before], truncated[before] = 0, False, False
        self._ended = terminated | truncated
        if self._mode is not AutoresetMode.SAME_STEP or not self._ended.any():
            return core.observation.copy(), reward, terminated, truncated, self._info(everyone)
        ended, last = np.flatnonzero(self._ended), np.full(self.num_envs, None, dtype=object)
        for i in ended:
            last[i] = core.observation[i].copy()
        final = {
            "final_obs": last, "_final_obs": self._ended.copy(),
            "final_info": self._info(self._ended), "_final_info": self._ended.copy(),
        }
        core.reset(ended.tolist())
        self._ended[:] = False
        return core.observation.copy(), reward, terminated, truncated, {**self._info(everyone), **final}

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture (height, width, 3) of each body, with render_mode 'rgb_array'."""
        if self.render_mode is None:
            return None
        body = self.core.creature
        return tuple(_picture(body, q, v, self._size, 2) for q, v in zip(self.core.q, self.core.v))

    def close(self, **_: Any) -> None:
        """Nothing is held open."""
        self.closed = True

    def __repr__(self) -> str:
        return f"<legwork.VectorEnv: {self.num_envs} x '{self.core.creature.name}'>"


@takes("task", "world")
def make_env(
    creature: Any = "dog", *, render_mode: str | None = None, width: int = 480, height: int = 270, **options: Any
) -> Env:
    """An environment for one body, which follows gymnasium.Env. render_mode: None or 'rgb_array', a picture of width x
    height."""
    return Env(creature, render_mode=render_mode, width=width, height=height, **options)


@takes("task", "world")
def make_vector_env(
    creature: Any = "dog", n: int = 8, *, threads: int = 0, autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    render_mode: str | None = None, width: int = 240, height: int = 135, **options: Any,
) -> VectorEnv:
    """An environment for n bodies at once, eight at a time inside, which follows gymnasium.vector.VectorEnv.
    autoreset_mode: NextStep, SameStep or Disabled. threads: 0 = all cores."""
    return VectorEnv(
        creature, n, threads=threads, autoreset_mode=autoreset_mode, render_mode=render_mode, width=width, height=height, **options
    )


def _many(num_envs: int = 1, **options: Any) -> VectorEnv:
    """What gymnasium.make_vec calls."""
    return VectorEnv(n=num_envs, **options)


if gymnasium is not None:
    for _id, _task in (("legwork/Walk-v0", "walk"), ("legwork/Stand-v0", "stand")):
        if _id not in gymnasium.registry:
            gymnasium.register(
                _id, entry_point="legwork.env:Env", vector_entry_point="legwork.env:_many", kwargs={"task": _task}
            )
