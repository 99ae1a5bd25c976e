"""Files of results that grow line by line."""

from tests.plugins.arena.result_lines import add_results, read_results


def test_a_tool_goes_on_after_the_results_that_it_has(tmp_path):
    path = tmp_path / "results.jsonl"
    assert read_results(path) == []
    assert add_results(path, 2, lambda n: [n]) == [[0], [1]]
    assert add_results(path, 3, lambda n: [10 + n]) == [[0], [1], [12]]


def test_a_line_that_was_cut_off_is_made_again(tmp_path):
    path = tmp_path / "results.jsonl"
    path.write_text("[0]\n[1, 2", "utf-8")
    assert read_results(path) == [[0]]
    assert add_results(path, 2, lambda n: [n]) == [[0], [1]]
    assert path.read_text("utf-8") == "[0]\n[1]\n"
