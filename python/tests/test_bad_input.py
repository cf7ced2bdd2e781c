"""Bad input is a clear exception, never a crash, and leaves everything usable."""

import contextlib
import copy
import math
import pickle
import subprocess
import sys
import threading

import hypothesis
import hypothesis.extra.numpy as arrays
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import legwork as lw

hypothesis.settings.register_profile("legwork", deadline=None, max_examples=60, derandomize=True)
hypothesis.settings.load_profile("legwork")

DOG = lw.load("dog")
SIMULATION = lw.Simulation(DOG)
BATCH = lw.SimulationBatch(DOG, 3)
DYNAMICS = lw.dynamics(DOG)
ENV = lw.make_env("bounder")
STAND = DOG.poses["stand"]

things = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20), st.binary(max_size=8),
    st.lists(st.one_of(st.floats(), st.text(max_size=3)), max_size=5), st.dictionaries(st.text(max_size=4), st.integers(), max_size=3),
    st.complex_numbers(), st.builds(object),
)
shapes = arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)
odd_arrays = st.one_of(
    arrays.arrays(np.float64, shapes), arrays.arrays(np.int8, shapes), arrays.arrays(np.complex128, shapes),
    arrays.arrays(np.dtype("U3"), shapes), things,
)


def refuses(call):
    """The call works or raises an exception that explains itself."""
    try:
        call()
    except (lw.Error, TypeError, OverflowError) as error:
        assert str(error)


@given(odd_arrays)
def test_arrays_of_any_kind_and_shape(array):
    for call in (
        lambda: SIMULATION.step(array), lambda: SIMULATION.step(None, array), lambda: SIMULATION.reset(array),
        lambda: SIMULATION.reset(STAND, array), lambda: setattr(SIMULATION, "q", array), lambda: BATCH.step(array),
        lambda: BATCH.reset(None, array), lambda: BATCH.reset(array), lambda: DYNAMICS.mass_matrix(array),
        lambda: DYNAMICS.forward(STAND, array, array), lambda: DYNAMICS.jacobian(STAND, array),
        lambda: DYNAMICS.position(STAND, ("trunk", array)), lambda: lw.rollout(DOG, array), lambda: lw.motion(DOG, array, array),
        lambda: SIMULATION.push(DOG.links[0].name, array, 0.1),
    ):
        refuses(call)
    SIMULATION.reset()
    assert SIMULATION.step()


@given(st.text(max_size=12), things)
def test_options_of_any_name_and_value(name, value):
    hypothesis.assume(name not in ("progress", "stop", "creature", "seconds", "rate"))
    refuses(lambda: lw.drop("box", seconds=0.01, **{name: value}))


@given(st.sampled_from([o["name"] for what in ("drop", "world") for o in lw.options(what)]), things)
def test_known_options_of_any_value(name, value):
    hypothesis.assume(not (name == "seconds" and isinstance(value, (int, float)) and not value < 0.1))
    hypothesis.assume(not (name in ("rate", "dt") and isinstance(value, (int, float))))
    options = {"seconds": 0.01, **{name: value}}
    if options["seconds"] is None:
        options["seconds"] = 0.01
    refuses(lambda: lw.drop("box", **options))


@given(things)
def test_bodies_that_are_none(thing):
    for call in (lw.load, lw.walk, lw.Simulation, lw.dynamics, lw.World, lw.read, lw.run, lw.archive, lw.study):
        refuses(lambda: call(thing))


@given(st.dictionaries(st.text(max_size=6), st.recursive(things, lambda t: st.lists(t, max_size=3), max_leaves=4), max_size=4))
def test_creatures_of_any_keys(tables):
    refuses(lambda: lw.Creature(**tables))


@given(arrays.arrays(np.float64, (len(ENV.core.actions),), elements=st.floats(allow_nan=True)))
def test_actions_of_any_value(action):
    ENV.reset(seed=1)
    if np.isfinite(action).all():
        assert np.isfinite(ENV.step(action)[0]).all()
    else:
        with pytest.raises(lw.Error):
            ENV.step(action)


@given(arrays.arrays(np.float64, (DOG.nq,), elements=st.floats(-1e3, 1e3)))
def test_states_of_any_value_move_or_fail_with_a_status(q):
    simulation = SIMULATION.copy()
    simulation.reset(STAND)
    for start in [k for k in range(3, DOG.nq) if STAND[k] == 1][:1]:
        q[start : start + 4] = (1, 0, 0, 0)
    try:
        simulation.q = q
        simulation.step(steps=5)
    except lw.Error as error:
        assert "quaternion" in str(error)
    assert simulation.status in ("ok", "diverged")


def test_errors_carry_their_parts():
    with pytest.raises(lw.Error) as caught:
        lw.walk("dog", secnds=3)
    error = caught.value
    assert (error.who, error.problem, error.advice) == ("walk", "there is no option 'secnds'", "did you mean 'seconds'?")
    assert error.where == "" and str(error) == "walk: there is no option 'secnds'; did you mean 'seconds'?"
    with pytest.raises(lw.Error) as caught:
        lw.walk("dog", seconds=-3)
    assert caught.value.who == "walk: seconds"
    assert isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.advice == error.advice


def test_an_error_of_a_body_in_python_names_no_line_of_a_file():
    with pytest.raises(lw.Error) as caught:
        lw.Creature(name="ball", link=[dict(name="b", shape={"sphere": 0.1}, mass=math.nan)])
    assert caught.value.where == "ball (written in Python)" and caught.value.who == "link 'b'"


def test_an_error_in_a_file_says_where(tmp_path):
    path = tmp_path / "newt.toml"
    path.write_text('name = "newt"\n[[link]]\nname = "body"\nshaep = { box = [1, 1, 1] }\n')
    with pytest.raises(lw.Error) as caught:
        lw.load(path)
    assert (caught.value.file, caught.value.line) == (str(path), 4)
    assert "did you mean 'shape'?" in caught.value.advice


@pytest.mark.parametrize("call", [
    lambda: lw.load("no/such/body.toml"), lambda: lw.read("no_such.glb"), lambda: lw.rerun("no_such.glb"), lambda: lw.run("no_such.toml"),
    lambda: lw.archive("no_such.db"), lambda: lw.replay("no_such.db", rank=1), lambda: lw.study("no_such.toml"),
    lambda: lw.drop("box", seconds=0.1).save("/no/such/folder/box.glb"), lambda: lw.drop("box", seconds=0.1).save("box.docx"),
    lambda: lw.walk("table"), lambda: lw.options("wlak"), lambda: lw.make_env("dog", tsk="walk"), lambda: lw.make_env("dog", task="fly"),
    lambda: lw.make_vector_env("dog", n=0), lambda: lw.make_env("dog", render_mode="human"), lambda: lw.Simulation("dog").reset("sitting"),
    lambda: lw.dynamics("dog").jacobian(STAND, "lf_tow"), lambda: lw.dynamics("dog").jacobian(STAND, ("chest", (0, math.nan, 0))), lambda: lw.rollout("dog", np.zeros((2, 3, 4))),
    lambda: lw.simulate("dog", lambda sim: [1, 2], seconds=0.1), lambda: lw.simulate("dog", seconds=math.nan),
    lambda: lw.simulate("dog", lambda sim: {"torqe": 1}, seconds=0.1), lambda: lw.SimulationBatch("dog", 2).reset([5]),
    lambda: lw.drop("box", seconds=0.1).render(width=0), lambda: lw.drop("box", seconds=0.1).measure_gait(),
    lambda: lw.drop("box", seconds=0.1).render(zoom=math.nan), lambda: lw.drop("box", seconds=0.1).render(azimuth=math.inf),
    lambda: lw.motion("box", [0, 1], np.zeros((2, 7))).render(width=8, height=8, samples=1),
    lambda: lw.motion("box", [0, 1], np.full((2, 7), 1e300)).render(strip=2, width=8, height=8, samples=1),
    lambda: lw.motion("box", [0, 0], np.zeros((2, 7))), lambda: lw.replay("x", rank=1, number=2),
    lambda: lw.motion("dog", [0, 1], None), lambda: lw.motion("box", [0, 1], np.zeros((2, 7)), np.zeros((2, 6))),
    lambda: lw.drop("box", seconds=0.1).save("half\0way.glb"), lambda: lw.load("dog\0"), lambda: lw.compile_c("box", "../box"),
    lambda: lw.compile_c("box", ""), lambda: lw.compile_c("box", "box", emit=["mass", "mass"]), lambda: lw.compile_c("box", "box", emit="mas"),
    lambda: lw.compile_c("box", "box", emit="mass").save("/no/such/folder"), lambda: lw.make_env("dog", width=0),
    lambda: lw.drop("box", seconds=0.1).film("box.mp4", fps=float("nan")), lambda: lw.drop(lw.drop("box", seconds=0.1)),
    lambda: lw.drop("box", seconds=0.1).render(math.nan), lambda: lw.drop("box", seconds=0.1).render(strip=-1), lambda: lw.report([None], "x.html"),
    lambda: lw.drop("box", seconds=0.1).render(path="box.jpg"), lambda: lw.drop("box", seconds=0.1).film("box.gif"), lambda: lw.report("box", "x.html"),
    lambda: lw.Creature("dog"), lambda: lw.load("box").save("box.urdf"), lambda: lw.load("box").save("box"),
    lambda: lw.simulate("box", 3, seconds=0.1), lambda: lw.simulate_batch("box", None, n=3), lambda: lw.SimulationBatch("box", 3).reset([True, False]),
    lambda: lw.SimulationBatch("box", 3).reset(q=np.zeros(6)), lambda: lw.compile_c("box", "box", emit={"mass", "step"}), lambda: lw.World("box", gravity=b"1.6"), lambda: lw.Simulation(lw.Simulation("box"), rate=5),
])
def test_what_cannot_be_done_is_an_error(call):
    with pytest.raises(lw.Error) as caught:
        call()
    assert caught.value.problem


@pytest.mark.parametrize("answer", [5, [1, 2], "words", np.full(6, np.nan), {"torqe": 1}, object(), 1j, {"torque": None}, [[1] * 6]])
def test_what_a_controller_returns_is_checked(answer):
    with pytest.raises(lw.Error) as caught:
        lw.simulate("box", lambda sim: answer, seconds=0.02)
    assert caught.value.who == "controller"


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -1, "3", None, [1]])
def test_times_and_counts_are_checked(wrong):
    for call in (
        lambda: lw.simulate("box", seconds=wrong), lambda: lw.simulate("box", every=wrong), lambda: lw.simulate_batch("box", None, n=wrong),
        lambda: lw.SimulationBatch("box", 3, threads=wrong), lambda: lw.make_vector_env("dog", n=3, threads=wrong),
    ):
        with pytest.raises((lw.Error, TypeError)) as caught:
            call()
        assert str(caught.value)


@pytest.mark.parametrize("which", [[True], [1.0], "12", [[1]], 5, {0}, [10**30], [2**31], [-1], [9], [0j], [None]])
def test_lists_of_bodies_are_checked(which):
    for many in (BATCH, lw.Environment("bounder", 3)):
        with pytest.raises(lw.Error):
            many.reset(which)


def test_a_controllers_own_exception_comes_out():
    with pytest.raises(ZeroDivisionError):
        lw.simulate("dog", lambda sim: 1 / 0, seconds=0.1)


def test_copies_and_pickles(walk):
    for thing in (DOG, lw.World("dog"), walk, walk.gait, walk.gait.legs["lf"], DYNAMICS):
        assert copy.copy(thing) is thing and copy.deepcopy([thing])[0] is thing
    twin = copy.deepcopy(SIMULATION)
    assert np.array_equal(twin.q, SIMULATION.q) and not np.shares_memory(twin.q, SIMULATION.q)
    for thing in (SIMULATION, BATCH, ENV.core, DOG.links[0]):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(thing)
    for thing in (BATCH, DOG.links[0]):
        with pytest.raises(TypeError):
            copy.deepcopy(thing)
    with pytest.raises((lw.Error, TypeError)):
        lw.Creature.__setstate__(lw.Creature.__new__(lw.Creature), (1, 2))


def test_results_are_made_by_methods_alone():
    with pytest.raises(TypeError):
        lw.Result()


BOUND = [thing for thing in vars(lw._core).values() if isinstance(thing, type)]


@pytest.mark.parametrize("bound", BOUND, ids=lambda bound: bound.__name__)
def test_an_instance_that_was_never_made_cannot_be_used(bound):
    for name in set(dir(bound)) - set(dir(object)):
        unmade = bound.__new__(bound)
        with pytest.raises((TypeError, lw.Error)):
            member = getattr(unmade, name)  # a property is an error at once, a method when it is called
            for arguments in ((), (None,), (1, 2)):
                with contextlib.suppress(lw.Error):
                    member(*arguments)


@pytest.mark.parametrize("bound", BOUND, ids=lambda bound: bound.__name__)
def test_members_of_a_class_refuse_what_is_not_its_instance(bound):
    for name, member in vars(bound).items():
        if isinstance(member, property):
            for wrong in (None, 5, "dog", DOG if bound is not lw.Creature else SIMULATION):
                with pytest.raises(TypeError):
                    member.fget(wrong)
        elif callable(member) and name not in ("__new__", "__init__", "__copy__", "__deepcopy__", "__reduce__"):
            for wrong in (None, 5, "dog"):
                with pytest.raises((TypeError, AttributeError)):
                    member(wrong)


def test_a_subclass_cannot_use_itself_before_it_is_made():
    class Hasty(lw.Simulation):
        def __init__(self):
            self.step()

    class Lazy(lw.Creature):
        def __init__(self):
            pass

    class Careful(lw.Simulation):
        def __init__(self):
            super().__init__("box")
            self.step()

    for wrong in (Hasty, Lazy):
        with pytest.raises(TypeError):
            wrong()
    assert Careful().time > 0


@pytest.mark.parametrize("call", [
    lambda text: lw.load(text), lambda text: lw.drop("box", terrain=text), lambda text: lw.drop("box", **{text: 1}),
    lambda text: DYNAMICS.position(STAND, text), lambda text: lw.Simulation("box").reset(text), lambda text: lw.Creature(name=text),
    lambda text: lw.study(text), lambda text: lw.read(text), lambda text: lw.options(text), lambda text: lw.drop("box", seconds=0.01).save(text),
])
def test_half_a_character_is_no_text(call):
    with pytest.raises((lw.Error, TypeError)) as caught:
        call("\udc80")
    assert str(caught.value)


def test_arrays_that_lie_anywhere():
    memory = bytearray(8 * DOG.nq + 1)
    odd = np.frombuffer(memory, dtype=float, offset=1)
    odd[:] = STAND
    assert not odd.flags.aligned
    right = DYNAMICS.mass_matrix(STAND)
    for q in (odd, STAND.astype(">f8"), np.repeat(STAND, 2)[::2], np.ma.array(STAND)):
        assert np.array_equal(DYNAMICS.mass_matrix(q), right)
    with pytest.raises(lw.Error, match="memory"):
        lw.rollout(DOG, np.broadcast_to(0.0, (2**20, 2**20, 74)))
    with pytest.raises(lw.Error, match="shape"):
        lw.rollout(DOG, np.zeros((2**40, 0, 74)))


def test_ctrl_c_inside_a_callers_array_comes_out():
    class Array:
        def __array__(self, *_):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        DYNAMICS.mass_matrix(Array())


def test_a_value_that_changes_its_own_dict():
    class Value:
        def __float__(self):
            values.clear()
            return 1.0

    values = {str(i): Value() for i in range(20)}
    refuses(lambda: lw.drop("box", seconds=0.01, terrain=values))


@pytest.mark.parametrize("work", [
    "lw.drop('box', seconds=0.05)", "lw.walk('roach', seconds=60)", "simulation.step(steps=50)",
    "lw.drop('box', seconds=5, progress=lambda *_: sum(range(1000)))",
])
def test_python_may_exit_while_other_threads_work(work):
    program = f"""
import threading, time
import legwork as lw

def go():
    simulation = lw.Simulation("hexapod")
    while True:
        {work}

for _ in range(3):
    threading.Thread(target=go, daemon=True).start()
time.sleep(0.3)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_one_object_and_many_threads():
    """Each call works, or says that another thread is at it."""
    simulation, batch, env = lw.Simulation("hexapod"), lw.SimulationBatch("hexapod", 9), lw.Environment("bounder", 3)
    action = np.zeros((3, len(env.actions)))
    env.reset(seed=1)
    calls = [
        lambda: simulation.step(steps=20), lambda: simulation.reset(), lambda: simulation.q.sum(), lambda: simulation.status_text,
        lambda: simulation.record(), lambda: simulation.motion(), lambda: simulation.copy(), lambda: simulation.energy(),
        lambda: batch.step(steps=5), lambda: batch.reset(), lambda: batch.contact_force.sum(), lambda: batch.status,
        lambda: env.step(action), lambda: env.reset(), lambda: env.observation.sum(), lambda: DYNAMICS.mass_matrix(STAND),
    ]
    wrong = []

    def attack(first):
        for k in range(300):
            try:
                calls[(first * 5 + k * 7) % len(calls)]()
            except lw.Error as error:
                if "in use by another thread" not in str(error):
                    wrong.append(error)

    threads = [threading.Thread(target=attack, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    simulation.reset(), batch.reset(), env.reset()
    assert simulation.step() and batch.status == ["ok"] * 9
