"""The browser of the tests: Debian's headless shell, which needs a third less processor time than Chromium."""

import shutil

from playwright.sync_api import Browser, BrowserType, Error

PACKAGE = "chromium-headless-shell"
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--in-process-gpu",
]  # fmt: skip


def find_chromium() -> str | None:
    """Return the path of the headless shell or of Chromium; None if neither is installed."""
    return shutil.which(PACKAGE) or shutil.which("chromium")


def launch_chromium(browser_type: BrowserType, *flags: str) -> Browser:
    """Start the browser. On a busy machine it can crash with a segmentation fault as it starts: then it is tried again.

    Only the start is repeated, nothing that a test does. Raises Error if three starts fail.
    """
    for _ in range(2):
        try:
            return browser_type.launch(executable_path=find_chromium(), args=[*FLAGS, *flags])
        except Error as error:
            if "Segmentation fault" not in str(error):
                raise
    return browser_type.launch(executable_path=find_chromium(), args=[*FLAGS, *flags])
