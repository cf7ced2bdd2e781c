"""The ways to move a body: one function for each method of the library.

Names, defaults and meanings of options are the library's own; this file has none of them. methods.pyi, made by
scripts/python_stubs.py from the same descriptions, tells type checkers and editors.
"""

from __future__ import annotations

import inspect
import sys
import time
from typing import Any, Callable

from . import _core

Progress = Callable[[str, int, int], object]


class _Line:
    """One line on stderr that says how far the work has come."""

    def __init__(self) -> None:
        self.done = self.total = 0
        self.start = 0.0
        self.width = 0

    def __call__(self, what: str, done: int, total: int) -> None:
        if self.width == 0 or done < self.done or total != self.total:
            self.start = time.monotonic()  # parts of one work count on; other work begins again
        self.done, self.total = done, total
        share = done / total if total > 0 else 0.0
        spent = time.monotonic() - self.start
        left = f", {spent * (1 - share) / share:.0f} s left" if 0.02 < share < 1 else ""
        text = f"{what}: {100 * share:.0f} %{left}"
        print("\r" + text.ljust(self.width), end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def end(self) -> None:
        if self.width:
            print(file=sys.stderr)


def _call(name: str, creature: Any, options: dict[str, Any], progress: Any, stop: Any) -> _core.Result:
    if progress is not True:
        return _core.run_method(name, creature, options, progress or None, stop)
    line = _Line()
    try:
        return _core.run_method(name, creature, options, line, stop)
    finally:
        line.end()


_described: dict[str, list[dict[str, Any]]] = {}


def options(what: str) -> list[dict[str, Any]]:
    """Every option of a method, or of 'world', 'run', 'gait', 'task' or 'rollout': name, kind, default, unit, range,
    meaning, choices."""
    if what not in _described:
        _described[what] = _core.options_of(what)
    return [dict(option) for option in _described[what]]


def option_text(option: dict[str, Any]) -> str:
    """An option's line in a docstring."""
    about = [f"default {option['default']!r}"]
    if option["range"]:
        about.append(option["range"])
    elif option["unit"] not in ("", "1"):
        about.append(option["unit"])
    line = f"    {option['name']}: {option['meaning']} ({', '.join(about)})"
    for value, help_text in option["choices"]:
        line += f"\n        {value}" + (f": {help_text}" if help_text else "")
    return line


def _document(name: str) -> str:
    groups = (("Options", name), ("The world", "world"), ("The run", "run"))
    parts = [_core.method_purpose(name)[:1].upper() + _core.method_purpose(name)[1:] + "."]
    for title, what in groups:
        parts.append(f"{title}:\n" + "\n".join(option_text(option) for option in options(what)))
    parts.append(
        "    progress: True for a line on stderr, or a function of what, done and total\n"
        "    stop: a function; the work ends with legwork.Stopped when it returns true"
    )
    return "\n\n".join(parts)


def _signature(name: str) -> inspect.Signature:
    keyword, parameter = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter
    named: dict[str, inspect.Parameter] = {}
    for what in (name, "world", "run"):
        for option in options(what):
            named.setdefault(option["name"], parameter(option["name"], keyword, default=option["default"]))
    named["progress"] = parameter("progress", keyword, default=None)
    named["stop"] = parameter("stop", keyword, default=None)
    return inspect.Signature([parameter("creature", parameter.POSITIONAL_OR_KEYWORD), *named.values()])


def _function(name: str) -> Callable[..., _core.Result]:
    def method(creature: Any, *, progress: Any = None, stop: Any = None, **options: Any) -> _core.Result:
        return _call(name, creature, options, progress, stop)

    method.__name__ = method.__qualname__ = name
    method.__module__ = "legwork"
    method.__doc__ = _document(name)
    setattr(method, "__signature__", _signature(name))
    return method


__all__ = _core.method_names()
for _name in __all__:
    globals()[_name] = _function(_name)
