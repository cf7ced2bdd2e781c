"""Long work: the lock is free, progress is told, a stop stops, Ctrl-C works."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import legwork as lw

LONG = {"random": 100000, "vary": 0, "seconds": 6}


def test_progress_is_told_in_the_thread_that_called():
    told = []
    lw.discover(
        "bounder", random=200, vary=50, gaits=2, tune=2, seconds=3, progress=lambda *news: told.append((threading.get_ident(), *news))
    )
    assert told and all(t[0] == threading.get_ident() for t in told)
    for _, what, done, total in told:
        assert isinstance(what, str) and 0 <= done <= total


def test_progress_as_a_line(capfd):
    lw.discover("bounder", random=200, vary=50, gaits=2, tune=2, seconds=3, progress=True)
    assert "%" in capfd.readouterr().err


def test_progress_as_a_line_wherever_work_is_long(tmp_path, capfd):
    drop = lw.drop("hexapod", seconds=0.3, progress=False)
    drop.save(tmp_path / "drop.glb")
    study = 'verb = "drop"\ncreature = "box"\n[options]\nseconds = 0.2\n[vary.world]\nfriction = [0.2, 0.8]\n'
    for work in (lw.run, lambda _, **how: lw.rerun(tmp_path / "drop.glb", **how), lambda _, **how: lw.study(study, **how)):
        work(drop.scenario)
        assert capfd.readouterr().err == ""
        work(drop.scenario, progress=True)
        assert capfd.readouterr().err.rstrip().endswith("100 %")


def test_a_stop_stops_and_says_so():
    with pytest.raises(lw.Stopped):
        lw.discover("bounder", stop=lambda: True, **LONG)


def test_what_there_is_by_a_stop_is_kept():
    for work in (lambda stop: lw.walk("dog", seconds=1000, stop=stop), lambda stop: lw.run(scenario, stop=stop)):
        scenario = lw.drop("hexapod", seconds=0.01).scenario.replace("seconds = 0.01", "seconds = 1000")
        asked = []
        with pytest.raises(lw.Stopped, match="stopped before its end") as caught:
            work(lambda: asked.append(1) or len(asked) > 8)
        kept = caught.value.result
        assert kept.status == "stopped" and 1 < len(kept) < 60 * 1000
        assert np.array_equal(pickle.loads(pickle.dumps(caught.value)).result.q, kept.q)


def test_an_exception_of_a_callback_ends_the_work_and_comes_out():
    def fail(*_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        lw.discover("bounder", progress=fail, **LONG)
    with pytest.raises(KeyError, match="mine"):
        lw.discover("bounder", stop=fail, **LONG)


def test_callbacks_that_are_no_functions_are_refused():
    with pytest.raises(lw.Error, match="progress: is not a function"):
        lw.drop("box", progress=3)


@pytest.mark.parametrize("work", [
    "lw.discover('bounder', random=10**6, vary=0, seconds=6)",
    "lw.rollout('dog', np.zeros((64, 3000, lw.load('dog').equipped().nu)))",
    "lw.Simulation('dog').step(steps=10**8)",
    "lw.SimulationBatch('dog', 500).step(steps=10**6)",
    "lw.walk('dog', seconds=3000)",
    "lw.evolve('blob', generations=1000)",
    "lw.drop('box', seconds=0.1).render(width=4000, height=4000, samples=1000)",
    "lw.drop('box', seconds=9).film('never.mp4', width=4000, height=4000, samples=1000)",
])
def test_ctrl_c_works(work, tmp_path):
    lines = "import legwork as lw, numpy as np\nprint('begun', flush=True)\ntry:\n    {}\nexcept KeyboardInterrupt:\n    print('interrupted')"
    child = subprocess.Popen([sys.executable, "-c", lines.format(work)], stdout=subprocess.PIPE, text=True, env=os.environ, cwd=tmp_path)
    assert child.stdout.readline() == "begun\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert out == "interrupted\n" and child.returncode == 0 and not list(tmp_path.iterdir())


def test_other_threads_run_while_a_method_works():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    other = threading.Thread(target=tick)
    other.start()
    lw.walk("dog", seconds=3)
    done.set()
    other.join()
    assert len(ticks) > 5


def test_two_methods_at_once_give_their_own_bits():
    alone = [lw.drop("hexapod", seconds=0.5, height=f"{h}m").q for h in (0.1, 0.4)]
    together = [None, None]

    def work(i, height):
        together[i] = lw.drop("hexapod", seconds=0.5, height=f"{height}m").q

    threads = [threading.Thread(target=work, args=(i, h)) for i, h in enumerate((0.1, 0.4))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(a, b) for a, b in zip(alone, together))


def test_a_simulation_in_two_threads_is_an_error_and_no_crash():
    simulation = lw.Simulation("dog")
    errors = []

    def work():
        try:
            for _ in range(200):
                simulation.step(steps=20)
        except lw.Error as error:
            errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors and all("is in use by another thread; give each thread a simulation of its own" in e for e in errors)
    assert simulation.step()


@pytest.mark.parametrize("news, end", [
    (((0, "a", 0), (100, "a", 99), (101, "b", 0), (102, "b", 50)), "b: 50 %, 1 s left"),  # other work begins again
    (((0, "a", 0), (20, "a", 20), (50, "b", 50)), "b: 50 %, 50 s left"),  # parts of one work count on
])
def test_the_time_left_is_that_of_all_the_work(news, end, monkeypatch, capsys):
    now = [0.0]
    monkeypatch.setattr(lw._progress.time, "monotonic", lambda: now[0])
    line = lw._progress.Line()
    for now[0], what, done in news:
        line(what, done, 100)
    assert capsys.readouterr().err.rstrip(" ").endswith(end)
