"""Files that the package itself writes: whole, or not at all."""

from __future__ import annotations

import os
import pathlib
import secrets
from typing import Any

from ._core import CompiledC
from ._errors import Error


def _write(path: pathlib.Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        try:
            with open(temporary, "x", encoding="utf-8") as out:
                out.write(text)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, ValueError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else wrong
        raise Error(f"cannot be written: {why}", "choose another folder", file=str(path)) from wrong


def save_code(code: CompiledC, folder: Any) -> None:
    """Writes the header and the source beside each other."""
    place = pathlib.Path(folder)
    for ending, text in ((".h", code.header), (".c", code.source)):
        _write(place / (code.name + ending), text)
