"""The parts of a board's copper: what each pin does, which footprint it lies on. Pure.

Pin numbers are those of the makers' data sheets.
"""

from dataclasses import dataclass

SUPPLIES = {"3V3": "3V3", "5V": "5V", "GND": "GND"}


@dataclass(frozen=True)
class Kind:
    """A kind of part. `pins` says for each pin its name and what it is: in, out, supply or passive."""

    value: str
    number: str
    footprint: str
    pins: dict[str, tuple[str, str]]
    supply: str | None = None
    """The net its supply pins but GND belong to; with it a chip, which wants a capacitor."""
    note: str = ""


def _register() -> dict[str, tuple[str, str]]:
    pins = {str(pin): (name, "in") for pin, name in zip((11, 12, 13, 14, 3, 4, 5, 6), "ABCDEFGH", strict=True)}
    return pins | {
        "1": ("SH/LD", "in"), "2": ("CLK", "in"), "7": ("/QH", "out"), "8": ("GND", "supply"),
        "9": ("QH", "out"), "10": ("SER", "in"), "15": ("CLK INH", "in"), "16": ("VCC", "supply"),
    }  # fmt: skip


def _shifter() -> dict[str, tuple[str, str]]:
    gates = ((1, 2, 3), (4, 5, 6), (10, 9, 8), (13, 12, 11))
    pins = {"7": ("GND", "supply"), "14": ("VCC", "supply")}
    for n, (enable, a, y) in enumerate(gates, 1):
        pins |= {str(enable): (f"{n}/OE", "in"), str(a): (f"{n}A", "in"), str(y): (f"{n}Y", "out")}
    return pins


_TWO = {"1": ("1", "passive"), "2": ("2", "passive")}

SENSOR = Kind(
    "DRV5032AJ", "DRV5032AJDBZR", "Package_TO_SOT_SMD:SOT-23",
    {"1": ("VCC", "supply"), "2": ("OUT", "out"), "3": ("GND", "supply")}, "3V3", "open drain, low at a peg",
)  # fmt: skip
LIGHT = Kind(
    "WS2812B-2020", "WS2812B-2020", "LED_SMD:LED_WS2812B-2020_PLCC4_2.0x2.0mm",
    {"1": ("DOUT", "out"), "2": ("GND", "supply"), "3": ("DIN", "in"), "4": ("VDD", "supply")}, "5V",
)  # fmt: skip
REGISTER = Kind("74HCS165", "SN74HCS165PWR", "Package_SO:TSSOP-16_4.4x5mm_P0.65mm", _register(), "3V3")
SHIFTER = Kind("74AHCT125", "SN74AHCT125PWR", "Package_SO:TSSOP-14_4.4x5mm_P0.65mm", _shifter(), "5V")
SMALL = Kind("100nF", "CL05B104KO5NNNC", "Capacitor_SMD:C_0402_1005Metric", _TWO, note="X7R 16 V")
LARGE = Kind("10uF", "CL10A106KP8NNNC", "Capacitor_SMD:C_0603_1608Metric", _TWO, note="X5R 10 V, 0.8 mm high")
BULK = Kind("470uF", "EEUFR1C471", "Capacitor_THT:CP_Radial_D8.0mm_P3.50mm", _TWO, note="16 V, from below, lying")
PULL = Kind("10k", "RC0402FR-0710KL", "Resistor_SMD:R_0402_1005Metric", _TWO)
SERIES = Kind("100R", "RC0402FR-07100RL", "Resistor_SMD:R_0402_1005Metric", _TWO)
LONG_SERIES = Kind(
    "470R", "0402WGF4700TCE", "Resistor_SMD:R_0402_1005Metric", _TWO, note="slows the clock of a long chain down"
)  # fmt: skip
INTO = Kind("330R", "RC0402FR-07330RL", "Resistor_SMD:R_0402_1005Metric", _TWO)
RIBBON = Kind(
    "ribbon", "PRPC005DAAN-RC", "Connector_PinHeader_2.54mm:PinHeader_2x05_P2.54mm_Vertical",
    {str(n): (str(n), "passive") for n in range(1, 11)}, note="from below",
)  # fmt: skip
KEYED_RIBBON = Kind(
    "keyed ribbon", "SBH11-PBPC-D05-ST-BK", "Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical", RIBBON.pins,
    note="from below; leave it out if the Pico is in its sockets",
)  # fmt: skip
SOCKET = Kind(
    "Pico socket", "PPTC201LFBN-RC", "Connector_PinSocket_2.54mm:PinSocket_1x20_P2.54mm_Vertical",
    {str(n): (str(n), "passive") for n in range(1, 21)}, note="from below",
)  # fmt: skip
PANEL = Kind(
    "panel", "PRPC040SAAN-RC", "Connector_PinHeader_2.54mm:PinHeader_1x10_P2.54mm_Vertical",
    {str(n): (str(n), "passive") for n in range(1, 11)}, note="ten of 40 pins, from below; buttons, buzzer and display",
)  # fmt: skip
POWER = Kind(
    "5V", "1715721", "TerminalBlock:TerminalBlock_bornier-2_P5.08mm", _TWO, note="from below"
)  # fmt: skip
FEED = Kind(
    "5V wires", "", "Connector_Wire:SolderWire-0.75sqmm_1x02_P4.8mm_D1.25mm_OD2.3mm", _TWO, note="0.75 mm2, from below"
)  # fmt: skip
GUARD = Kind(
    "AO3401A", "AO3401A", "Package_TO_SOT_SMD:SOT-23",
    {"1": ("G", "passive"), "2": ("S", "passive"), "3": ("D", "passive")}, note="blocks a reversed supply",
)  # fmt: skip
CLAMP = Kind(
    "SMF5.0A", "SMF5.0A", "Diode_SMD:D_SOD-123F", {"1": ("K", "passive"), "2": ("A", "passive")},
    note="clamps static and surges",
)  # fmt: skip
FIDUCIAL = Kind("fiducial", "", "Fiducial:Fiducial_1mm_Mask2mm", {}, note="a mark for the machine, no part")
SCREW = Kind("M3", "", "MountingHole:MountingHole_3.2mm_M3", {}, note="a hole, no part")

SMALL_SCREW = Kind("M2", "", "MountingHole:MountingHole_2.2mm_M2", {}, note="a hole, no part")

KINDS = (
    SENSOR,
    LIGHT,
    REGISTER,
    SHIFTER,
    SMALL,
    LARGE,
    BULK,
    PULL,
    SERIES,
    LONG_SERIES,
    INTO,
    RIBBON,
    KEYED_RIBBON,
    SOCKET,
    PANEL,
    POWER,
    FEED,
    GUARD,
    CLAMP,
    FIDUCIAL,
    SCREW,
    SMALL_SCREW,
)
BY_VALUE = {kind.value: kind for kind in KINDS}

INPUTS = {name: pin for pin, (name, _) in REGISTER.pins.items() if name in tuple("ABCDEFGH")}
"""The pin of each of a register's inputs."""

WIRES = ("3V3", "GND", "CLK", "GND", "LOAD", "GND", "BITS", "PIXELS", "5V", "5V")
"""The ribbon's ten wires. CLK, LOAD and PIXELS come from the Pico, BITS goes to it."""
FROM_PICO = ("CLK", "LOAD", "PIXELS")

PICO_PINS = (
    *("GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7"),
    *("GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15"),
    *("GP16", "GP17", "GND", "GP18", "GP19", "GP20", "GP21", "GND", "GP22", "RUN"),
    *("GP26", "GP27", "GND", "GP28", "ADC_VREF", "3V3", "3V3_EN", "GND", "VSYS", "VBUS"),
)
"""The names of a Raspberry Pi Pico's pins, 1 to 40. Pin 33 is the ground of its ADC."""
WIRE_PINS = {"CLK": "GP2", "BITS": "GP4", "LOAD": "GP5", "PIXELS": "GP6"}
"""The pin of the Pico for each wire that is not a supply."""
PANEL_USES = (
    *("GND buttons", "dice GP10", "undo GP11", "go red GP12", "go blue GP13"),
    *("buzzer GP17", "GND", "VCC 3V3", "SCL GP21", "SDA GP20"),
)
"""What is printed beside each pin of the panel's header."""
PANEL_WIRES = ("GND", "GP10", "GP11", "GP12", "GP13", "GP17", "GND", "3V3", "GP21", "GP20")
"""The wires of the panel's header: four buttons and the buzzer, then a display's GND, VCC, SCL and SDA."""
