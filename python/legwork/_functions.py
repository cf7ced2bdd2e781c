"""The functions of _core as Python's own: they have signatures, and can be pickled, so that pools of processes call them."""

from __future__ import annotations

import ast
import inspect
from typing import Any, Callable

from . import _core

__all__ = [
    "archive", "archive_csv", "check_archive", "compile_c", "creatures", "evolution", "has_report_page", "load", "merge_archives",
    "motion", "read", "replay", "report", "rerun", "rollout", "run", "study", "worlds",
]


def _signature(line: str) -> inspect.Signature:
    """Of the line that pybind11 puts before a docstring: name(creature: object, n: int = 1, **kwargs) -> tuple"""
    (function,) = ast.parse(f"def {line}: ...").body
    assert isinstance(function, ast.FunctionDef)
    parameter, given = inspect.Parameter, function.args
    missing = [None] * (len(given.args) - len(given.defaults))
    named = [
        (parameter.POSITIONAL_OR_KEYWORD, given.args, [*missing, *given.defaults]),
        (parameter.KEYWORD_ONLY, given.kwonlyargs, given.kw_defaults),
    ]
    all_of_them = [
        parameter(one.arg, kind, default=ast.literal_eval(default) if default else parameter.empty)
        for kind, arguments, defaults in named
        for one, default in zip(arguments, defaults)
    ]
    if given.kwarg:
        all_of_them.append(parameter("options", parameter.VAR_KEYWORD))
    return inspect.Signature(all_of_them)


def _own(name: str, bound: Callable[..., Any]) -> Callable[..., Any]:
    line, _, text = (bound.__doc__ or "").partition("\n\n")
    signature = _signature(line)

    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            return bound(*args, **kwargs)
        except TypeError:
            try:
                signature.bind(*args, **kwargs)
            except TypeError as wrong:
                raise TypeError(f"{name}() {wrong}") from None
            raise

    function.__name__ = function.__qualname__ = name
    function.__module__ = "legwork"
    function.__doc__ = text
    setattr(function, "__signature__", signature)
    return function


for _name in __all__:
    globals()[_name] = _own(_name, getattr(_core, "run_scenario" if _name == "run" else _name))
