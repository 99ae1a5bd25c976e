"""What holds for all tests: in CI nothing may be missing, so a test that is skipped has failed."""

import os
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[Any]:
    """Outside CI a missing browser or node skips its tests, and the summary says so with the reason."""
    report = yield
    forgiven = hasattr(report, "wasxfail") or item.get_closest_marker("image")
    if report.skipped and os.environ.get("CI") == "true" and not forgiven:
        report.outcome = "failed"
        report.longrepr = f"Skipped, which CI does not allow: {report.longrepr[-1]}"
    return report
