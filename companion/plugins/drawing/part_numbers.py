"""Order numbers at LCSC, which also supplies the assembly house JLCPCB, and at other distributors. Pure.

Each number was found beside the manufacturer's number in the public source named. Stock and prices were not looked up.
A part without an entry has no confirmed number: search for the manufacturer's number when you order.
"""

LCSC = {
    "CL05B104KO5NNNC": ("C1525", "several public parts lists, one with its JLCPCB class (Basic)"),
    "CL10A106KP8NNNC": ("C19702", "address of the page at lcsc.com: SAMSUNG_CL10A106KP8NNNC_…_C19702"),
    "RC0402FR-0710KL": ("C60490", "public parts list that compares the code with JLCPCB's catalogue"),
    "RC0402FR-07100RL": ("C106232", "public parts list with the page lcsc.com/product-detail/C106232"),
    "0402WGF4700TCE": ("C25117", "several public parts lists, with its JLCPCB class (Basic)"),
    "RC0402FR-07330RL": ("C105875", "public parts list with the page jlcpcb.com/partdetail/C105875"),
    "SN74AHCT125PWR": ("C36365", "five public parts lists"),
    "AO3401A": ("C15127", "several public parts lists, one with its JLCPCB class (Basic)"),
    "SMF5.0A": ("C19077497", "public notes with the page jlcpcb.com/partdetail/hongjiacheng-SMF50A/C19077497"),
    "WS2812B-2020": ("C965555", "flux.ai/lcsc/ws2812b-2020~kra3, and the footprint of EasyEDA, which names it"),
}
"""By the manufacturer's number: the number at LCSC, and where it was found (November 2026)."""

ELSEWHERE = {
    "PPTC201LFBN-RC": (
        "Digi-Key 810158",
        "page digikey.com/en/products/detail/…/PPTC201LFBN-RC/810158, in two public projects",
    ),
    "PRPC040SAAN-RC": (
        "Digi-Key S1011EC-40-ND",
        "several public parts lists, one with the page …/PRPC040SAAN-RC/S1011EC-40-ND/2775214",
    ),
    "PRPC005DAAN-RC": (
        "Digi-Key S2011EC-05-ND",
        "several public parts lists, one with the page …/PRPC005DAAN-RC/S2011EC-05-ND/2775289",
    ),
    "SBH11-PBPC-D05-ST-BK": ("Digi-Key 1990062", "page digikey.com/en/products/detail/…/SBH11-PBPC-D05-ST-BK/1990062"),
    "1715721": (
        "Mouser 651-1715721",
        "public parts list; another compares the maker's drawing (5.08 mm) and names LCSC C5183929",
    ),
    "02183.15MXP": (
        "Mouser 576-02183.15MXP",
        "public parts list, as 3.15 A slow-blow, beside its holder 576-01500274Z",
    ),
    "01500274Z": ("Mouser 576-01500274Z", "the same list, as in-line holder for 5 x 20 mm"),
    "PS1240P02BT": (
        "Digi-Key 935924",
        "page digikey.com/en/products/detail/tdk-corporation/PS1240P02BT/935924, in two public projects",
    ),
    "B3F-1000": ("Digi-Key SW400-ND", "several public parts lists and schematics"),
    "EEUFR1C471": ("RS 7083620", "public parts list with the page uk.rs-online.com/web/p/aluminium-capacitors/7083620"),
    "SC0915": ("Digi-Key 13624793", "number of the page digikey.ca/en/products/detail/raspberry-pi/SC0915/13624793"),
    "S-02-03-N": ("supermagnete S-02-03-N", "page supermagnete.de/…/stabmagnet-2mm-3mm_S-02-03-N, cited as N45"),
}
"""Parts that the assembly house does not fit: distributor and number, and where it was found (November 2026)."""

UNCONFIRMED = {
    "DRV5032AJDBZR": "only one public design names a number (C266120): compare the name that the house shows for it",
    "SN74HCS165PWR": "no public source was found (searched again in November 2026)",
}
"""Parts that the assembly house fits and whose number is not confirmed, with the reason."""


def find_lcsc_number(mpn: str) -> str:
    """Return the number at LCSC of a manufacturer's number, or "" if none is confirmed."""
    return LCSC.get(mpn, ("", ""))[0]


def find_order_number(mpn: str) -> str:
    """Return a distributor and its number, such as `LCSC C1525`, or "" if none is confirmed."""
    lcsc = find_lcsc_number(mpn)
    return f"LCSC {lcsc}" if lcsc else ELSEWHERE.get(mpn, ("", ""))[0]
