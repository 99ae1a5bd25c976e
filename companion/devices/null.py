"""The null device, URL `none:`. It always reports that it works, and it does nothing."""

from collections.abc import Callable, Sequence

from companion.ports import Colour, StatusCallback

NULL_SCHEME = "none"


class NullDevice:
    """Stands in for sensors, a card reader, buttons, a buzzer or lights that the table does not have."""

    seat: int | None = None

    def __init__(self, url: str) -> None:
        self.url = url

    def start(self, *callbacks: Callable[..., None]) -> None:
        """Report at once that the device works. The last callback is the status callback of every `start`."""
        status: StatusCallback = callbacks[-1]
        status(True, "")

    def request_levels(self) -> None:
        """Do nothing: there are no sensors."""

    def set_lamp(self, name: str, *, lit: bool) -> None:
        """Do nothing: there is no lamp."""

    def play_tune(self, name: str) -> None:
        """Do nothing: there is no buzzer."""

    def show_frame(self, frame: Sequence[Colour], number: int) -> None:
        """Do nothing: there is no strip."""

    def close(self) -> None:
        """Do nothing: there is no hardware to release."""
