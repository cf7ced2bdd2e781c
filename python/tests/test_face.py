"""The face in a page: bodies, results, physics, controllers, files."""

import concurrent.futures
import copy
import fractions
import inspect
import multiprocessing
import pickle
import pydoc
import shutil
import subprocess

import numpy as np
import pytest

import legwork as lw

STRIDER = dict(
    name="strider",
    angles="deg",
    link=[
        dict(name="body", shape={"box": [0.30, 0.20, 0.08]}, density=600, joint={"free": True}),
        dict(
            name="arm", parent="body", at={"pos": [0.12, -0.10, 0]}, joint={"hinge": [0, 1, 0], "range": [-70, 70], "damper": 0.02},
            shape={"capsule": [0.012, 0.15]},
        ),
    ],
)


def test_a_body_from_python_is_the_body_of_its_file(tmp_path):
    body = lw.Creature(**STRIDER)
    assert (body.name, len(body.links), body.nv) == ("strider", 2, 7)
    body.save(tmp_path / "strider.toml")
    body.save(tmp_path / "strider.xml")
    again = lw.load(tmp_path / "strider.toml")
    assert again.to_toml() == body.to_toml()
    assert np.array_equal(lw.drop(again, seconds=0.2).q, lw.drop(body, seconds=0.2).q)
    assert lw.load(tmp_path / "strider.xml").mass == pytest.approx(body.mass)


def test_a_body_is_made_of_iterators_and_numpy_too():
    links = (dict(name=f"link {i}", shape={"sphere": np.float32(0.1)}, density=1000, at=np.eye(3)[i], joint={"free": True}) for i in range(3))
    assert lw.Creature(name="three", link=links).nv == 18


def test_a_body_may_build_on_another():
    heavy = lw.Creature(base="box", name="heavy", link=[dict(name=lw.load("box").links[0].name, mass=77)])
    assert heavy.mass == pytest.approx(77)


def test_a_result_of_a_python_body_can_be_saved_and_rerun(tmp_path):
    lw.drop(lw.Creature(**STRIDER), seconds=0.2).save(tmp_path / "fall.glb")
    assert lw.rerun(tmp_path / "fall.glb")[1] == ""


def test_parts_of_a_body(dog):
    assert dog.nq == len(dog.poses["stand"]) and dog.nv == len(dog.dofs)
    assert sum(link.mass for link in dog.links) == pytest.approx(dog.mass)
    assert {leg.name for leg in dog.legs} == {"lf", "rf", "lh", "rh"}
    assert all(dog.links[leg.foot].name for leg in dog.legs)
    assert dog.equipped().nu > 0 == dog.nu
    assert {row["method"]: row["supported"] for row in dog.supports()}["walk"]
    assert "dog" in lw.creatures() and isinstance(lw.worlds(), dict)


def test_a_walk(walk):
    assert walk.status == "ok" and walk.gait.speed > 0 and walk.duration == walk.time[-1]
    assert set(walk.gait.legs) == {"lf", "rf", "lh", "rh"}
    assert walk.summary()["gait"]["speed"] == walk.gait.speed
    assert walk.measure_gait().speed == walk.gait.speed
    assert walk.measure_gait(force_threshold=0.5).duty_factor != walk.gait.duty_factor
    assert walk.appearance()["slide"] >= 0
    assert walk.account and walk.values and walk.channels["center of mass"].shape == (len(walk), 3)


def test_files_and_pictures(walk, tmp_path):
    for ending in (".glb", ".bvh", ".csv", ".sto"):
        walk.save(tmp_path / f"walk{ending}")
        assert (tmp_path / f"walk{ending}").stat().st_size > 1000
    picture = walk.render(0.5, width=64, height=36, samples=1, path=tmp_path / "walk.png")
    assert picture.shape == (36, 64, 3) and picture.dtype == np.uint8 and picture.std() > 0
    whole, stride = (walk.render(strip=3, width=90, height=30, samples=1, stride=one) for one in (False, True))
    assert whole.shape == stride.shape == (30, 90, 3) and not np.array_equal(whole, stride)
    panels = walk.plot()
    assert len(panels) == 2 and panels[0].figure is panels[1].figure
    assert walk.plot(panels[0].figure.subfigures())[0] is not panels[0]
    with pytest.raises(lw.Error, match="a list is none"):
        walk.plot([])
    assert lw.drop("box", seconds=0.1, gravity=1.6).gravity == 1.6 and len(lw.drop("box", seconds=0.1, gravity=0).plot()) == 1
    if lw.has_report_page():
        walk.report(tmp_path / "walk.html")
        lw.report([walk, walk], tmp_path / "both.html", title="twice")
        lw.report(iter([walk]), tmp_path / "one.html")
        lw.report(walk, tmp_path / "same.html")
        assert (tmp_path / "one.html").read_bytes() == (tmp_path / "same.html").read_bytes()
        bundle = walk._repr_mimebundle_()
        assert bundle["text/html"] == walk._repr_html_() and "legwork.Result" in bundle["text/plain"]


@pytest.mark.skipif(not (lw.has_report_page() and shutil.which("node") and shutil.which("chromium")), reason="no page or no browser")
def test_a_notebooks_cell_shows_a_long_walk(source, own_environment, tmp_path):
    cell = lw.walk("dog", seconds=6)._repr_html_()
    assert len(cell) > 2.1e6  # browsers show nothing of addresses beyond 2 MB
    page = tmp_path / "cell.html"
    page.write_text(f"<html><body>{cell}</body></html>", encoding="ascii")
    done = subprocess.run(["node", source / "python/tests/notebook.mjs", page], env=own_environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "dog, walk\n"


def test_files_as_other_programs_want_them(walk, tmp_path):
    walk.save(tmp_path / "small.bvh", rate=30, unit=0.01)
    lines = (tmp_path / "small.bvh").read_text().splitlines()
    assert "Frame Time: 0.0333333333" in "\n".join(lines)
    walk.save(tmp_path / "clip.glb", clip="my walk")
    assert b'"name":"my walk"' in (tmp_path / "clip.glb").read_bytes().replace(b'": "', b'":"')
    assert np.array_equal(lw.read(tmp_path / "clip.glb").q, walk.q)
    skinned = walk.skin(tmp_path / "clip.glb", tmp_path / "skin.glb", rate=10)
    assert dict(skinned["pairs"])["chest"] == "chest" and skinned["scale"] == pytest.approx(1)
    for wrong in (dict(rate=float("nan")), dict(rate=-5), dict(unit=0), dict(unit=float("nan")), dict(clip="walk")):
        with pytest.raises(lw.Error):
            walk.save(tmp_path / "wrong.bvh", **wrong)
    with pytest.raises(lw.Error, match="is the rig itself"):
        walk.skin(tmp_path / "clip.glb", tmp_path / "clip.glb")
    assert not (tmp_path / "wrong.bvh").exists() and lw.read(tmp_path / "clip.glb").status == "ok"


def test_a_loop_ends_as_it_begins():
    trot = lw.modes("dog", action="trot", stiffness=20, spine=5, hz=2, seconds=3)
    loop = trot.loop()
    assert np.allclose(loop.q[0][7:], loop.q[-1][7:])
    assert trot.loop(start=1, period=0.5).duration == pytest.approx(0.5)


def test_a_study(tmp_path):
    text = 'verb = "drop"\ncreature = "box"\nmeasure = ["penetration"]\n[options]\nseconds = 0.2\n[vary.world]\nfriction = [0.2, 0.8]\n'
    study = lw.study(text, results=tmp_path / "runs.jsonl")
    assert len(study.rows) == len(study.runs) == 2 and study.axes == ["world.friction"]
    assert study.rows[0]["penetration"]["mean"] >= 0 and "penetration" in study.to_csv()
    assert lw.study(text, results=tmp_path / "runs.jsonl").resumed == 2


def test_dynamics_of_rows_are_the_rows_of_dynamics(dog):
    dynamics = lw.dynamics(dog)
    random = np.random.default_rng(1)
    v, tau = random.normal(size=(4, dog.nv)), random.normal(size=(4, dog.nv))
    q = dynamics.integrate(np.tile(dog.poses["stand"], (4, 1)), 0.1 * v, 1.0)
    together = dynamics.forward(q, v, tau)
    assert together.shape == (4, dog.nv)
    for i in range(4):
        assert np.array_equal(together[i], dynamics.forward(q[i], v[i], tau[i]))
    assert np.allclose(dynamics.inverse(q, v, together), tau, atol=1e-6)
    assert dynamics.mass_matrix(q).shape == (4, dog.nv, dog.nv)
    J = dynamics.jacobian(q[0], "lf")
    assert np.allclose(J[3:] @ v[0], dynamics.velocity(q[0], v[0], "lf"))


def test_dynamics_take_states_in_arrays_of_any_shape(dog):
    dynamics, stand = lw.dynamics(dog), dog.poses["stand"]
    random = np.random.default_rng(2)
    v = random.normal(size=(2, 3, dog.nv))
    q = dynamics.integrate(stand, 0.05 * v, 1.0)  # one q beside every v
    assert q.shape == (2, 3, dog.nq) and dynamics.center_of_mass(q).shape == (2, 3, 3)
    assert dynamics.mass_matrix(q).shape == (2, 3, dog.nv, dog.nv) and dynamics.kinetic_energy(q, v).shape == (2, 3)
    assert np.array_equal(dynamics.bias(q, v)[1, 2], dynamics.bias(q[1, 2], v[1, 2]))
    assert np.array_equal(dynamics.forward(stand, v, 0 * v[0, 0])[1, 0], dynamics.forward(stand, v[1, 0], 0 * v[0, 0]))
    assert dynamics.mass_matrix(q[:0]).shape == (0, 3, dog.nv, dog.nv)
    with pytest.raises(lw.Error, match="v: has not as many rows as q"):
        dynamics.bias(q, v[0])


def test_physics_has_the_bits_of_a_drop():
    drop = lw.drop("hexapod", seconds=0.3)
    simulation = lw.Simulation("hexapod")
    simulation.reset(drop.q[0], drop.v[0])
    for frame in range(1, len(drop)):
        assert simulation.step(steps=simulation.frame_steps)
        assert np.array_equal(simulation.q, drop.q[frame]) and np.array_equal(simulation.v, drop.v[frame])


def test_a_controller_and_a_batch_of_it_give_the_same_bits():
    body = lw.load("hexapod")
    stand = body.poses["stand"]

    def spring(simulation):
        q, v = simulation.q, simulation.v
        torque = np.zeros_like(v)
        torque[..., 6:] = 2 * (stand[7:] - q[..., 7:]) - 0.05 * v[..., 6:]
        return torque

    one = lw.simulate(body, spring, seconds=0.3, every=4)
    many = lw.simulate_batch(body, spring, n=9, seconds=0.3, every=4)
    assert one.status == "ok" and many.shape == (9, len(one), body.nq + body.nv)
    for row in many:
        assert np.array_equal(row[:, : body.nq], one.q) and np.array_equal(row[:, body.nq :], one.v)
    limp = lw.simulate(body, seconds=0.3)
    assert not np.array_equal(limp.q, one.q)


def test_bodies_of_a_batch_start_anew_by_number_by_mask_and_from_one_row(dog):
    batch = lw.SimulationBatch("hexapod", 5)
    first = batch.q.copy()
    batch.step(steps=40)
    moved = batch.q.copy()
    batch.reset(np.array([True, False, True, False, False]))
    assert np.array_equal(batch.q[[0, 2]], first[[0, 2]]) and np.array_equal(batch.q[[1, 3, 4]], moved[[1, 3, 4]])
    batch.reset(~(batch.time > 0))
    batch.reset([4, 1], q=moved[0])
    assert np.array_equal(batch.q[[1, 4]], moved[[0, 0]]) and np.array_equal(batch.q[3], moved[3])
    batch.reset([], q=moved[0])
    one = lw.simulate_batch("hexapod", lambda batch: None, n=3, seconds=0.1, q=moved[0], v=np.zeros(batch.nv))
    rows = lw.simulate_batch("hexapod", lambda batch: None, n=3, seconds=0.1, q=moved[:3], v=np.zeros((3, batch.nv)))
    assert np.array_equal(one, rows) and np.array_equal(one[2, 0, : batch.nq], moved[0])


def test_a_rollout_is_the_batch_under_the_same_commands():
    body = lw.load("bounder")
    middle = np.array([(a.lower + a.upper) / 2 for a in body.actuators])
    controls = middle + 0.1 * np.sin(np.arange(9 * 20 * body.nu)).reshape(9, 20, body.nu)
    states, rewards = lw.rollout(body, controls, threads=2)
    assert states.shape == (9, 20, body.nq + body.nv) and rewards.shape == (9, 20)
    batch = lw.SimulationBatch(body, 9, rate=30)
    for step in range(20):
        batch.step(target=controls[:, step], steps=batch.frame_steps)
        assert np.array_equal(states[:, step, : body.nq], batch.q)
    assert np.array_equal(lw.rollout(body, controls, threads=1)[0], states)


def test_a_motion_of_ones_own_arrays(walk):
    mine = lw.motion("dog", walk.time, walk.q, walk.v, walk.tau, walk.contact_force)
    assert mine.gait.speed == walk.gait.speed
    drawn = lw.motion("dog", walk.time, walk.q)  # velocities from neighbouring frames
    assert np.allclose(drawn.v[1:-1, :3], (walk.q[2:, :3] - walk.q[:-2, :3]) / (walk.time[2:] - walk.time[:-2])[:, None])
    assert drawn.gait.speed == pytest.approx(lw.motion("dog", walk.time, walk.q, walk.v).gait.speed, rel=0.02)
    assert not lw.motion("dog", [0.0], walk.q[:1]).v.any()


@pytest.mark.parametrize("name", ["bounder", "my-bounder 2"])
def test_dynamics_as_c_are_those_of_the_command_line(name, legwork, tmp_path):
    done = legwork("compile", "bounder", "--emit", "mass", "--emit", "jacobian", "--point", "fore_foot", "--gravity", "1.6", "--out", f"{name}.c")
    assert done.returncode == 0, done.stderr
    code = lw.compile_c("bounder", name, emit=["mass", "jacobian"], point="fore_foot", gravity="1.6")
    assert code.source == (tmp_path / f"{name}.c").read_text() and code.header == (tmp_path / f"{name}.h").read_text()
    assert f'#include "{name}.h"' in code.source
    assert [f["name"].rpartition("_")[2] for f in code.functions] == ["mass", "foot"]
    assert all(0 < f["operations"] < f["asked_for"] for f in code.functions)
    (tmp_path / "there").mkdir()
    code.save(tmp_path / "there")
    assert {path.name for path in (tmp_path / "there").iterdir()} == {f"{name}.c", f"{name}.h"}
    assert (tmp_path / "there" / f"{name}.c").read_text() == code.source


def test_options_are_described_once():
    for what in [*lw.methods.__all__, "world", "run", "gait", "task", "rollout", "compile_c"]:
        for option in lw.options(what):
            assert option["meaning"], option["name"]
    for name in lw.methods.__all__:
        method = getattr(lw, name)
        signature = inspect.signature(method)
        for option in lw.options(name):
            assert signature.parameters[option["name"]].default == option["default"]
            assert option["meaning"] in method.__doc__
        assert f"legwork.{name}" in pydoc.render_doc(method) or name in pydoc.render_doc(method)


WITH_OPTIONS = {
    "World": ["world"], "Simulation": ["world"], "SimulationBatch": ["world"], "Dynamics": ["world"], "Environment": ["task", "world"],
    "rollout": ["rollout", "run", "world"], "compile_c": ["compile_c", "world"], "run": ["run"], "rerun": ["run"], "study": ["run"],
    "simulate": ["world"], "simulate_batch": ["world"], "make_env": ["task", "world"], "make_vector_env": ["task", "world"],
}


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_a_call_says_the_options_that_it_takes(name):
    call = getattr(lw, name)
    for option in (option for group in WITH_OPTIONS[name] for option in lw.options(group)):
        assert f"    {option['name']}: {option['meaning']}" in call.__doc__
        if name.startswith(("simulate", "make")):
            assert inspect.signature(call).parameters[option["name"]].default == option["default"]


def test_functions_have_signatures_and_go_to_other_processes():
    functions = [getattr(lw, name) for name in lw.__all__ if inspect.isfunction(getattr(lw, name))]
    assert {lw.load, lw.walk, lw.rollout, lw.simulate, lw.make_env} <= set(functions)
    for function in functions:
        assert pickle.loads(pickle.dumps(function)) is function
        assert inspect.signature(function).parameters is not None
    assert str(inspect.signature(lw.rollout)) == "(creature, controls, *, start=None, progress=None, stop=None, **options)"
    with pytest.raises(TypeError, match=r"load\(\) missing a required argument: 'name'"):
        lw.load()
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        bodies = list(pool.map(lw.load, ["box", "hexapod"]))
        assert [body.name for body in bodies] == ["box", "hexapod"]
        gait = pool.submit(lw.motion, "hexapod", [0, 1], np.tile(bodies[1].poses["stand"], (2, 1))).result().gait
    assert gait.strides == 0


def test_a_gait_and_dynamics_are_the_same_after_a_pickle(walk, dog):
    gait = pickle.loads(pickle.dumps(walk.gait))
    assert gait.to_json() == walk.gait.to_json() and gait.to_toml() == walk.gait.to_toml()
    assert np.array_equal(gait.margin, walk.gait.margin, equal_nan=True) and gait.reference == walk.gait.reference
    leg = pickle.loads(pickle.dumps(walk.gait.legs["lf"]))
    assert (leg.leg, leg.girdle, leg.phase, len(leg.stances)) == ("lf", gait.legs["lf"].girdle, gait.legs["lf"].phase, len(gait.legs["lf"].stances))
    stance = pickle.loads(pickle.dumps(leg.stances[0]))
    assert (stance.down, stance.up, stance.at) == (leg.stances[0].down, leg.stances[0].up, leg.stances[0].at)
    moon = lw.dynamics(dog, gravity=(0, 0, -1.6))
    stand, rest = dog.poses["stand"], np.zeros(dog.nv)
    assert np.array_equal(pickle.loads(pickle.dumps(moon)).bias(stand, rest), moon.bias(stand, rest))
    assert not np.array_equal(lw.dynamics(dog).bias(stand, rest), moon.bias(stand, rest))


def test_subclasses_keep_what_is_theirs(dog):
    class Controlled(lw.Simulation):
        def __init__(self, creature, gain, **world):
            super().__init__(creature, **world)
            self.gains = [gain]

        def go(self):
            return self.step(-self.gains[0] * self.v)

    one = Controlled("hexapod", 0.01, terrain="slope:3deg")
    assert one.go()
    twin, deep, plain = copy.copy(one), copy.deepcopy(one), lw.Simulation(one)
    assert type(twin) is type(deep) is Controlled and twin.gains is one.gains and deep.gains == one.gains and deep.gains is not one.gains
    assert one.go() and twin.go() and deep.go() and plain.step(-0.01 * plain.v)
    for other in (twin, deep, plain):
        assert np.array_equal(other.q, one.q) and not np.shares_memory(other.q, one.q)
    body = Named(base="box", name="crate")
    body.owner = "Ann"
    again = pickle.loads(pickle.dumps(body))
    assert type(again) is Named and again.owner == "Ann" and again.to_toml() == body.to_toml()


class Named(lw.Creature):
    """What a pickle finds by its name."""


def test_options_are_given_as_numpy_and_python_have_them():
    moon = (0.0, 0.0, -1.6)
    for gravity in (1.6, "1.6", moon, list(moon), np.array(moon), (x for x in moon), "0,0,-1.6"):
        assert lw.World("box", gravity=gravity).gravity == moon
    for emit in (["mass"], ("mass",), np.array(["mass"]), iter(["mass"]), {"mass": 1}.keys()):
        assert len(lw.compile_c("box", "box", emit=emit).functions) == 1
    same = [lw.drop("box", seconds=s, seed=n).q for s, n in ((0.25, 3), (np.float32(0.25), np.int8(3)), (fractions.Fraction(1, 4), "3"))]
    assert np.array_equal(same[0], same[1]) and np.array_equal(same[0], same[2])


def test_names_to_complete_are_those_of_the_face():
    shown = [name for name in dir(lw) if not name.startswith("__")]
    assert set(shown) == {*lw.__all__, "control", "env", "methods", "spaces"} - {"__version__"}


def test_everything_has_a_docstring():
    for name in lw.__all__:
        thing = getattr(lw, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            for attribute, value in vars(thing).items():
                plain = not attribute.startswith("_") and (callable(value) or isinstance(value, property))
                assert not plain or inspect.getdoc(value), f"{name}.{attribute}"
