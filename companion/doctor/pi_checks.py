"""The checks that only a Raspberry Pi needs: model, packages, buses, memory, sound, power."""

from companion.doctor.system import Check, Machine

_AT_PINS = ("gpio", "neopixel", "neopixel-spi")
_UNDERVOLTED, _WAS_UNDERVOLTED = 1 << 0, 1 << 16
_DRIVER = "_rpi_ws281x", "sudo apt-get install gcc python3-dev; .venv/bin/pip install -e '.[pi]'"
_DRIVER_5 = "adafruit_raspberry_pi5_neopixel_write", ".venv/bin/pip install -e '.[pi5]'"
_PWM_PINS = ("D12", "D13", "D18", "D19")
_CONFIG = "/boot/firmware/config.txt"


def model(machine: Machine) -> Check:
    """Whether this is a Pi, where one is needed."""
    if machine.model:
        return Check("model", True, f"This is a {machine.model}.")
    if machine.uses(*_AT_PINS):
        fix = "Run companion on a Raspberry Pi, or have the board's own Pico do lights and buttons."
        return Check("model", False, "This is no Raspberry Pi: it has no pins for lights, buttons or a buzzer.", fix)
    return Check("model", True, "This is no Raspberry Pi: boards and readers at USB work all the same.")


def packages(machine: Machine) -> Check:
    """Whether the libraries are there that the settings' devices need."""
    wanted = []
    if machine.uses("gpio"):
        wanted.append(("lgpio", "sudo apt-get install python3-lgpio; rm -r .venv; make setup"))
    if machine.uses("neopixel"):
        wanted.append(_DRIVER_5 if machine.is_pi5 else _DRIVER)
    missing = [(name, fix) for name, fix in wanted if not machine.has(name)]
    if missing:
        name, fix = missing[0]
        return Check("packages", False, f"The package {name.lstrip('_')} is missing.", fix)
    names = ", ".join(name.lstrip("_") for name, _ in wanted)
    return Check("packages", True, f"The settings' devices have their packages: {names or 'they need none'}.")


def interfaces(machine: Machine) -> Check:
    """Whether the buses are switched on that the settings name."""
    spi = sorted(path.name for path in machine.path("/dev").glob("spidev*"))
    if machine.uses("neopixel-spi"):
        port = machine.settings.lights.partition(":")[2].partition("?")[0]
        if not machine.path(port).exists():
            fix = "sudo raspi-config nonint do_spi 0; sudo reboot"
            return Check("interfaces", False, f"There is no {port}: the SPI is switched off.", fix)
    return Check("interfaces", True, f"SPI: {', '.join(spi) or 'off, and not needed'}.")


def memory(machine: Machine) -> Check:
    """Whether the lights' driver may drive its pin: by the memory up to a Pi 4, by /dev/pio0 on a Pi 5."""
    if not machine.uses("neopixel"):
        return Check("memory", True, "No lights at a pin that needs the machine's memory.")
    if machine.is_pi5:
        if not machine.path("/dev/pio0").exists():
            fix = "sudo apt-get full-upgrade; sudo rpi-eeprom-update -a; sudo reboot"
            return Check("memory", False, "There is no /dev/pio0: kernel and firmware are too old.", fix)
        return Check("memory", True, "The lights' driver has /dev/pio0.")
    if machine.user.uid == 0:
        return Check("memory", True, "The lights' driver has /dev/mem, as root.")
    fix = 'sudo .venv/bin/companion play, or wire the strip to GPIO10: lights = "neopixel-spi:/dev/spidev0.0"'
    return Check("memory", False, f"{machine.settings.lights} takes root on this Pi, for /dev/mem.", fix)


def sound(machine: Machine) -> Check:
    """Whether the analogue sound uses the clock that the lights' pin needs."""
    lights = machine.settings.lights
    at_pwm = lights.startswith(tuple(f"neopixel:{pin}" for pin in _PWM_PINS)) and not machine.is_pi5
    if at_pwm and machine.config().get("dtparam=audio") == "on":
        fix = f"sudo sed -i 's/^dtparam=audio=on/dtparam=audio=off/' {_CONFIG}; sudo reboot"
        return Check("sound", False, "The analogue sound uses the clock of the lights' pin: colours will flicker.", fix)
    return Check("sound", True, "The analogue sound is in nobody's way.")


def power(machine: Machine) -> Check:
    """Whether the supply has sagged since the start."""
    fix = "Use the Pi's own supply (5.1 V, 3 A; a Pi 5 5 A), and feed the strip from another one, grounds joined."
    told = machine.text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    bits = int(told, 16) if told and all(c in "0123456789abcdefABCDEFx" for c in told) else 0
    alarms = [p for p in machine.path("/sys/class/hwmon").glob("*/in0_lcrit_alarm") if _is_volt(machine, p.parent.name)]
    now = bits & _UNDERVOLTED or any(path.read_text().strip() == "1" for path in alarms)
    if now:
        return Check("power", False, "The supply's voltage is too low now.", fix)
    if bits & _WAS_UNDERVOLTED:
        return Check("power", False, "The supply's voltage was too low since the Pi was started.", fix)
    return Check("power", True, "The supply has held its voltage." if told or alarms else "No supply warnings here.")


def _is_volt(machine: Machine, name: str) -> bool:
    return machine.text(f"/sys/class/hwmon/{name}/name") == "rpi_volt"
