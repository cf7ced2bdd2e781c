"""Python's lists and dicts as TOML: what a creature file is written in."""

from __future__ import annotations

import os
import re
from typing import Any, Iterator, Mapping

from ._errors import Error

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _text(value: str) -> str:
    inner = "".join(_ESCAPES.get(c, c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in value)
    return f'"{inner}"'


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise Error(f"{name!r} is no name of a key", "use texts", "Creature")
    return name if _BARE.match(name) else _text(name)


def _value(value: Any, who: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, os.PathLike):
        return _text(os.fspath(value))
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v, who)}" for k, v in value.items()) + " }"
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        return _value(value.tolist(), who)
    if isinstance(value, (list, tuple, Iterator)):
        return "[" + ", ".join(_value(v, who) for v in value) + "]"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    raise Error(f"a {type(value).__name__} has no place in a creature file", "use texts, numbers, lists and dicts", who)


def _is_table_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def write(tables: Mapping[str, Any]) -> str:
    """A creature file: plain keys first, then a [table] for each dict and a [[table]] for each dict of a list."""
    tables = {name: list(value) if isinstance(value, Iterator) else value for name, value in tables.items()}
    lines = []
    for name, value in tables.items():
        if value is not None and not isinstance(value, Mapping) and not _is_table_list(value):
            lines.append(f"{_key(name)} = {_value(value, name)}")
    for name, value in tables.items():
        if isinstance(value, Mapping):
            entries, heads = [value], f"[{_key(name)}]"
        elif _is_table_list(value):
            entries, heads = list(value), f"[[{_key(name)}]]"
        else:
            continue
        for entry in entries:
            lines += ["", heads]
            lines += [f"{_key(k)} = {_value(v, f'{name}: {k}')}" for k, v in entry.items() if v is not None]
    return "\n".join(lines) + "\n"
