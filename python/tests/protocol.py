"""A checker of environments, written from Gymnasium's documented protocol (Env, VectorEnv, Box); Gymnasium itself is not
needed. It checks what users of the protocol rely on, by doing what they do."""

import numpy as np


def check_space(space):
    assert isinstance(space.shape, tuple) and all(isinstance(n, int) for n in space.shape)
    assert space.low.shape == space.high.shape == space.shape
    assert space.low.dtype == space.high.dtype == space.dtype
    assert (space.low <= space.high).all()
    space.seed(3)
    first = [space.sample() for _ in range(5)]
    space.seed(3)
    second = [space.sample() for _ in range(5)]
    for a, b in zip(first, second):
        assert a.dtype == space.dtype and a in space and np.array_equal(a, b)
    assert not space.contains(np.zeros(tuple(n + 1 for n in space.shape), space.dtype))
    assert not space.contains("words")


def check_observation(observation, space):
    assert isinstance(observation, np.ndarray)
    assert observation.dtype == space.dtype and observation.shape == space.shape
    assert np.isfinite(observation).all() and observation in space


def check_random_numbers(env):
    """np_random begins anew with a seed, and only then; what is set by hand is of no known seed."""
    states = []
    for seed in (123, 123, 456):
        env.reset(seed=seed)
        assert env.np_random_seed == seed
        states.append(env.np_random.bit_generator.state)
    assert states[0] == states[1] != states[2]
    drawn = env.np_random.random()
    env.reset()
    assert env.np_random_seed == 456 and env.np_random.random() != drawn
    env.np_random = np.random.default_rng(1)
    assert env.np_random_seed == -1


def check_env(env, actions=60):
    """One environment: gymnasium.Env."""
    assert env.metadata["render_modes"] == ["rgb_array"] and env.metadata["render_fps"] > 0
    assert env.render_mode in [None, *env.metadata["render_modes"]]
    check_space(env.observation_space)
    check_space(env.action_space)

    # reset: keyword arguments alone, a pair, the same seed the same start, no seed a new one
    observation, info = env.reset(seed=123, options={})
    check_observation(observation, env.observation_space)
    assert isinstance(info, dict)
    again, _ = env.reset(seed=123)
    assert np.array_equal(observation, again)
    third, _ = env.reset()
    assert not np.array_equal(observation, third)
    check_random_numbers(env)

    # step: five things of the documented types; arrays are the caller's to keep
    env.reset(seed=5)
    env.action_space.seed(5)
    kept = []
    for _ in range(actions):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        check_observation(observation, env.observation_space)
        assert isinstance(reward, float) and np.isfinite(reward)
        assert isinstance(terminated, bool) and isinstance(truncated, bool) and isinstance(info, dict)
        kept.append(observation)
        if terminated or truncated:
            break
    assert not any(np.shares_memory(a, b) for a, b in zip(kept, kept[1:]))

    # the same seed and actions give the same episode
    env.reset(seed=5)
    env.action_space.seed(5)
    for before in kept:
        assert np.array_equal(env.step(env.action_space.sample())[0], before)
    picture = env.render()
    if env.render_mode == "rgb_array":
        assert picture.dtype == np.uint8 and picture.ndim == 3 and picture.shape[2] == 3
    else:
        assert picture is None
    assert env.unwrapped is env
    env.close()
    env.close()


def check_info(info, n, whose):
    """Arrays of all bodies, each with a mask of those that it speaks of."""
    for name, values in info.items():
        if not name.startswith("_"):
            assert values.shape == (n,) and info["_" + name].dtype == np.bool_
            assert np.array_equal(info["_" + name], whose) and not np.any(values[~whose])


def check_vector_env(env, steps=40):
    """Many at once: gymnasium.vector.VectorEnv."""
    n = env.num_envs
    check_space(env.single_observation_space)
    check_space(env.single_action_space)
    check_space(env.action_space)
    assert env.observation_space.shape == (n, *env.single_observation_space.shape)
    assert env.action_space.shape == (n, *env.single_action_space.shape)
    mode = env.metadata["autoreset_mode"].value
    assert mode in ("NextStep", "SameStep", "Disabled")

    observation, info = env.reset(seed=11)
    check_observation(observation, env.observation_space)
    check_info(info, n, np.ones(n, bool))
    assert np.array_equal(env.reset(seed=11)[0], observation)
    check_random_numbers(env)
    env.reset(seed=11)
    assert env.unwrapped is env and not env.closed
    env.action_space.seed(1)
    ended, resets = np.zeros(n, bool), 0
    for _ in range(steps):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        check_observation(observation, env.observation_space)
        assert reward.shape == terminated.shape == truncated.shape == (n,)
        assert reward.dtype == np.float64 and terminated.dtype == truncated.dtype == np.bool_
        if mode == "NextStep":  # the step after the end is the reset: no reward, no end
            assert not reward[ended].any() and not (terminated | truncated)[ended].any()
        now = terminated | truncated
        check_info({k: v for k, v in info.items() if "final" not in k}, n, np.ones(n, bool))
        if mode == "SameStep" and now.any():  # an array of arrays, None where no episode has ended
            assert np.array_equal(info["_final_obs"], now) and np.array_equal(info["_final_info"], now)
            check_info(info["final_info"], n, now)
            assert info["final_obs"].shape == (n,) and info["final_obs"].dtype == object
            for last, ended_now, row in zip(info["final_obs"], now, observation):
                assert (last is not None) == ended_now
                if ended_now:
                    check_observation(last, env.single_observation_space)
                    assert not np.array_equal(last, row)
        if mode == "Disabled" and now.any():
            resets += int(now.sum())
            row, info = env.reset(options={"reset_mask": now})
            check_info(info, n, now)
            assert np.array_equal(row[~now], observation[~now]) and not np.array_equal(row[now], observation[now])
            now = np.zeros(n, bool)
        resets += int(ended.sum()) if mode == "NextStep" else int(now.sum())
        ended = now if mode == "NextStep" else np.zeros(n, bool)
    env.close()
    env.close()
    assert env.closed
    return resets
