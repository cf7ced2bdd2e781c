"""Type stubs: complete, true, and useful to a checker."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import legwork

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = pathlib.Path(legwork.__file__).parent


def run(*words):
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    return subprocess.run([sys.executable, "-m", *map(str, words)], capture_output=True, text=True, env=environment)


@pytest.fixture(scope="session")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def test_the_package_is_typed_throughout(cache):
    done = run("mypy", "--strict", "--warn-unused-ignores", "--allow-any-generics", "--cache-dir", cache, "-p", "legwork")
    assert done.returncode == 0, done.stdout


def test_a_users_page_is_understood_and_its_mistakes_are_found(cache):
    done = run("mypy", "--strict", "--warn-unused-ignores", "--cache-dir", cache, HERE / "typed.py")
    assert done.returncode == 0, done.stdout


def test_editors_find_docstrings_in_the_stubs():
    methods, core = ((PACKAGE / name).read_text() for name in ("methods.pyi", "_core.pyi"))
    for option in legwork.options("walk"):
        assert option["meaning"] in methods
    assert "The mass matrix: (nv, nv)." in core and legwork.Result.__doc__.split(":")[0] in core


def test_stubs_say_what_is_there(cache, tmp_path):
    if not shutil.which("stubtest"):
        pytest.skip("no stubtest")
    done = run("mypy.stubtest", "legwork._core", "legwork.methods", "--ignore-missing-stub", "--allowlist", HERE / "stubtest_allowlist.txt")
    assert done.returncode == 0, done.stdout[-4000:]
