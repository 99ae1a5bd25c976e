"""A blind player with a keyboard, who hears live regions and the name of the focused control.

`ScreenReader` announces as a screen reader does: additions to a live region, the whole text of a status or an alert,
nothing behind an open dialog. A test decides only by the announcements, never by the document. `transcript` has the
announcements and the actions of the player.
"""

import re
import time
from pathlib import Path
from typing import Any

from tests.support.waiting import PATIENCE_S

MAX_TABS = 90
"""Maximum number of Tab presses on the way to a control."""

LISTENER_SCRIPT = (Path(__file__).parent / "ear.js").read_text("utf-8")


class ScreenReader:
    """A screen reader at a phone or a computer. `phone` must be a new one, because its page gets a listener."""

    def __init__(self, phone: Any, url: str) -> None:
        self.phone, self.transcript = phone, list[str]()
        self._queue: list[str] = []
        phone.page.add_init_script(LISTENER_SCRIPT)
        self._cdp = phone.page.context.new_cdp_session(phone.page)
        phone.page.goto(url)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Wait until an announcement matches; return the match. Earlier announcements are consumed."""
        end = time.monotonic() + PATIENCE_S
        while True:
            while self._queue:
                said = self._queue.pop(0)
                if found := re.search(pattern, said):
                    return found
            assert time.monotonic() < end, f"{pattern!r} was not announced:\n" + "\n".join(self.transcript)
            self._collect_announcements()

    def _collect_announcements(self) -> None:
        announcements = self.phone.page.evaluate("window.heard.splice(0)")
        self.transcript += announcements
        self._queue += announcements
        if not announcements:
            time.sleep(0.02)

    def announcements(self) -> list[str]:
        """Return all announcements so far."""
        return [line for line in self.transcript if not line.startswith(" ")]

    def focus(self) -> str:
        """Return the role, the name and the state of the focused control, as a screen reader says them."""
        found = self._cdp.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
        asked = {"objectId": found, "fetchRelatives": False}
        (node,) = self._cdp.send("Accessibility.getPartialAXTree", asked)["nodes"]
        state = {each["name"]: each["value"].get("value") for each in node.get("properties", [])}
        states = [name for name in ("pressed", "expanded", "disabled") if state.get(name) in (True, "true")]
        words = [node["role"]["value"], node.get("name", {}).get("value", ""), *states]
        return " ".join(each for each in words if each)

    def tab_to(self, pattern: str) -> str:
        """Press Tab until a control matches; return its announcement. A loading page is searched again."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for n in range(MAX_TABS):
                if re.search(pattern, said := self.focus()):
                    self.transcript.append(f"  [{n} × Tab] {said}")
                    return said
                self.phone.page.keyboard.press("Tab")
        raise AssertionError(f"Tab reaches no control {pattern!r}:\n" + "\n".join(self.transcript))

    def press(self, pattern: str, key: str = "Enter") -> None:
        """Go to a control and press it. Earlier announcements are consumed: they are not its effect."""
        self.tab_to(pattern)
        self._collect_announcements()
        self._queue.clear()
        self.phone.page.keyboard.press(key)

    def type_card(self, card: str) -> None:
        """Type a card, such as 10d."""
        self.transcript.append(f"  [types] {card.lower().replace('t', '10')}")
        self.phone.type_keys(card.lower().replace("t", "10"))
