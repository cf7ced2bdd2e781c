"""Spaces of observations and actions: Gymnasium's where it is installed, else one that follows its protocol."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import Error

__all__ = ["Box", "batch_space"]

try:
    from gymnasium.spaces import Box  # type: ignore[import]
    from gymnasium.vector.utils import batch_space  # type: ignore[import]
except ImportError:

    class Box:  # type: ignore[no-redef]
        """Arrays whose elements lie between low and high."""

        def __init__(
            self, low: Any, high: Any, shape: tuple[int, ...] | None = None, dtype: Any = np.float32, seed: Any = None
        ) -> None:
            self.dtype = np.dtype(dtype)
            self.shape = tuple(shape) if shape is not None else np.broadcast(low, high).shape
            self.low = np.broadcast_to(np.asarray(low, self.dtype), self.shape).copy()
            self.high = np.broadcast_to(np.asarray(high, self.dtype), self.shape).copy()
            self._random = np.random.default_rng(seed)

        @property
        def np_random(self) -> np.random.Generator:
            """What samples are drawn from."""
            return self._random

        def seed(self, seed: Any = None) -> Any:
            """The same seed, the same samples."""
            self._random = np.random.default_rng(seed)
            return seed

        @property
        def bounded_below(self) -> np.ndarray:
            """Whether each lower end is finite."""
            return np.asarray(np.isfinite(self.low))

        @property
        def bounded_above(self) -> np.ndarray:
            """Whether each upper end is finite."""
            return np.asarray(np.isfinite(self.high))

        def is_bounded(self, manner: str = "both") -> bool:
            """Whether every end is finite: 'below', 'above' or 'both'."""
            below, above = bool(self.bounded_below.all()), bool(self.bounded_above.all())
            ends = {"below": below, "above": above, "both": below and above}
            if manner not in ends:
                raise Error(f"'{manner}' is none", "use 'below', 'above' or 'both'", "manner")
            return ends[manner]

        def sample(self) -> np.ndarray:
            """Uniform where both ends are finite, exponential beyond one end, normal without ends."""
            low, high = self.low.astype(float), self.high.astype(float)
            below, above = self.bounded_below, self.bounded_above
            out = self._random.normal(size=self.shape)
            tail = self._random.exponential(size=self.shape)
            out = np.where(below & ~above, np.where(below, low, 0) + tail, out)
            out = np.where(~below & above, np.where(above, high, 0) - tail, out)
            both = below & above
            uniform = self._random.uniform(np.where(both, low, 0), np.where(both, high, 1))
            return np.where(both, uniform, out).astype(self.dtype)

        def contains(self, x: Any) -> bool:
            """Whether x has the shape and lies between the ends."""
            x = np.asarray(x)
            same = x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
            return bool(same and np.all(x >= self.low) and np.all(x <= self.high))

        def __contains__(self, x: Any) -> bool:
            return self.contains(x)

        def __eq__(self, other: object) -> bool:
            return (
                isinstance(other, Box)
                and self.shape == other.shape
                and self.dtype == other.dtype
                and bool(np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))
            )

        def __repr__(self) -> str:
            return f"Box({self.low.min(initial=np.inf)}, {self.high.max(initial=-np.inf)}, {self.shape}, {self.dtype})"

    def batch_space(space: Box, n: int = 1) -> Box:
        """The space of n arrays of a space."""
        repeats = (n,) + (1,) * len(space.shape)
        return Box(np.tile(space.low, repeats), np.tile(space.high, repeats), dtype=space.dtype)
