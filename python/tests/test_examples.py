"""Every example runs, in a short form, and draws its picture; the documents show each of them."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHORT = {"first_walk": "0.5", "body_from_python": "0.5", "own_controller": "0.5", "own_objective": "1", "paper_figure": "2"}


def test_every_example_is_run():
    assert {path.stem for path in (ROOT / "examples/python").glob("*.py")} == set(SHORT)


@pytest.mark.parametrize("name", sorted(SHORT))
def test_an_example_runs_and_draws(name, tmp_path):
    example = ROOT / f"examples/python/{name}.py"
    done = subprocess.run(
        [sys.executable, example, "picture.png", SHORT[name]], cwd=tmp_path, capture_output=True, text=True, env=os.environ
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "picture.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_the_figures_feet_carry_all_of_the_weight(walk, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "examples/python")
    from paper_figure import force_of

    feet = sum(force_of(walk, leg.foot) for leg in walk.creature.legs)
    standing = walk.time.searchsorted(0.4)
    assert feet[standing] == pytest.approx(walk.creature.mass * 9.81, rel=0.01)


@pytest.mark.parametrize("name", sorted(SHORT))
def test_the_documents_show_it(name):
    page = (ROOT / "docs/python.md").read_text()
    assert f"examples/python/{name}.py" in page and f"pictures/python_{name}.png" in page
