"""The ways to move a body: one function for each method of the library.

Names, defaults and meanings of options are the library's own; this file has none of them. methods.pyi, made by
scripts/python_stubs.py from the same descriptions, tells type checkers and editors.
"""

from __future__ import annotations

import inspect
from typing import Any, Callable, TypeVar

from . import _core

Progress = Callable[[str, int, int], object]
_Function = TypeVar("_Function", bound=Callable[..., Any])

_described: dict[str, list[dict[str, Any]]] = {}


def options(what: str) -> list[dict[str, Any]]:
    """Every option of a method, or of 'world', 'run', 'gait', 'task', 'rollout' or 'compile_c': name, kind, default, unit,
    range, meaning, choices."""
    if what not in _described:
        _described[what] = _core.options_of(what)
    return [dict(option) for option in _described[what]]


def takes(*groups: str) -> Callable[[_Function], _Function]:
    """A function whose further keywords are the options of these groups: its signature and its docstring name them."""

    def told(function: _Function) -> _Function:
        plain = inspect.signature(function)
        named = {n: p for n, p in plain.parameters.items() if p.kind is not inspect.Parameter.VAR_KEYWORD}
        for group in groups:
            for option in options(group):
                keyword = inspect.Parameter(option["name"], inspect.Parameter.KEYWORD_ONLY, default=option["default"])
                named.setdefault(option["name"], keyword)
        setattr(function, "__signature__", plain.replace(parameters=list(named.values())))
        function.__doc__ = _core.with_options(inspect.getdoc(function) or "", groups)
        return function

    return told


def _function(name: str) -> Callable[..., _core.Result]:
    def method(creature: Any, *, progress: Any = None, stop: Any = None, **options: Any) -> _core.Result:
        return _core.run_method(name, creature, options, progress, stop)

    purpose = _core.method_purpose(name)
    method.__name__ = method.__qualname__ = name
    method.__module__ = "legwork"
    method.__doc__ = purpose[:1].upper() + purpose[1:] + "."
    return takes(name, "world", "run")(method)


__all__ = _core.method_names()
for _name in __all__:
    globals()[_name] = _function(_name)
