"""What all devices have in common: URLs, cables that are pulled, closing, and the null device."""

from contextlib import closing

import pytest

from companion import devices
from companion.common.errors import DeviceError
from companion.devices import scanners
from tests.support.received import check_threads_end, clock, run_device

OPENERS = {
    "sensors": lambda url: devices.open_sensors(url, 8, clock),
    "reader": lambda url: devices.open_scanner(url, clock),
    "buttons": lambda url: devices.open_buttons(url, clock),
    "lights": lambda url: devices.open_lights(url, 2, 2000),
    "buzzer": devices.open_buzzer,
}

WRONG_URLS = """
sensors | serial: | 'serial:' needs a path, such as serial:/dev/ttyACM0
sensors | serial:/dev/x?baud=fast | baud in 'serial:/dev/x?baud=fast' must be a whole number from 300 to 4000000.
sensors | serial:/dev/x?baud=1 | baud in 'serial:/dev/x?baud=1' must be a whole number from 300 to 4000000.
sensors | serial:/dev/x?baud= | baud in 'serial:/dev/x?baud=' must be a whole number from 300 to 4000000.
sensors | serial:/dev/x?baud=-1 | baud in 'serial:/dev/x?baud=-1' must be a whole number from 300 to 4000000.
sensors | serial:/dev/x?baud=1.5 | baud in 'serial:/dev/x?baud=1.5' must be a whole number from 300 to 4000000.
sensors | serial:/dev/x?baud=9999999999 | baud in 'serial:/dev/x?baud=9999999999' must be a whole number from 300 to…
sensors | serial:/dev/x?baud=٣٣٣ | baud in 'serial:/dev/x?baud=٣٣٣' must be a whole number from 300 to 4000000.
sensors | serial:/dev/x?baud=1200&baud=2400 | 'serial:/dev/x?baud=1200&baud=2400' gives 'baud' twice.
sensors | serial:/dev/x?baud | Write the options in 'serial:/dev/x?baud' as option=value, separated by &.
sensors | serial:/dev/x?seat=1 | 'serial:/dev/x?seat=1' has no option 'seat'. Did you mean 'baud'?
sensors | sim:x | 'sim:x' takes no path. Write sim:
sensors | usb: | 'usb:' is not a URL of the hole sensors. Start it with serial: or sim: or none:
sensors |  | '' is not a URL of the hole sensors. Start it with serial: or sim: or none:
reader | serial: | 'serial:' needs a path, such as serial:/dev/ttyUSB0
reader | usb: | 'usb:' is not a URL of the card reader. Start it with serial: or keyboard: or sim: or none: or camera:
reader | serial:/dev/x?seat=5 | seat in 'serial:/dev/x?seat=5' must be a whole number from 0 to 4.
reader | sim:?protocol=rdm | Unknown protocol in 'sim:?protocol=rdm'. Use one of auto, line, rdm6300.
reader | none:/dev/ttyACM0 | 'none:/dev/ttyACM0' takes no path. Write none:
reader | none:?seat=1 | 'none:?seat=1' has no option 'seat'.
reader | none | 'none' is not a URL of the card reader. Start it with serial: or keyboard: or sim: or none:
buttons | gpio: | 'gpio:' needs a path, such as gpio:dice=17,undo=27,go0=22,go1=23
buttons | gpio:dice=28 | 'dice=28' in 'gpio:dice=28' is not a button. Write dice, undo, go0 to go4, lamp, off or ready…
buttons | gpio:die=2 | 'die=2' in 'gpio:die=2' is not a button. Write dice, undo, go0 to go4, lamp, off or ready…
buttons | gpio:go5=2 | 'go5=2' in 'gpio:go5=2' is not a button. Write dice, undo, go0 to go4, lamp, off or ready…
buttons | gpio:dice=2, | '' in 'gpio:dice=2,' is not a button. Write dice, undo, go0 to go4, lamp, off or ready…
buttons | gpio:dice=2,undo=2 | 'undo=2' in 'gpio:dice=2,undo=2' names a button or a pin twice.
buttons | gpio:dice=2,dice=3 | 'dice=3' in 'gpio:dice=2,dice=3' names a button or a pin twice.
buttons | keys: | 'keys:' is not a URL of the buttons. Start it with gpio: or node: or sim: or none:
lights | neopixel: | 'neopixel:' needs a path, such as neopixel:D18
lights | neopixel:d18 | 'd18' in 'neopixel:d18' is not a pin. Write a pin's name, such as D18.
lights | neopixel:D18?order=RGG | Write the order in 'neopixel:D18?order=RGG' as the letters RGB or RGBW in the strip's…
lights | sim:?ordre=GRB | 'sim:?ordre=GRB' has no option 'ordre'. Did you mean 'order'?
lights | lamps: | 'lamps:' is not a URL of the lights. Start it with neopixel: or neopixel-spi: or node: or sim:…
buzzer | gpio: | 'gpio:' needs a path, such as gpio:13
buzzer | gpio:28 | '28' in 'gpio:28' is not a pin. Write a GPIO number, 0 to 27.
buzzer | gpio:dice=1 | 'dice=1' in 'gpio:dice=1' is not a pin. Write a GPIO number, 0 to 27.
buzzer | horn: | 'horn:' is not a URL of the buzzer. Start it with gpio: or node: or sim: or none:
"""


@pytest.mark.parametrize("row", WRONG_URLS.strip().splitlines())
def test_wrong_url_says_what_to_write(row):
    device, url, sentence = row.split(" | ")
    with pytest.raises(DeviceError) as refused:
        OPENERS[device](url)
    message = str(refused.value)
    assert message.startswith(sentence[:-1]) if sentence.endswith("…") else message == sentence


def test_null_devices_work_at_once_and_do_nothing():
    heard, statuses = [], []
    sensors, reader, buttons, lights, buzzer = opened = [open_device("none:") for open_device in OPENERS.values()]
    for device in (sensors, reader, buttons):
        device.start(heard.append, lambda ok, say: statuses.append((ok, say)))
    for device in (lights, buzzer):
        device.start(lambda ok, say: statuses.append((ok, say)))
    sensors.request_levels()
    buttons.set_lamp("dice", lit=True)
    lights.show_frame([(1, 2, 3)], 1)
    buzzer.play_tune("win")
    for device in opened:
        assert device.url == "none:"
        device.close()
        device.close()
    assert (heard, statuses, reader.seat) == ([], [(True, "")] * 5, None)


CABLES = [
    ("reader", "scan_card", "5H", "The card reader's cable"),
    ("buttons", "press_button", "dice", "The buttons' cable"),
]


@pytest.mark.parametrize(("kind", "method", "value", "cable"), CABLES)
class TestCable:
    def test_unplugged_device_is_reported_and_found_again(self, kind, method, value, cable):
        """What is scanned or pressed meanwhile is lost."""
        with run_device(OPENERS[kind]("sim:")) as (device, callbacks):
            for _ in range(3):
                device.set_plugged(False)
                assert callbacks.next_status() == (False, f"{cable} is unplugged.")
                getattr(device, method)(value)
                device.set_plugged(True)
                assert callbacks.next_status() == (True, "")
            getattr(device, method)(value)
            assert callbacks.next_value() == value
            assert callbacks.values.empty()

    def test_cable_pulled_in_the_middle_is_reported_alike(self, kind, method, value, cable):
        with run_device(OPENERS[kind]("sim:")) as (device, callbacks):
            for _ in range(5):
                getattr(device, method)(value)
                device.set_plugged(False)
                assert callbacks.next_status() == (False, f"{cable} is unplugged.")
                device.set_plugged(True)
                assert callbacks.next_status() == (True, "")

    def test_cable_back_before_anybody_noticed_does_no_harm(self, kind, method, value, cable):
        with run_device(OPENERS[kind]("sim:")) as (device, callbacks):
            for _ in range(5):
                for is_plugged in (False, False, True, True):
                    device.set_plugged(is_plugged)
                getattr(device, method)(value)
                assert callbacks.next_value() == value

    def test_closes_at_once_twice_and_before_the_start(self, kind, method, value, cable, monkeypatch):
        monkeypatch.setattr(scanners, "IDLE_READ_S", 60.0)  # the wait for bytes is interrupted, not waited for
        with closing(OPENERS[kind]("sim:")) as never:
            getattr(never, method)(value)
        with check_threads_end(), run_device(OPENERS[kind]("sim:")) as (device, callbacks):
            device.close()
        getattr(device, method)(value)
        assert callbacks.values.empty()
