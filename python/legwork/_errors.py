"""The exceptions of Legwork."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._core import Result


class Error(ValueError):
    """Bad input, explained: where, who, what is wrong, what to try."""

    def __init__(self, problem: str, advice: str = "", who: str = "", file: str = "", line: int = 0) -> None:
        self.problem = problem
        self.advice = advice
        self.who = who
        self.file = file
        self.line = line
        super().__init__(str(self))

    @property
    def where(self) -> str:
        """'file:line', 'file', or nothing."""
        return f"{self.file}:{self.line}" if self.file and self.line else self.file

    def __str__(self) -> str:
        parts = [part for part in (self.where, self.who, self.problem) if part]
        return ": ".join(parts) + (f"; {self.advice}" if self.advice else "")

    def __reduce__(self) -> tuple[type[Error], tuple[str, str, str, str, int]]:
        return type(self), (self.problem, self.advice, self.who, self.file, self.line)


class Stopped(RuntimeError):
    """The work was stopped by the function given as `stop`. result: what there was by then, or None."""

    def __init__(self, words: str = "the work was stopped before its end", result: Result | None = None) -> None:
        super().__init__(words)
        self.result = result
