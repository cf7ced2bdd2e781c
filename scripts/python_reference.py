#!/usr/bin/env python3
"""usage: python_reference.py    docs/python_reference.md on stdout, from the package's own docstrings and signatures"""

import inspect
import re

import legwork as lw

HEAD = """# Python reference

Written by `PYTHONPATH=build/python python3 scripts/python_reference.py > docs/python_reference.md` from the docstrings of the package,
which come from the library's descriptions; a test fails when they differ. [From Python](python.md) is the page to begin with. The options
of every method, of the world and of the run are those of [the command line](options.md), with `_` for `-`.
"""
OPTIONS = {
    "task": "Options of environments", "rollout": "Options of rollouts", "gait": "Options of gait measures",
    "compile_c": "Options of compile_c",
}
TITLE = r"\n\n(Options|The world|The run):\n"
GROUPS = {"Options": "its own", "The world": "those of the world", "The run": "those of the run"}


def doc(thing):
    """The docstring as one paragraph, without the options at its end; pybind11 puts a signature before it."""
    text = inspect.getdoc(thing) or ""
    text = re.sub(r"^\w+\(.*\) -> .*\n+", "", text)
    listed = [GROUPS[title] for title in re.findall(TITLE, text)]
    text = re.split(TITLE, text)[0] + (f" Options: {', '.join(listed)}." if listed else "")
    return " ".join(text.split()).replace("|", "\\|")


def bound_signature(text):
    """The arguments of a bound function as a person writes them."""
    found = re.match(r"\w+\((.*)\)(?: -> .*)?$", (text or "").split("\n")[0])
    if not found:
        return "()"
    arguments = []
    depth = 0
    word = ""
    for c in found[1] + ",":
        depth += (c in "[({<") - (c in "])}>")
        if c == "," and depth == 0:
            arguments.append(word.strip())
            word = ""
        else:
            word += c
    plain = []
    for argument in arguments:
        if not argument or argument.startswith("self"):
            continue
        named = re.match(r"(\**\w*)(?::[^=]*)?(?:= ?(.*))?$", argument)
        if named:
            plain.append(named[1].replace("kwargs", "options") + (f"={named[2].strip()}" if named[2] else ""))
    return f"({', '.join(plain)})"


def signature(thing):
    try:
        given = inspect.signature(thing)
        options = re.findall(r"^    (\w+): ", "\n".join(re.split(TITLE, thing.__doc__ or "")[1:]), re.MULTILINE)
        named = [p for p in given.parameters.values() if p.kind is not p.VAR_KEYWORD and p.name not in set(options) - {"progress", "stop"}]
        if options:
            named.append(inspect.Parameter("options", inspect.Parameter.VAR_KEYWORD))
        text = str(given.replace(parameters=named))
    except (TypeError, ValueError):
        return bound_signature(thing.__doc__)
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"\1", text)
    text = re.sub(r":\s*'?[A-Za-z_.\[\], |]+'?(?=[,)=]| =)", "", text)
    return re.sub(r" -> .*", "", text).replace(" = ", "=").replace("(self, ", "(").replace("(self)", "()")


def members(cls):
    rows = []
    ours = [base for base in reversed(cls.__mro__) if base.__module__.startswith("legwork")]
    for name, value in {name: value for base in ours for name, value in vars(base).items()}.items():
        if name.startswith("_"):
            continue
        if isinstance(value, property):
            rows.append((name, doc(value)))
        elif callable(value):
            rows.append((name + signature(value), doc(value)))
    return sorted(rows, key=lambda row: ("(" in row[0], row[0]))


def option_rows(what):
    for option in lw.options(what):
        choices = "; ".join(f"`{name}`" + (f" {text}" if text else "") for name, text in option["choices"])
        about = option["meaning"] + (f": {choices}" if choices else "")
        yield f"| `{option['name']}` | `{option['default']!r}` | {option['range'] or option['unit']} | {about} |"


def main():
    print(HEAD)
    print("## Methods\n\n| function | what it does |\n|---|---|")
    for name in lw.methods.__all__:
        print(f"| `legwork.{name}(creature, *, progress=None, stop=None, ...)` | {getattr(lw, name).__doc__.splitlines()[0]} |")
    print("\n## Functions\n\n| function | what it does |\n|---|---|")
    classes, functions = [], []
    for name in lw.__all__:
        thing = getattr(lw, name)
        if name in lw.methods.__all__ or name in ("dynamics", "__version__"):
            continue
        (classes if inspect.isclass(thing) else functions).append(name)
    for name in functions:
        print(f"| `legwork.{name}{signature(getattr(lw, name))}` | {doc(getattr(lw, name))} |")
    print("| `legwork.dynamics(creature, ...)` | The same as `legwork.Dynamics`. |")
    print("| `legwork.__version__` | The version, a text. |")
    for what, title in OPTIONS.items():
        print(f"\n## {title}\n\n| option | default | range | meaning |\n|---|---|---|---|")
        for row in option_rows(what):
            print(row)
    for name in classes:
        cls = getattr(lw, name)
        print(f"\n## {name}\n\n{doc(cls)}\n")
        rows = members(cls)
        if rows:
            print("| attribute | meaning |\n|---|---|")
            for left, right in rows:
                print(f"| `{left}` | {right} |")


main()
