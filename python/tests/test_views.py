"""Arrays share memory with the library, and either may go first. `make test-sanitize` runs these under the address
sanitizer."""

import gc
import pickle
import threading

import numpy as np
import pytest

import legwork as lw


def box(seconds=0.2):
    return lw.drop("box", seconds=seconds)


def test_views_into_a_minute_of_motion_share_its_memory():
    result = box(60)
    for name in ("time", "q", "v", "tau", "contact_force"):
        first, second = getattr(result, name), getattr(result, name)
        assert len(first) == len(result)
        assert first.__array_interface__["data"][0] == second.__array_interface__["data"][0], name
        assert first.base is result
        assert np.shares_memory(first, second)
    assert result.q.nbytes == 8 * len(result) * result.creature.nq


def test_views_are_read_only(walk):
    arrays = [walk.time, walk.q, walk.v, walk.tau, walk.contact_force, *walk.channels.values(), walk.gait.margin]
    arrays += walk.creature.poses.values()
    for array in arrays:
        assert not array.flags.writeable
        with pytest.raises(ValueError):
            array[0] = 1
        with pytest.raises(ValueError):
            array.flags.writeable = True


def test_a_view_outlives_its_result():
    q = box().q
    kept = q.copy()
    gc.collect()
    for _ in range(3):
        box()
    assert np.array_equal(q, kept)


def test_a_result_outlives_its_views():
    result = box()
    for _ in range(100):
        result.q, result.channels, result.creature.poses
    gc.collect()
    assert np.isfinite(result.q).all()


def test_parts_outlive_the_whole():
    leg = lw.walk("roach", seconds=0.1).gait.legs["lf"]
    stance = lw.walk("roach", seconds=0.1).gait.legs["lf"].stances
    link = lw.load("dog").links[3]
    dof = lw.load("dog").links[3].joints[0].dofs[0]
    pose = lw.load("dog").poses["stand"]
    others = lw.discover("bounder", random=16, vary=8, gaits=3, tune=1, seconds=2).others
    gc.collect()
    assert leg.leg == "lf" and isinstance(stance, list)
    assert link.name and dof.name and len(pose) > 0
    for other in others:
        q = other.q
        del other
        assert np.isfinite(q).all()


def test_a_simulations_memory_stays_where_it_is():
    simulation = lw.Simulation("hexapod")
    q, v, torque = simulation.q, simulation.v, simulation.torque
    where = q.__array_interface__["data"][0]
    simulation.step(steps=20)
    assert np.array_equal(q, simulation.q)
    simulation.reset()
    simulation.q = simulation.q + 0
    assert simulation.q.__array_interface__["data"][0] == where
    del simulation
    gc.collect()
    q += 1
    assert np.isfinite(q.sum() + v.sum() + torque.sum())


def test_views_of_a_batch_and_an_environment_keep_it_alive():
    q = lw.SimulationBatch("hexapod", 9).q
    force = lw.SimulationBatch("hexapod", 9).contact_force
    observation = lw.Environment("dog", 3).observation
    gc.collect()
    assert np.isfinite(q).all() and np.isfinite(force).all() and np.isfinite(observation).all()


def test_rollouts_own_their_arrays():
    states, rewards = lw.rollout("box", np.zeros((9, 5, 6)), torques=True)
    del rewards
    gc.collect()
    states[:] = 0


def test_pickles_give_the_bits_back(walk):
    again = pickle.loads(pickle.dumps(walk))
    for name in ("time", "q", "v", "tau", "contact_force"):
        assert np.array_equal(getattr(again, name), getattr(walk, name))
    assert again.gait.speed == walk.gait.speed
    world = lw.World("dog", terrain="slope:5deg", friction=0.3)
    copy = pickle.loads(pickle.dumps(world))
    assert np.array_equal(lw.drop(copy, seconds=0.1).q, lw.drop(world, seconds=0.1).q)


def test_two_threads_read_one_result(walk):
    sums = []

    def read():
        for _ in range(200):
            sums.append(walk.q.sum() + walk.gait.speed + len(walk.creature.links))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(sums)) == 1


def test_an_error_leaves_everything_usable():
    simulation = lw.Simulation("dog")
    for _ in range(3):
        with pytest.raises(lw.Error):
            simulation.step(np.full(simulation.nv, np.nan))
        with pytest.raises(lw.Error):
            simulation.q = np.zeros(3)
    assert simulation.step()
