"""Gymnasium's own checker and wrappers, where Gymnasium is installed: it is not among Debian's packages, and
test_environment.py checks the same protocol without it."""

import warnings

import numpy as np
import pytest

import legwork.env  # noqa: F401: registers with it

try:
    import gymnasium
except ImportError:
    gymnasium = None
pytestmark = pytest.mark.skipif(gymnasium is None, reason="Gymnasium is not installed")


@pytest.mark.parametrize("task", ["legwork/Walk-v0", "legwork/Stand-v0"])
@pytest.mark.parametrize("body", ["dog", "bounder", "hexapod"])
def test_its_checker_finds_nothing(task, body):
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(task, creature=body, render_mode="rgb_array", width=64, height=36)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*Box observation space .* value is -?infinity.*")  # velocities have no ends
        check_env(env.unwrapped)
    assert env.spec.to_json()
    env.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_many_end_and_begin_as_its_own_vectors_do(mode):
    """The same keys, masks and kinds as Gymnasium gives when it steps single environments side by side."""
    said = []
    for vectorization, arguments in (("vector_entry_point", {"autoreset_mode": mode}), ("sync", {"vector_kwargs": {"autoreset_mode": mode}})):
        env = gymnasium.make_vec("legwork/Walk-v0", num_envs=3, vectorization_mode=vectorization, creature="dog", seconds=0.2, **arguments)
        assert isinstance(env, gymnasium.vector.VectorEnv) and env.metadata["autoreset_mode"].value == mode
        env.reset(seed=1)
        trace = []
        for _ in range(14):
            _, reward, terminated, truncated, info = env.step(np.zeros(env.action_space.shape))
            kinds = {k: v.dtype if isinstance(v, np.ndarray) else sorted(v) for k, v in sorted(info.items())}
            masks = {k: v.tolist() for k, v in sorted(info.items()) if k.startswith("_")}
            trace.append((terminated.tolist(), truncated.tolist(), reward == 0, kinds, masks))
            ended = terminated | truncated
            if mode == "Disabled" and ended.any():
                trace.append(sorted(env.reset(options={"reset_mask": ended})[1]))
        said.append(str(trace))
        env.close()
    assert said[0] == said[1]


def test_its_wrappers_work():
    wrappers = gymnasium.wrappers
    env = wrappers.ClipAction(wrappers.TimeLimit(gymnasium.make("legwork/Walk-v0", creature="bounder"), 5))
    env.reset(seed=2)
    for step in range(5):
        truncated = env.step(env.action_space.sample())[3]
        assert truncated == (step == 4)
    many = wrappers.vector.NormalizeObservation(
        wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec("legwork/Walk-v0", num_envs=4, creature="bounder", seconds=0.3))
    )
    many.reset(seed=1)
    lengths = [info["episode"]["l"].tolist() for *_, info in (many.step(many.action_space.sample()) for _ in range(10)) if "episode" in info]
    assert lengths == [[9, 9, 9, 9]]
