"""What is written beside a board: its netlist, its list of parts, and where a machine sets each of them. Pure."""

import csv
import io
import json
from collections.abc import Iterable, Mapping

from companion.plugins.drawing.bill_of_materials import find_order_number
from hardware.pcb.cells import Spot
from hardware.pcb.circuit import Placed

FIRST_BOARD = "loop"


def describe_status(name: str) -> str:
    """Return how far a board is proven."""
    if name == FIRST_BOARD:
        return "Order this board first. It passes all checks of the project, but none has been made yet."
    return "Drawn, not proven: order the board loop first, and this one only after loop works."


def netlist(parts: Mapping[str, Placed]) -> str:
    """Each part's value, package and nets by pin, as JSON."""
    told = {
        ref: {"value": part.kind.value, "footprint": part.kind.footprint, "nets": part.nets}
        for ref, part in parts.items()
    }
    rows = ",\n".join(f"{json.dumps(ref)}: {json.dumps(each)}" for ref, each in told.items())
    return "{\n" + rows + "\n}\n"


def bill(parts: Mapping[str, Placed]) -> str:
    """The list of parts, like ones in a row, as CSV."""
    alike: dict[str, list[Placed]] = {}
    for part in parts.values():
        alike.setdefault(part.kind.value, []).append(part)
    rows = [
        (len(those), value, those[0].kind.footprint.split(":")[1], those[0].kind.number,
         find_order_number(those[0].kind.number), those[0].kind.note, " ".join(part.ref for part in those))
        for value, those in alike.items()
    ]  # fmt: skip
    return format_csv(("quantity", "value", "footprint", "number", "order_number", "note", "references"), rows)


def positions(parts: Mapping[str, Placed], spots: Mapping[str, Spot]) -> str:
    """Where a machine sets each part: millimetres as in the board file, y upwards as machines want it, as CSV."""
    rows = [
        (ref, part.kind.value, part.kind.footprint.split(":")[1], f"{spots[ref].at[0]:.3f}", f"{-spots[ref].at[1]:.3f}",
         f"{spots[ref].turn % 360:.2f}", "top" if spots[ref].top else "bottom")
        for ref, part in parts.items()
    ]  # fmt: skip
    return format_csv(("Ref", "Val", "Package", "PosX", "PosY", "Rot", "Side"), rows)


def format_csv(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
    """Return rows under a head as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
