#!/usr/bin/env python3
"""usage: python_stubs.py CORE.pyi FOLDER    what editors and type checkers read, into FOLDER: methods.pyi and _calls.pyi, the types
and meanings of options from the library's descriptions; and CORE.pyi with these and the docstrings of the module that it is of"""

import ast
import inspect
import pathlib
import re
import sys
from typing import Any

from legwork import _core, control, env, methods

HEAD = '''# Made by scripts/python_stubs.py from the library's descriptions of its options.
from os import PathLike
from typing import Any, Callable, Iterable, Literal, TypeVar, Union

'''
METHODS_HEAD = HEAD + '''from ._core import Creature, Result, World

Progress = Callable[[str, int, int], object]
_Number = Union[float, str]
_Body = Union[str, "PathLike[str]", Creature, World]
_Function = TypeVar("_Function", bound=Callable[..., Any])

def options(what: str) -> list[dict[str, Any]]: ...
def takes(*groups: str) -> Callable[[_Function], _Function]: ...
'''
CALLS_HEAD = HEAD + '''import numpy as np

from ._core import Result
from .control import BatchController, Controller
from .env import AutoresetMode, Env, VectorEnv

_Number = Union[float, str]

'''


def type_of(option: dict[str, Any]) -> str:
    kinds = {
        "number": "_Number", "integer": "int", "flag": "bool", "text": 'Union[str, "PathLike[str]", float, Iterable[Union[float, str]]]', "length": "_Number",
        "vector": "Union[str, Iterable[float]]", "texts": "Union[str, Iterable[Union[str, float]], dict[str, Any]]",
        "numbers": "Union[str, Iterable[float]]",
    }
    if option["kind"] == "choice":
        return "Literal[" + ", ".join(repr(value) for value, _ in option["choices"]) + "]"
    return kinds[option["kind"]]


def name_options(function: ast.FunctionDef, groups: list[str], text: str) -> None:
    """Puts the options of these groups, by name, in the place of **options. text: the docstring, which names them, too."""
    arguments = function.args
    arguments.kwarg = None
    taken = {argument.arg for argument in arguments.args + arguments.kwonlyargs}
    for group in groups:
        for option in _core.options_of(group):
            if option["meaning"] not in text:
                sys.exit(f"python_stubs.py: the docstring of {function.name} does not name the option {option['name']} of {group}")
            if option["name"] not in taken:
                taken.add(option["name"])
                annotation = ast.parse(f"{type_of(option)} | None", mode="eval").body
                arguments.kwonlyargs.append(ast.arg(option["name"], annotation))
                arguments.kw_defaults.append(ast.Constant(...))


def methods_stub() -> str:
    lines = [METHODS_HEAD]
    for name in _core.method_names():
        source = (f"def {name}(creature: _Body, *, progress: bool | Progress | None = ..., "
                  "stop: Callable[[], object] | None = ..., **options: Any) -> Result: ...")
        tree = ast.parse(source)
        function = tree.body[0]
        assert isinstance(function, ast.FunctionDef)
        text = inspect.getdoc(getattr(methods, name)) or ""
        name_options(function, [name, "world", "run"], text)
        function.body = [ast.Expr(ast.Constant(text))]
        lines.append(ast.unparse(tree))
    lines.append(f"__all__ = {_core.method_names()!r}")
    return "\n".join(lines) + "\n"


def calls_stub(*modules: Any) -> str:
    """The functions of the package that options are handed on by, with these options by name."""
    lines = [CALLS_HEAD]
    for module in modules:
        for node in ast.parse(inspect.getsource(module)).body:
            if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
                continue
            takes = node.decorator_list[0]
            assert isinstance(takes, ast.Call)
            groups = [ast.literal_eval(group) for group in takes.args]
            text = inspect.getdoc(getattr(module, node.name)) or ""
            name_options(node, groups, text)
            node.decorator_list = []
            node.body = [ast.Expr(ast.Constant(text))]
            lines.append(ast.unparse(node))
    return "\n".join(lines) + "\n"


def meaning(thing: Any) -> str:
    """A docstring without the signature that pybind11 puts before it."""
    return re.sub(r"^\w+\(.*\) -> .*\n+", "", inspect.getdoc(thing) or "")


def with_docstrings(source: str) -> str:
    """The stub with what the module says of each of its names, and with options by name."""
    tree = ast.parse(source)

    def document(body: list[ast.stmt], owner: Any) -> None:
        for node in body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                continue
            thing = inspect.getattr_static(owner, node.name)
            text = meaning(owner if node.name == "__init__" else thing)
            if isinstance(node, ast.ClassDef):
                document(node.body, thing)
            elif node.args.kwarg and isinstance(node.args.kwarg.annotation, ast.Constant):
                name_options(node, node.args.kwarg.annotation.value.split(), text)
            if text and not node.name.startswith("__"):
                node.body = [ast.Expr(ast.Constant(text)), *(s for s in node.body if not is_dots(s))]

    def is_dots(node: ast.stmt) -> bool:
        return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...

    document(tree.body, _core)
    return ast.unparse(tree) + "\n"


def main() -> None:
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    stubs = {
        source.name: with_docstrings(source.read_text(encoding="utf-8")),
        "methods.pyi": methods_stub(),
        "_calls.pyi": calls_stub(control, env),
    }
    for name, text in stubs.items():
        (folder / name).write_text(text, encoding="utf-8")


main()
