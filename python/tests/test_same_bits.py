"""The same call gives the same bits as the command line, for every method."""

import re
import subprocess

import numpy as np
import pytest

import legwork as lw

# Method, body, options: with and without the controller that balances.
RUNS = [
    ("drop", "hexapod", {"seconds": 0.4, "height": "0.3m", "throw": (1, 0, 0.5), "terrain": "slope:10deg"}),
    ("walk", "roach", {"seconds": 0.2, "feet": "stick", "slowness": 3, "terrain": "bumps:0.004,0.03"}),
    ("walk", "dog", {"seconds": 1.5, "terrain": "slope:5deg"}),
    ("discover", "bounder", {"random": 16, "vary": 8, "gaits": 2, "tune": 2, "seconds": 2, "seed": 7}),
    ("evolve", "bounder", {"generations": 1, "children": 2, "budget": 16, "seconds": 1, "metric": "distance", "seed": 5}),
    ("direct", "biped", {"algorithm": "walk", "seconds": 0.3, "set": {"stride": 0.5}}),
    ("modes", "dog", {"action": "trot", "stiffness": 20, "spine": 5, "hz": 2, "seconds": 1}),
    ("modes", "dog", {"action": "trot", "balance": True, "seconds": 1.5}),
    ("reach", "tyrannosaurus", {"step": "0.6h", "population": 40, "iterations": 10, "cache": "off"}),
    ("script", "examples/roach_drops.corpus", {"seconds": 0.05}),
]


def words_of(options):
    """Keyword arguments as a person would write them on the command line."""
    for name, value in options.items():
        values = [f"{k}={v}" for k, v in value.items()] if isinstance(value, dict) else [value]
        for one in values:
            yield f"--{name.replace('_', '-')}"
            if one is True:
                continue
            yield ",".join(map(str, one)) if isinstance(one, tuple) else str(one)


def test_every_method_of_the_library_is_compared():
    assert {method for method, _, _ in RUNS} == set(lw.methods.__all__)


@pytest.mark.parametrize("method, body, options", RUNS)
def test_a_method_writes_the_file_of_the_command_line_byte_for_byte(method, body, options, program, source, tmp_path, monkeypatch):
    monkeypatch.chdir(source)
    theirs = tmp_path / "theirs.glb"
    done = subprocess.run([program, method, body, *words_of(options), "--out", theirs, "--quiet"], capture_output=True, text=True)
    assert done.returncode in (0, 3), done.stderr
    result = getattr(lw, method)(body, **options)
    result.save(tmp_path / "ours.glb")
    assert (tmp_path / "ours.glb").read_bytes() == theirs.read_bytes()


def test_a_motion_is_tracked_with_the_bits_of_the_command_line(legwork, tmp_path):
    lw.modes("dog", action="trot", seconds=1).save(tmp_path / "trot.glb")
    done = legwork("direct", "dog", "--track", "trot.glb", "--seconds", 0.5, "--out", "theirs.glb", "--quiet")
    assert done.returncode in (0, 3), done.stderr
    tracked = lw.direct("dog", track=str(tmp_path / "trot.glb"), seconds=0.5)
    assert np.array_equal(tracked.q, lw.read(tmp_path / "theirs.glb").q) and len(tracked.time) > 10


def test_a_study_writes_the_runs_and_the_table_of_the_command_line(legwork, tmp_path):
    (tmp_path / "slide.toml").write_text("""
name = "how far a box slides"
verb = "drop"
creature = "box"
repetitions = 2
measure = ["energy.end", "penetration"]
[options]
seconds = 0.3
height = "0.05 .. 0.15 m"
throw = [1.2, 0, 0]
[vary.world]
friction = [0.3, 0.9]
""")
    done = legwork("study", "slide.toml", "--results", "theirs.jsonl", "--table", "theirs.csv", "--threads", 1, "--quiet")
    assert done.returncode == 0, done.stderr
    study = lw.study(tmp_path / "slide.toml", results=tmp_path / "ours.jsonl", threads=1)
    assert len(study.runs) == 4 and study.resumed == 0
    assert study.to_csv() == (tmp_path / "theirs.csv").read_text()
    timing = r'"(wall_seconds|realtime_factor)":[^,}]*'  # the two that a clock gives
    ours, theirs = (re.sub(timing, "", (tmp_path / name).read_text()) for name in ("ours.jsonl", "theirs.jsonl"))
    assert ours == theirs


def test_a_loaded_creature_gives_the_same_bits_as_its_name(tmp_path):
    options = {"seconds": 0.3, "terrain": "slope:5deg", "friction": 0.5}
    by_name, loaded = lw.drop("hexapod", **options), lw.drop(lw.load("hexapod"), **options)
    by_world = lw.drop(lw.World("hexapod", terrain="slope:5deg", friction=0.5), seconds=0.3)
    for name, result in (("a", by_name), ("b", loaded), ("c", by_world)):
        result.save(tmp_path / f"{name}.glb")
    assert (tmp_path / "a.glb").read_bytes() == (tmp_path / "b.glb").read_bytes()
    assert np.array_equal(by_name.q, by_world.q)


def test_a_result_can_be_rerun_and_its_scenario_run(tmp_path):
    result = lw.drop("box", seconds=0.3, seed=5)
    result.save(tmp_path / "box.glb")
    again, difference = lw.rerun(tmp_path / "box.glb")
    assert difference == ""
    assert np.array_equal(lw.run(result.scenario).q, result.q)
    assert np.array_equal(lw.read(tmp_path / "box.glb").q, result.q)


def test_threads_do_not_change_a_search():
    options = {"random": 16, "vary": 8, "gaits": 2, "tune": 2, "seconds": 2}
    one, two = lw.discover("bounder", threads=1, **options), lw.discover("bounder", threads=2, **options)
    assert np.array_equal(one.q, two.q)
    assert [o.title for o in one.others] == [o.title for o in two.others]


def test_dynamics_are_those_of_inspect(legwork, tmp_path, dog):
    import json

    done = legwork("inspect", "dog", "--pose", "stand", "--point", dog.links[3].name + ",0,0,0", "--json", "-")
    said = json.loads(done.stdout)
    dynamics = lw.dynamics(dog)
    q, v = dog.poses["stand"], np.zeros(dog.nv)
    assert np.array_equal(dynamics.mass_matrix(q), said["mass_matrix"])
    assert np.array_equal(dynamics.bias(q, v), said["bias"])
    assert np.array_equal(dynamics.passive(q, v), said["passive"])
    assert np.array_equal(dynamics.forward(q, v, v), said["qdd"])
    assert np.array_equal(dynamics.jacobian(q, dog.links[3].name), said["point"]["jacobian"])
    assert np.array_equal(dynamics.center_of_mass(q), said["com"])
