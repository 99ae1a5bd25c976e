"""The arithmetic of docs/decisions/0023-sense-pegs-with-hall-switches-and-magnets.md: how a hole senses its peg."""

import pytest

from companion.boards import catalog
from tests.hardware.ghost_currents import count_ghosts, ghost_share
from tests.hardware.hall_field import (
    ASIDE_MM,
    FARTHEST_MM,
    NEAREST_MM,
    NOMINAL,
    OPERATES_MT,
    RELEASES_MT,
    STRONGEST_MAGNET,
    WEAKEST_MAGNET,
    Magnet,
    field_of_charges,
    field_of_currents,
    field_of_neighbours,
    field_on_axis,
    hovering_field,
    weakest_own,
    worst_neighbours,
)

PITCHES = [7.0, 7.0, 8.0, 8.0, 10.63]
"""The five nearest on a board of three lanes."""


@pytest.mark.parametrize("magnet", [NOMINAL, WEAKEST_MAGNET, STRONGEST_MAGNET, Magnet(1.5, 3.0, 1.29)])
@pytest.mark.parametrize("z", [1.5, 2.0, 2.6, 4.0, 8.0])
def test_currents_charges_and_the_closed_form_give_the_same_field(magnet, z):
    assert field_of_currents(magnet, 0, z) == pytest.approx(field_on_axis(magnet, z), rel=1e-6)
    assert field_of_charges(magnet, 0, z) == pytest.approx(field_on_axis(magnet, z), rel=1e-6)
    for r in (0.5, 3.5, 7.0, 10.6):
        assert field_of_currents(magnet, r, z) == pytest.approx(field_of_charges(magnet, r, z), rel=1e-5, abs=1e-5)


def test_the_nominal_fields_are_those_of_the_record():
    assert field_of_currents(NOMINAL, 0, 2.5) == pytest.approx(35.7, abs=0.05)
    assert field_of_currents(NOMINAL, 0.5, 2.5) == pytest.approx(33.8, abs=0.05)
    assert field_of_currents(NOMINAL, 7, 2.5) == pytest.approx(-0.5, abs=0.05)


def test_a_peg_gives_two_and_a_half_times_the_threshold_when_all_is_off_that_can_be():
    assert weakest_own() >= 2.5 * OPERATES_MT
    assert weakest_own() < field_of_currents(NOMINAL, 0, NEAREST_MM) / 1.5  # the worst case is far from the nominal one


@pytest.mark.parametrize("name", catalog.list_board_names())
def test_five_neighbours_at_once_give_no_hole_a_third_of_the_threshold(name):
    field, hole = worst_neighbours(name)
    assert field <= OPERATES_MT / 3, hole


def test_a_little_nearer_or_farther_the_gap_would_no_longer_do():
    assert field_of_currents(WEAKEST_MAGNET, ASIDE_MM, FARTHEST_MM + 0.05) < 2.5 * OPERATES_MT
    assert sum(abs(field_of_currents(STRONGEST_MAGNET, far, NEAREST_MM - 0.1)) for far in PITCHES) > OPERATES_MT / 3
    assert field_of_neighbours(PITCHES) <= OPERATES_MT / 3


def test_a_hovering_peg_is_not_seen_beyond_eight_millimetres():
    assert hovering_field(8.0) < RELEASES_MT
    assert hovering_field(5.0) > RELEASES_MT  # a peg swept so low over a thin board might be


def test_the_other_switches_of_the_family_are_too_sensitive_or_too_dull():
    nearest, farthest = field_of_neighbours(PITCHES), weakest_own()
    assert nearest > 3.9 / 3  # DRV5032DU
    assert nearest > 4.8 / 3  # DRV5032FA, FC
    assert farthest < 63  # DRV5032ZE never switches
    assert field_of_currents(WEAKEST_MAGNET, ASIDE_MM, 2.0) / 35 < 2.5  # A3144, operating by 35 mT at the latest


def test_a_bare_matrix_sees_a_peg_where_a_rectangle_wants_its_fourth_corner():
    assert count_ghosts({0, 3, 20}, 20) == {23}
    assert count_ghosts({0, 3, 22}, 20) == set()
    assert count_ghosts({0, 3, 23, 45}, 20) == {20}
    assert count_ghosts({0, 3, 23, 25}, 20) == {5, 20}  # joined over two corners: (0,0) (0,3) (1,3) (1,5)


def test_without_diodes_a_matrix_reads_one_placement_in_eighteen_wrong_or_worse():
    classic = catalog.load_board("classic")
    assert ghost_share(classic, 2, 2000) == pytest.approx(0.055, abs=0.015)
    assert ghost_share(classic, 3, 2000) == pytest.approx(0.14, abs=0.02)
    assert ghost_share(catalog.load_board("pursuit"), 5, 500) > 0.8
