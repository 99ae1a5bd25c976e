"""Configuration of all tests: in CI a skipped test fails, and no test depends on speed or unseeded chance."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

os.environ["PATH"] += ":/usr/sbin:/sbin"  # Debian keeps ip, debootstrap and others there

settings.register_profile(
    "tests", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("search", settings.get_profile("tests"), derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "tests"))


SLOWEST_FILES = (
    "test_build_guide.py", "test_add_a_game.py", "club/test_recovery.py", "club/test_club.py", "end_to_end/test_demo",
    "peg_photos/test_peg_photos.py", "browser/test_lesson.py", "browser/test_looks.py", "club/test_guides.py",
)  # fmt: skip
"""Files whose tests take longest. They run first, so that no worker is left with one of them at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the longest tests to the front; the order of the others stays."""
    items.sort(key=lambda item: not any(each in item.nodeid for each in SLOWEST_FILES))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    """Fail a skipped test in CI. Elsewhere, for example without a browser, the summary shows the reason."""
    report = yield
    forgiven = hasattr(report, "wasxfail") or item.get_closest_marker("image") or item.get_closest_marker("namespaces")
    if report.skipped and os.environ.get("CI") == "true" and not forgiven:
        report.outcome = "failed"
        report.longrepr = f"Skipped, which CI does not allow: {report.longrepr[-1]}"
    return report
