"""The browser of the tests: Debian's headless shell, which needs a third less processor time than Chromium."""

import shutil

PACKAGE = "chromium-headless-shell"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--in-process-gpu",
]  # fmt: skip


def find_chromium() -> str | None:
    """Return the path of the headless shell or of Chromium; None if neither is installed."""
    return shutil.which(PACKAGE) or shutil.which("chromium")
