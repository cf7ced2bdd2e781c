"""What the tests share: motions that are made once, and the program to compare with."""

import os
import pathlib
import subprocess

import pytest

import legwork as lw


@pytest.fixture(scope="session")
def program() -> str:
    return os.environ["LEGWORK_PROGRAM"]


@pytest.fixture(scope="session")
def source() -> pathlib.Path:
    return pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def own_environment() -> dict[str, str]:
    """For programs that are not Python: a sanitizer's runtime that was loaded for the module would stop them."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


@pytest.fixture
def legwork(program, own_environment, tmp_path):
    """Runs the command line in the test's own folder."""

    def run(*words):
        return subprocess.run([program, *map(str, words)], cwd=tmp_path, env=own_environment, capture_output=True, text=True)

    return run


@pytest.fixture(scope="session")
def dog():
    return lw.load("dog")


@pytest.fixture(scope="session")
def walk():
    return lw.walk("dog", seconds=1.5)
