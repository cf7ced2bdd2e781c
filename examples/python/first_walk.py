"""A first walk: load a body, let it walk up a slope, ask how it went.

usage: first_walk.py [PICTURE.png [SECONDS]]
"""

import sys

import legwork as lw


def main(picture: str = "first_walk.png", seconds: str = "6") -> None:
    dog = lw.load("dog")
    walk = lw.walk(dog, seconds=seconds, terrain="slope:5deg")

    print(walk.account)
    if walk.gait is not None:
        print(f"{walk.gait.name} at {walk.gait.speed:.2f} m/s, Froude number {walk.gait.froude:.3f}")
        for name, leg in walk.gait.legs.items():
            print(f"  {name}: duty factor {leg.duty_factor:.2f}, phase {leg.phase:.2f}")
    print(f"{len(walk)} frames of {walk.q.shape[1]} positions, seen by numpy without a copy")

    walk.save("first_walk.glb")  # opens in Blender and in browsers; lw.read gives it back bit for bit
    walk.render(strip=5, width=900, height=260, samples=12, path=picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
