"""The way of one peg through board and table gets no longer than it is."""

from tests import way_of_a_peg

FILES, SWITCHES = 10, 100
"""At most so many, as `tests/way_of_a_peg.py` counts them."""


def test_one_peg_enters_few_files_and_seldom_goes_from_one_to_another():
    files, switches = way_of_a_peg.count_files()
    assert len(files) <= FILES, files
    assert switches.total() <= SWITCHES, switches.most_common(20)


def test_it_is_counted_from_the_sensors_levels_to_the_painted_frame():
    files, _ = way_of_a_peg.count_files()
    assert {file.partition("/")[0] for file in files} == {"boards", "display", "pegs", "table"}
    assert "display/lights.py" in files
