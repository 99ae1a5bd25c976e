"""The field of a peg's magnet, computed in three ways that share no formula, and what a switch makes of it.

A cylinder magnetised along its axis, its foot towards the switch. Millimetres, teslas and millitesla; the field is that
along the axis, the only one the switch feels. Run as a script it prints the numbers of
docs/decisions/0023-sense-pegs-with-hall-switches-and-magnets.md.
"""

from dataclasses import dataclass
from itertools import product
from math import cos, hypot, pi, sin, sqrt

from companion.boards import catalog


@dataclass(frozen=True)
class Magnet:
    """A cylinder: its radius and length in millimetres, its remanence in tesla."""

    radius: float
    length: float
    remanence: float


# N42 as its makers give it: 1.28 to 1.32 T at 20 degrees, 0.12 % less for each degree above; ground to 0.1 mm.
NOMINAL = Magnet(1.0, 3.0, 1.29)
WEAKEST_MAGNET = Magnet(0.95, 2.9, 1.28 * (1 - 0.0012 * 15))
STRONGEST_MAGNET = Magnet(1.05, 3.1, 1.32 * (1 + 0.0012 * 5))
"""In a room of 35 degrees and in one of 15."""

OPERATES_MT = 9.5
"""DRV5032AJ (TI SLVSDC7): at this field each one has switched."""
RELEASES_MT = 3.0
"""Below this field each one has let go."""

GAP_MM = 2.62
"""From the magnet's foot to the die: the floor's 1.0, 0.12 of air, the die 0.65 below its package's top; the magnet is
set back by what is left, 0.85. The jig sets it back more or less where the floor is thinner or thicker."""
GAP_OFF_MM = 0.17
"""What differs from hole to hole: die 0.08 (TI), magnet 0.04, air 0.05 (packages of one reel; not measured)."""
NEAREST_MM, FARTHEST_MM = GAP_MM - GAP_OFF_MM, GAP_MM + GAP_OFF_MM
ASIDE_MM = 0.5
"""A peg of 3.0 in a hole of 3.2 leans 0.15 either way; hole, board and die lie within 0.35 of where they should."""


def field_on_axis(magnet: Magnet, z: float) -> float:
    """The field at a distance from the foot, on the axis: the closed form. Millitesla."""
    near, far = z / hypot(z, magnet.radius), (z + magnet.length) / hypot(z + magnet.length, magnet.radius)
    return 500 * magnet.remanence * (far - near)


def field_of_currents(magnet: Magnet, r: float, z: float) -> float:
    """Off the axis too: a sheet of current round the cylinder, loop by loop. Millitesla."""
    loops = (weight * _loop_field(magnet.radius, r, z + share * magnet.length) for share, weight in GAUSS)
    return 1000 * magnet.remanence * magnet.length * sum(loops)


def _loop_field(radius: float, r: float, z: float) -> float:
    """Along the axis, of one loop that carries 1/mu0: complete elliptic integrals, by the arithmetic-geometric mean."""
    wide = (radius + r) ** 2 + z * z
    first, second = _elliptic_integrals(4 * radius * r / wide)
    inner = (radius * radius - r * r - z * z) / ((radius - r) ** 2 + z * z)
    return (first + inner * second) / (2 * pi * sqrt(wide))


def _elliptic_integrals(m: float) -> tuple[float, float]:
    a, g, c, total, power = 1.0, sqrt(1 - m), sqrt(m), 0.0, 0.5
    while c > 1e-15:
        total += power * c * c
        a, g, c, power = (a + g) / 2, sqrt(a * g), (a - g) / 2, power * 2
    first = pi / (2 * a)
    return first, first * (1 - total)


def field_of_charges(magnet: Magnet, r: float, z: float) -> float:
    """Off the axis too: two discs of magnetic charge, summed up in rings. Millitesla."""
    return (
        1000
        * magnet.remanence
        / (4 * pi)
        * (_disc_field(magnet.radius, r, z) - _disc_field(magnet.radius, r, z + magnet.length))
    )


def _disc_field(radius: float, r: float, z: float, spokes: int = 48) -> float:
    total = 0.0
    for (share, weight), spoke in product(GAUSS, range(spokes)):
        ring, turn = radius * share, 2 * pi * (spoke + 0.5) / spokes
        away = (r - ring * cos(turn)) ** 2 + (ring * sin(turn)) ** 2 + z * z
        total += weight * radius * ring * (2 * pi / spokes) * z / away**1.5
    return total


def _gauss_points(count: int) -> tuple[tuple[float, float], ...]:
    """Places between 0 and 1 and their weights (Gauss and Legendre), by Newton's method."""
    found = []
    for n in range(count):
        x = cos(pi * (n + 0.75) / (count + 0.5))
        for _ in range(100):
            before, value = 1.0, x
            for k in range(2, count + 1):
                before, value = value, ((2 * k - 1) * x * value - (k - 1) * before) / k
            slope = count * (x * value - before) / (x * x - 1)
            x -= value / slope
        found.append(((1 - x) / 2, 1 / ((1 - x * x) * slope * slope)))
    return tuple(found)


GAUSS = _gauss_points(24)


def weakest_own() -> float:
    """A peg in its hole, all that can be off being off: the least field its switch may get."""
    return min(field_of_currents(WEAKEST_MAGNET, aside, FARTHEST_MM) for aside in (0, ASIDE_MM))


def field_of_neighbours(away: list[float], count: int = 5) -> float:
    """The most that pegs in the nearest holes do to a switch whose own hole is empty, whichever way round they are."""
    heights = (NEAREST_MM, GAP_MM, FARTHEST_MM)
    return sum(
        max(
            abs(field_of_currents(STRONGEST_MAGNET, far + aside, z))
            for z in heights
            for aside in (-ASIDE_MM, 0, ASIDE_MM)
        )
        for far in sorted(away)[:count]
    )


def worst_neighbours(name: str) -> tuple[float, str]:
    """Over all holes of a board: the most that pegs in the five nearest others do to one, and which it is."""
    holes = catalog.load_board(name).holes
    known: dict[tuple[float, ...], float] = {}
    worst = (0.0, "")
    for hole in holes:
        away = sorted(hypot(hole.x_mm - o.x_mm, hole.y_mm - o.y_mm) for o in holes if o is not hole)[:5]
        key = tuple(round(far, 1) for far in away)
        if key not in known:
            known[key] = field_of_neighbours(list(key))
        worst = max(worst, (known[key], hole.id))
    return worst


def hovering_field(z: float) -> float:
    """The most a peg does whose foot is so far above the die."""
    return field_on_axis(STRONGEST_MAGNET, z)


def main() -> None:
    for what, magnet in (("nominal", NOMINAL), ("weakest", WEAKEST_MAGNET), ("strongest", STRONGEST_MAGNET)):
        fields = " ".join(
            f"{r:g}/{z:g}: {field_of_currents(magnet, r, z):6.2f}"
            for z in (2.0, 2.5, GAP_MM, 4.0)
            for r in (0, 0.5, 7.0)
        )
        print(f"{what:9} aside/gap in mm: mT  {fields}")
    print(f"own, worst {weakest_own():.1f} mT = {weakest_own() / OPERATES_MT:.2f} x {OPERATES_MT}")
    for name in catalog.list_board_names():
        print(f"neighbours, worst {name}: {worst_neighbours(name)[0]:.2f} mT at {worst_neighbours(name)[1]}")
    print("hovering " + " ".join(f"{z}: {hovering_field(z):.2f}" for z in (4, 5, 6, 7, 8, 10, 12)))


if __name__ == "__main__":
    main()
