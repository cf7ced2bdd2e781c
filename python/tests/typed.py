"""Read by mypy, not run: a user's page of code, with types; what is wrong must be found."""

import numpy as np

import legwork as lw

dog: lw.Creature = lw.load("dog")
walk = lw.walk(dog, seconds=6, terrain="slope:5deg", feet="stick", progress=True)
if walk.gait is not None:
    speed: float = walk.gait.speed
    duty: float = walk.gait.legs["lf"].duty_factor
q: np.ndarray = walk.q
simulation = lw.Simulation(dog)
simulation.q[:] = dog.poses["stand"]
going: bool = simulation.step(np.zeros(simulation.nv))
matrix = lw.dynamics(dog).mass_matrix(simulation.q)
states, rewards = lw.rollout(dog, np.zeros((2, 3, 4)), threads=0)
env = lw.make_env("dog", task="walk")
observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
motion: lw.Result = lw.simulate(dog, lambda sim: -sim.v, seconds=1)

lw.walk(dog, secnds=3)  # type: ignore[call-arg]
lw.walk(dog, feet="glue")  # type: ignore[arg-type]
walk.q = walk.v  # type: ignore[misc]
walk.gate  # type: ignore[attr-defined]
