#!/usr/bin/env python3
"""usage: python_stubs.py CORE.pyi FOLDER    what editors and type checkers read, into FOLDER: methods.pyi, the types and meanings
of every method's options, from the library's descriptions; and CORE.pyi with the docstrings of the module that it is of"""

import ast
import inspect
import pathlib
import re
import sys
from typing import Any

from legwork import _core, methods

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


def methods_stub() -> str:
    lines = [HEAD]
    for name in _core.method_names():
        fields: dict[str, str] = {}
        for what in (name, "world", "run"):
            for option in _core.options_of(what):
                fields.setdefault(option["name"], f"{option['name']}: {type_of(option)} | None = ...")
        lines.append(f"def {name}(\n    creature: _Body, *,")
        lines += [f"    {field}," for field in fields.values()]
        lines.append("    progress: bool | Progress | None = ..., stop: Callable[[], object] | None = ...,\n) -> Result:")
        text = getattr(methods, name).__doc__.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        lines.append(f'    """{text}"""')
    lines.append(f"__all__ = {_core.method_names()!r}")
    return "\n".join(lines) + "\n"


def meaning(thing: Any) -> str:
    """A docstring without the signature that pybind11 puts before it."""
    return re.sub(r"^\w+\(.*\) -> .*\n+", "", inspect.getdoc(thing) or "")


def with_docstrings(source: str) -> str:
    """The stub with what the module says of each of its names."""
    tree = ast.parse(source)

    def document(body: list[ast.stmt], owner: Any) -> None:
        for node in body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)) or node.name.startswith("__"):
                continue
            thing = inspect.getattr_static(owner, node.name)
            if isinstance(node, ast.ClassDef):
                document(node.body, thing)
            text = meaning(thing)
            if text:
                node.body = [ast.Expr(ast.Constant(text)), *(s for s in node.body if not is_dots(s))]

    def is_dots(node: ast.stmt) -> bool:
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...

    document(tree.body, _core)
    return ast.unparse(tree) + "\n"


def main() -> None:
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    (folder / source.name).write_text(with_docstrings(source.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "methods.pyi").write_text(methods_stub(), encoding="utf-8")


main()
