"""A body from Python: the keys of a creature file as lists and dicts, so that a loop can write them.

usage: body_from_python.py [PICTURE.png [SECONDS]]
"""

import sys

import legwork as lw


def leg(name: str, x: float) -> list[dict]:
    """A right leg of three hinges; the mirror makes the left one."""
    return [
        dict(
            name=f"{name}_hip", parent="body", at=[x, -0.13, -0.03], joint={"hinge": "x", "range": [-35, 35]},
            shape={"sphere": 0.045, "touches": False},
        ),
        dict(
            name=f"{name}_thigh", parent=f"{name}_hip", at={"pos": [0, -0.02, 0], "rot": [0, 32, 0]},
            joint={"hinge": "y", "range": [-75, 75]}, shape={"capsule": 0.03, "to": [0, 0, -0.21], "color": "#c07f3a", "touches": False},
        ),
        dict(
            name=f"{name}_shank", parent=f"{name}_thigh", at={"pos": [0, 0, -0.21], "rot": [0, -64, 0]},
            joint={"hinge": "y", "range": [-70, 55]}, shape={"capsule": 0.022, "to": [0, 0, -0.21], "color": "#8f5c28"},
        ),
    ]


def walker(pairs: int) -> lw.Creature:
    """A box on so many pairs of legs."""
    places = [0.28 * ((pairs - 1) / 2 - i) for i in range(pairs)]
    names = [f"r{i + 1}" for i in range(pairs)]
    body = dict(name="body", at=[0, 0, 0.4], shape={"box": [0.28 * pairs, 0.2, 0.12]}, density=500)
    links = [body] + [link for name, x in zip(names, places) for link in leg(name, x)]
    legs = [dict(name=n, hip=f"{n}_hip", knee=f"{n}_shank", foot=f"{n}_shank", girdle=f"pair {n}") for n in names]
    return lw.Creature(name=f"walker with {2 * pairs} legs", angles="deg", mirror=True, link=links, leg=legs)


def main(picture: str = "body_from_python.png", seconds: str = "4") -> None:
    for pairs in (2, 3):
        body = walker(pairs)
        walk = lw.walk(body, seconds=seconds)
        speed = walk.gait.speed if walk.gait is not None else float("nan")
        print(f"{body.name}: {body.mass:.1f} kg, {walk.status}, {speed:.2f} m/s")
    body.save("walker.toml")
    walk.render(strip=2, width=900, height=260, samples=12, path=picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
