"""The null device always works and does nothing."""

import pytest

from companion import devices
from companion.common.errors import DeviceError


def clock():
    return 0


def open_device():
    return [
        devices.open_sensors("none:", 10, clock), devices.open_scanner("none:", clock),
        devices.open_buttons("none:", clock), devices.open_lights("none:", 10, 2000),
    ]  # fmt: skip


def test_each_is_well_at_once_and_says_nothing():
    told = []
    sensors, reader, buttons, lights = open_device()
    for device in (sensors, reader, buttons):
        device.start(lambda *_: told.append("heard"), lambda ok, say: told.append((ok, say)))
    lights.start(lambda ok, say: told.append((ok, say)))
    sensors.request_levels()
    buttons.set_lamp("dice", lit=True)
    lights.show_frame([(1, 2, 3)], 1)
    for device in (sensors, reader, buttons, lights):
        assert device.url == "none:"
        device.close()
        device.close()
    assert told == [(True, "")] * 4
    assert reader.seat is None


@pytest.mark.parametrize("url", ["none:/dev/ttyACM0", "none:?seat=1", "none"])
def test_it_takes_no_path_and_no_option(url):
    with pytest.raises(DeviceError):
        devices.open_scanner(url, clock)
