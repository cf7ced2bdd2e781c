"""Read by mypy, not run: a user's page of code, with types; what is wrong must be found."""

import numpy as np

import legwork as lw

dog: lw.Creature = lw.load("dog")
walk = lw.walk(dog, seconds=6, terrain="slope:5deg", feet="stick", progress=True)
if walk.gait is not None:
    speed: float = walk.gait.speed
    duty: float = walk.gait.legs["lf"].duty_factor
q = walk.q[0]
simulation = lw.Simulation(dog)
simulation.q[:] = dog.poses["stand"]
going: bool = simulation.step(np.zeros(simulation.nv))
matrix = lw.dynamics(dog).mass_matrix(simulation.q)
states, rewards = lw.rollout(dog, np.zeros((2, 3, 4)), threads=0)
env = lw.make_env("dog", task="walk")
observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
many = lw.make_vector_env("dog", n=256)
reset = many.reset(seed=1)[0].shape
motion: lw.Result = lw.simulate(dog, lambda sim: -sim.v, seconds=1)
batch = lw.simulate_batch(dog, lambda batch: {"torque": -batch.v}, n=3)
picture = motion.render(strip=3, path="strip.png").shape
try:
    found = lw.discover("bounder", random=2000, archive="search.db", stop=lambda: False)
except lw.Stopped as stopped:
    partial: lw.Result | None = stopped.result
except lw.Error as error:
    advice: str = error.advice + error.where
evolved: lw.Result = lw.replay("bodies.db", body=3)
code: str = lw.compile_c(dog, "dog", emit=["mass"], gravity="1.6").source
version: str = lw.__version__
moon: lw.World = lw.World(dog, gravity=(0, 0, -1.6), push=["chest:0,60,0@1+0.2"])
slow: lw.Gait = walk.measure_gait(force_threshold=0.05)
again: tuple[lw.Result, str] = lw.rerun("walk.glb", threads=2, progress=True)

lw.walk(dog, secnds=3)  # type: ignore[call-arg]
lw.walk(dog, feet="glue")  # type: ignore[arg-type]
lw.Simulation(dog, terain="plane")  # type: ignore[call-arg]
lw.simulate(dog, terrain=None, body_contact="maybe")  # type: ignore[arg-type]
lw.make_env("dog", tsk="walk")  # type: ignore[call-arg]
lw.make_vector_env("dog", n=8, task="fly")  # type: ignore[arg-type]
lw.rollout(dog, states, threds=2)  # type: ignore[call-arg]
walk.q = walk.v  # type: ignore[misc]
walk.gate  # type: ignore[attr-defined]
