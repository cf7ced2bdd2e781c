"""Environments by Gymnasium's protocol, and what they compute."""

import importlib.util
import sys
import types

import numpy as np
import protocol
import pytest

import legwork as lw


@pytest.mark.parametrize("body", ["dog", "bounder", "hexapod", "biped", "crawler"])
def test_an_environment_follows_the_protocol(body):
    protocol.check_env(lw.make_env(body, task="walk", seconds=2))


def test_one_that_renders_does_too():
    protocol.check_env(lw.make_env("dog", task="stand", render_mode="rgb_array", width=64, height=36), actions=3)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
@pytest.mark.parametrize("n", [1, 11])
def test_vector_environments_follow_the_protocol_in_every_autoreset_mode(mode, n):
    env = lw.make_vector_env("dog", n=n, seconds=0.5, autoreset_mode=mode)
    assert protocol.check_vector_env(env) >= n


def test_one_of_many_is_the_same_as_one():
    many, one = lw.make_vector_env("dog", n=9, seconds=5), lw.make_env("dog", seconds=5)
    rows, _ = many.reset(seed=3)
    first, _ = one.reset(seed=3)
    assert np.array_equal(rows[0], first)
    for k in range(20):
        actions = np.sin(np.arange(many.action_space.shape[1]) + k) * np.ones((9, 1))
        rows, rewards, *_ = many.step(actions)
        observation, reward, *_ = one.step(actions[0])
        assert np.array_equal(rows[0], observation) and rewards[0] == reward


def test_spaces_come_from_the_body():
    env = lw.make_env("bounder")
    body = lw.load("bounder")
    assert env.action_space.shape == (body.nu,)
    names = [signal[0] for signal in env.core.observations]
    assert names[0] == "height" and {dof.name for dof in body.dofs[3:]} <= set(names)
    assert [(low, high) for _, _, low, high in env.core.actions] == [(a.lower, a.upper) for a in body.actuators]


def test_a_walk_is_paid_for_its_way():
    env = lw.make_env("dog", task="walk", effort=0, noise=0)
    env.reset(seed=1)
    paid = 0.0
    for k in range(15):
        *_, info = result = env.step(0.3 * np.sin(np.arange(env.action_space.shape[0]) + k))
        paid += result[1]
    assert paid * env.core.creature.hip_height == pytest.approx(info["distance"], abs=1e-12)


def test_an_ended_episode_must_be_reset():
    env = lw.make_env("dog", seconds=0.1)
    with pytest.raises(lw.Error, match="call reset first"):
        env.step(np.zeros(env.action_space.shape))
    env.reset(seed=1)
    while not env.step(np.zeros(env.action_space.shape))[3]:
        pass
    with pytest.raises(lw.Error, match="the episode has ended; call reset"):
        env.step(np.zeros(env.action_space.shape))


def test_a_start_without_a_seed_is_like_no_other():
    for make in (lw.make_env, lambda body: lw.make_vector_env(body, n=3)):
        one, two = make("bounder"), make("bounder")
        assert not np.array_equal(one.reset()[0], two.reset()[0])
        again = make("bounder")  # and is known afterwards
        assert one.np_random_seed != two.np_random_seed
        first = make("bounder").reset(seed=one.np_random_seed)[0]
        assert np.array_equal(again.reset(seed=one.np_random_seed)[0], first)


def test_seeds_of_any_size_differ():
    env = lw.make_env("bounder")
    starts = [env.reset(seed=seed)[0].tobytes() for seed in (0, 1, 2**32, 2**32 + 1, 2**64, 2**64 + 1, np.int64(7))]
    assert len(set(starts)) == len(starts)
    for wrong in (-1, 1.5, "1", True, [1]):
        with pytest.raises(lw.Error, match="is no whole number from 0 on"):
            env.reset(seed=wrong)


def test_a_reset_of_some_with_a_seed_leaves_the_others_alone():
    plain, mixed = (lw.make_vector_env("bounder", n=2, seconds=0.2, autoreset_mode="Disabled") for _ in range(2))
    for env in (plain, mixed):
        env.reset(seed=3)
    mixed.reset(seed=99, options={"reset_mask": np.array([True, False])})
    for _ in range(3):  # the second body goes on with the starts of its own seed, the first one with others
        one, other = plain.reset()[0], mixed.reset()[0]
        assert np.array_equal(one[1], other[1]) and not np.array_equal(one[0], other[0])


@pytest.mark.skipif(importlib.util.find_spec("gymnasium") is not None, reason="Gymnasium itself is here: test_gymnasium.py")
def test_where_gymnasium_is_installed_it_is_used(monkeypatch):
    """With a stand-in for Gymnasium, as it is not among Debian's packages: base classes, spaces, registration."""
    registry = {}
    fake = types.ModuleType("gymnasium")
    base = sys.modules["legwork.env"]._Base
    fake.Env, fake.registry = type("Env", (base,), {}), registry
    fake.register = lambda name, **entry: registry.update({name: entry})
    fake.vector, fake.spaces = types.ModuleType("gymnasium.vector"), types.ModuleType("gymnasium.spaces")
    fake.vector.VectorEnv, fake.vector.AutoresetMode = type("VectorEnv", (base,), {}), sys.modules["legwork.env"].AutoresetMode
    fake.spaces.Box = type("Box", (lw.Box,), {})
    utils = types.ModuleType("gymnasium.vector.utils")
    utils.batch_space = sys.modules["legwork.spaces"].batch_space
    for name, module in (("", fake), (".vector", fake.vector), (".vector.utils", utils), (".spaces", fake.spaces)):
        monkeypatch.setitem(sys.modules, "gymnasium" + name, module)
    monkeypatch.delitem(sys.modules, "legwork.spaces")
    spec = importlib.util.spec_from_file_location("legwork.env_with_gymnasium", sys.modules["legwork.env"].__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def make(entry, **options):
        place, _, name = registry["legwork/Walk-v0"][entry].partition(":")
        assert place == "legwork.env"
        return getattr(module, name)(**options, **registry["legwork/Walk-v0"]["kwargs"])

    env = make("entry_point", creature="bounder")
    assert isinstance(env, fake.Env) and isinstance(env.action_space, fake.spaces.Box)
    many = make("vector_entry_point", num_envs=3, creature="bounder")
    assert isinstance(many, fake.vector.VectorEnv) and many.num_envs == 3
    assert registry["legwork/Stand-v0"]["kwargs"] == {"task": "stand"}
