#!/usr/bin/env python3
"""usage: python_stubs.py FILE    methods.pyi, the types of every method's options, from the library's descriptions"""

import sys
from typing import Any

from legwork import _core

HEAD = '''# Made by scripts/python_stubs.py from the library's descriptions of its options.
from typing import Any, Callable, Literal, Sequence, Union
from os import PathLike

from ._core import Creature, Result, World

Progress = Callable[[str, int, int], object]
_Number = Union[float, str]
_Body = Union[str, "PathLike[str]", Creature, World]

def options(what: str) -> list[dict[str, Any]]: ...
def option_text(option: dict[str, Any]) -> str: ...
'''


def type_of(option: dict[str, Any]) -> str:
    kinds = {
        "number": "_Number", "integer": "int", "flag": "bool", "text": 'Union[str, "PathLike[str]"]', "length": "_Number",
        "vector": "Union[str, Sequence[float]]", "texts": "Union[str, Sequence[str], dict[str, Any]]",
        "numbers": "Union[str, Sequence[float]]",
    }
    if option["kind"] == "choice":
        return "Literal[" + ", ".join(repr(value) for value, _ in option["choices"]) + "]"
    return kinds[option["kind"]]


def main() -> None:
    lines = [HEAD]
    for name in _core.method_names():
        fields: dict[str, str] = {}
        for what in (name, "world", "run"):
            for option in _core.options_of(what):
                fields.setdefault(option["name"], f"{option['name']}: {type_of(option)} | None = ...")
        lines.append(f"def {name}(\n    creature: _Body, *,")
        lines += [f"    {field}," for field in fields.values()]
        lines.append("    progress: bool | Progress | None = ..., stop: Callable[[], object] | None = ...,\n) -> Result: ...")
    lines.append(f"__all__ = {_core.method_names()!r}")
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("\n".join(lines) + "\n")


main()
