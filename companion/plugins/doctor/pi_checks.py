"""Checks for a Raspberry Pi: model, packages, buses, memory, sound, power."""

from companion.common.process import system_package_command
from companion.plugins.cards.camera_scanner import PICAMERA
from companion.plugins.doctor.system import CheckResult, Machine

_PIN_SCHEMES = ("gpio", "neopixel", "neopixel-spi")
_UNDERVOLTED, _WAS_UNDERVOLTED = 1 << 0, 1 << 16
_DRIVER = "_rpi_ws281x", "sudo apt-get install gcc python3-dev; .venv/bin/pip install -e '.[pi]'"
_DRIVER_5 = "adafruit_raspberry_pi5_neopixel_write", ".venv/bin/pip install -e '.[pi5]'"
_KEYBOARD = "evdev", "sudo apt-get install gcc python3-dev; .venv/bin/pip install -e '.[keyboard]'"
_READER = "cv2", ".venv/bin/pip install -e '.[camera]'"
_PWM_PINS = ("D12", "D13", "D18", "D19")
_CONFIG = "/boot/firmware/config.txt"


def check_model(machine: Machine) -> CheckResult:
    """Check that this is a Pi if the settings need one."""
    if machine.model:
        return CheckResult("model", True, f"This is a {machine.model}.")
    if machine.uses_scheme(*_PIN_SCHEMES):
        fix = "Run companion on a Raspberry Pi, or connect lights and buttons to the board's Pico."
        return CheckResult(
            "model", False, "This is not a Raspberry Pi, so it has no pins for lights, buttons or a buzzer.", fix
        )
    return CheckResult("model", True, "This is not a Raspberry Pi. Boards and readers on USB work.")


def check_packages(machine: Machine) -> CheckResult:
    """Check that the packages for the devices of the settings are installed."""
    needed = []
    if machine.uses_scheme("gpio"):
        needed.append(("lgpio", system_package_command("python3-lgpio")))
    if machine.uses_scheme("neopixel"):
        needed.append(_DRIVER_5 if machine.is_pi5 else _DRIVER)
    if machine.uses_scheme("keyboard"):
        needed.append(_KEYBOARD)
    if machine.uses_scheme("camera"):
        needed.append(_READER)
    if machine.settings.cards.startswith(f"camera:{PICAMERA}"):
        needed.append(("picamera2", system_package_command("python3-picamera2")))
    missing = [(name, fix) for name, fix in needed if not machine.has_module(name)]
    if missing:
        name, fix = missing[0]
        return CheckResult("packages", False, f"The package {name.lstrip('_')} is missing.", fix)
    names = ", ".join(name.lstrip("_") for name, _ in needed)
    return CheckResult("packages", True, f"Packages for the devices are installed: {names or 'none needed'}.")


def check_interfaces(machine: Machine) -> CheckResult:
    """Check that SPI is enabled if the settings need it."""
    spi = sorted(path.name for path in machine.resolve_path("/dev").glob("spidev*"))
    if machine.uses_scheme("neopixel-spi"):
        port = machine.settings.lights.partition(":")[2].partition("?")[0]
        if not machine.resolve_path(port).exists():
            fix = "sudo raspi-config nonint do_spi 0; sudo reboot"
            return CheckResult("interfaces", False, f"Cannot find {port}: SPI is disabled.", fix)
    return CheckResult("interfaces", True, f"SPI: {', '.join(spi) or 'off, not needed'}.")


def check_memory(machine: Machine) -> CheckResult:
    """Check access to the lights' pin: /dev/mem up to a Pi 4, /dev/pio0 on a Pi 5."""
    if not machine.uses_scheme("neopixel"):
        return CheckResult("memory", True, "No lights need direct access to a pin.")
    if machine.is_pi5:
        if not machine.resolve_path("/dev/pio0").exists():
            fix = "sudo apt-get full-upgrade; sudo rpi-eeprom-update -a; sudo reboot"
            return CheckResult("memory", False, "Cannot find /dev/pio0: kernel and firmware are too old.", fix)
        return CheckResult("memory", True, "The lights' driver can use /dev/pio0.")
    if machine.user.uid == 0:
        return CheckResult("memory", True, "The lights' driver can use /dev/mem as root.")
    fix = 'sudo .venv/bin/companion play, or wire the strip to GPIO10: lights = "neopixel-spi:/dev/spidev0.0"'
    return CheckResult("memory", False, f"{machine.settings.lights} needs root on this Pi, for /dev/mem.", fix)


def check_sound(machine: Machine) -> CheckResult:
    """Check that analogue sound does not use the hardware clock of the lights' pin."""
    lights = machine.settings.lights
    at_pwm = lights.startswith(tuple(f"neopixel:{pin}" for pin in _PWM_PINS)) and not machine.is_pi5
    if at_pwm and machine.read_boot_config().get("dtparam=audio") == "on":
        fix = f"sudo sed -i 's/^dtparam=audio=on/dtparam=audio=off/' {_CONFIG}; sudo reboot"
        return CheckResult(
            "sound", False, "Analogue sound uses the hardware clock of the lights' pin, so colours will flicker.", fix
        )
    return CheckResult("sound", True, "Analogue sound does not disturb the lights.")


def check_power(machine: Machine) -> CheckResult:
    """Check for undervoltage since the start of the Pi."""
    fix = (
        "Use a Raspberry Pi supply (5.1 V; 3 A, or 5 A for a Pi 5), and a separate one for the strip. Join the grounds."
    )
    throttled = machine.read_text("/sys/devices/platform/soc/soc:firmware/get_throttled")
    bits = int(throttled, 16) if throttled and all(c in "0123456789abcdefABCDEFx" for c in throttled) else 0
    alarms = [
        p
        for p in machine.resolve_path("/sys/class/hwmon").glob("*/in0_lcrit_alarm")
        if _is_rpi_volt(machine, p.parent.name)
    ]
    now = bits & _UNDERVOLTED or any(path.read_text().strip() == "1" for path in alarms)
    if now:
        return CheckResult("power", False, "The supply voltage is too low now.", fix)
    if bits & _WAS_UNDERVOLTED:
        return CheckResult("power", False, "The supply voltage has been too low since the Pi was started.", fix)
    return CheckResult(
        "power",
        True,
        "The supply voltage is fine." if throttled or alarms else "This machine does not report its supply voltage.",
    )


def _is_rpi_volt(machine: Machine, name: str) -> bool:
    return machine.read_text(f"/sys/class/hwmon/{name}/name") == "rpi_volt"
