"""A .kicad_pcb that is the same each time it is made: shorter, in one order, with ids that say what they are of. Pure.

KiCad gives every item an id by chance and writes items in the order of their ids; copies of a footprint share those of
their pads.
"""

import re
from collections import Counter
from uuid import NAMESPACE_OID, uuid5

_ITEM = re.compile(r"\n(?=  \((?:footprint|gr_\w+|segment|via|zone) )")
_ID = re.compile(r"\(tstamp [0-9a-f-]+\)")
_LINES = re.compile(r"(?:\n    \(fp_(?:line|arc|circle) [^\n]*)+")
_POINT = re.compile(r"\s*\(xy (\S+) (\S+)\)")
_POINTS = re.compile(r"(?:\s*\(xy \S+ \S+\)){2,}")


def tidied(text: str) -> str:
    """The same board in another text."""
    head, *items = _ITEM.split(text.rstrip().removesuffix(")"))
    seen: Counter[str] = Counter()
    found = []
    for item in sorted(_short(_ID.sub("(tstamp)", each.rstrip())) for each in items):
        seen[item] += 1
        found.append(_with_ids(item, f"{item} {seen[item]}"))
    return "\n".join([head.rstrip(), "", *found, ")", ""])


def _with_ids(item: str, name: str) -> str:
    parts = item.split("(tstamp)")
    return "".join(
        f"{part}(tstamp {uuid5(NAMESPACE_OID, f'{name} {n}')})" if n < len(parts) - 1 else part
        for n, part in enumerate(parts)
    )


def _short(item: str) -> str:
    """Filled areas to a thousandth of a millimetre, many points a line; a footprint's drawing in one order."""
    item = _LINES.sub(lambda run: "".join(f"\n{line}" for line in sorted(run[0][1:].split("\n"))), item)
    return _POINTS.sub(
        lambda run: "\n" + " ".join(f"(xy {float(x):.3f} {float(y):.3f})" for x, y in _POINT.findall(run[0])), item
    )
