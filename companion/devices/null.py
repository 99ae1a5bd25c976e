"""No device, by choice: `none:`. It is always well, hears nothing and says nothing."""

from collections.abc import Callable, Sequence

from companion.ports import Colour, Status

SCHEME = "none"


class Absent:
    """In the place of sensors, a card reader, buttons or lights that a table does without."""

    seat: int | None = None

    def __init__(self, url: str) -> None:
        self.url = url

    def start(self, *told: Callable[..., None]) -> None:
        """Say at once that all is well; `told` ends with the `status` of every device's `start`."""
        status: Status = told[-1]
        status(True, "")

    def ask(self) -> None:
        """There are no levels to tell."""

    def light(self, name: str, *, lit: bool) -> None:
        """There is no lamp."""

    def show(self, frame: Sequence[Colour], number: int) -> None:
        """There is no strip."""

    def close(self) -> None:
        """There is nothing to let go of."""
