"""A page that shows where each part of a list goes: click a row or a part. It needs no network. Pure."""

import csv
import io
from html import escape

from hardware.pcb.boardfile import Copper, Drawn, Part
from hardware.pcb.papers import describe_status

MARGIN_MM = 3
LABEL_MM = 1.4

PAGE = """\
<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{name}: parts</title>
<style>
body{{margin:0;font:15px/1.4 system-ui,sans-serif;color:#1b1b1b;background:#fff;display:flex;flex-wrap:wrap}}
main{{flex:2 1 32rem;min-width:0;padding:1rem;box-sizing:border-box;position:sticky;top:0;align-self:flex-start;
max-height:100vh;overflow:auto;background:#fff}}
@media (max-width:60rem){{main{{order:-1;max-height:50vh}}}}
section{{flex:1 1 24rem;padding:1rem;box-sizing:border-box;overflow-x:auto}}
h1{{font-size:1.3rem;margin:0 0 .5rem}} h2{{font-size:1rem;margin:.6rem 0 .2rem}}
svg{{width:100%;height:auto;background:#f4f7f2;border:1px solid #ccc;max-height:85vh}}
table{{border-collapse:collapse;width:100%}} td,th{{text-align:left;padding:.25rem .4rem;border-bottom:1px solid #ddd}}
td button{{font:inherit;border:0;background:none;padding:0;text-align:left;cursor:pointer;color:#0b4a8f}}
tr.lit{{background:#ffe9a8}} .refs{{max-width:14rem;overflow-wrap:anywhere;color:#555;font-size:.8rem}}
.edge{{stroke:#222;stroke-width:.3}} .part{{cursor:pointer}} .pad{{fill:#9aa39a;stroke-linejoin:round}}
polygon.pad{{stroke:#9aa39a}}
.place{{fill:transparent}} .part text{{display:none;text-anchor:middle;font-family:sans-serif}}
.lit>.pad{{fill:#d40000}} .lit>polygon{{stroke:#d40000}} .lit>.place{{fill:#ffd24a}} .lit>text{{display:block}}
.one>.place{{fill:#ff8a00}}
</style>
<section>
<h1>{name}: parts</h1>
<p>{status}</p>
<p>Click a row to light its parts up, or a part to find its row. <span id="said" role="status"></span></p>
<table>
<thead><tr><th>fitted</th><th>part</th><th>number</th><th>names</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</section>
<main>
{views}
</main>
<script>
"use strict";
const rows = [...document.querySelectorAll("tr[data-row]")];
const parts = [...document.querySelectorAll(".part")];
const said = document.getElementById("said");
const select = (row, ref) => {{
  rows.forEach((each) => each.classList.toggle("lit", each.dataset.row === row));
  let count = 0;
  parts.forEach((each) => {{
    const lit = each.dataset.row === row;
    each.classList.toggle("lit", lit);
    each.classList.toggle("one", lit && each.dataset.ref === ref);
    count += lit;
  }});
  const hole = parts.find((each) => each.dataset.ref === ref)?.dataset.hole;
  const at = hole ? ` (${{hole}})` : "";
  said.textContent = ref ? `${{ref}}${{at}} is one of ${{count}}.` : count === 1 ? "1 part." : `${{count}} parts.`;
}};
rows.forEach((row) => row.addEventListener("click", (event) => {{
  if (event.target.type === "checkbox") return;
  select(row.dataset.row);
  document.querySelector(".part.lit").closest("svg").scrollIntoView({{ block: "nearest" }});
}}));
parts.forEach((part) => part.addEventListener("click", () => {{
  select(part.dataset.row, part.dataset.ref);
  rows.find((row) => row.dataset.row === part.dataset.row).scrollIntoView({{ block: "nearest" }});
}}));
document.querySelectorAll("input").forEach((box) => {{
  const key = "{name} " + box.name;
  try {{ box.checked = localStorage.getItem(key) === "1"; }} catch {{ /* a browser may refuse storage to a file */ }}
  box.addEventListener("change", () => {{ try {{ localStorage.setItem(key, box.checked ? "1" : "0"); }} catch {{ }} }});
}});
</script>
"""


def format_page(name: str, drawn: Drawn, bill: str) -> str:
    """Return the page for a board and its parts list as CSV (`…-bom.csv`)."""
    listed = list(csv.DictReader(io.StringIO(bill)))
    row_of = {ref: n for n, row in enumerate(listed) for ref in row["references"].split()}
    views = [
        f"<h2>{title}</h2>\n{_draw_side(name, drawn, row_of, top=top)}"
        for title, top in (("Above, fitted by the house", True), ("Below, soldered by you", False))
    ]
    return PAGE.format(
        name=escape(name),
        status=describe_status(name),
        rows="\n".join(_format_row(n, row) for n, row in enumerate(listed)),
        views="\n".join(views),
    )


def shorten_references(refs: list[str]) -> str:
    """Return names of parts with runs of three or more shortened: `C1–C4 C9`."""
    runs: list[list[str]] = []
    for ref in refs:
        previous = runs[-1][-1] if runs else ""
        if previous and ref == f"{previous[0]}{int(previous[1:]) + 1}":
            runs[-1].append(ref)
        else:
            runs.append([ref])
    return " ".join(f"{run[0]}–{run[-1]}" if len(run) > 2 else " ".join(run) for run in runs)


def _format_row(number: int, row: dict[str, str]) -> str:
    value, note = escape(row["value"]), escape(row["note"])
    numbers = " ".join(filter(None, (escape(row["number"]), escape(row["order_number"]))))
    return (
        f'<tr data-row="{number}"><td><input type="checkbox" name="{value}" aria-label="{value} is fitted"></td>'
        f"<td><button>{row['quantity']} × {value}</button><br>{note}</td><td>{numbers}</td>"
        f'<td class="refs">{shorten_references(row["references"].split())}</td></tr>'
    )


def _draw_side(name: str, drawn: Drawn, row_of: dict[str, int], *, top: bool) -> str:
    """Draw the parts of one side as they are seen from it: from below, left and right are swapped."""
    points = [end for line in drawn.edge for end in line]
    left, low = (min(point[axis] for point in points) - MARGIN_MM for axis in (0, 1))
    wide, high = (max(point[axis] for point in points) + MARGIN_MM - (left, low)[axis] for axis in (0, 1))
    mirror = "" if top else f' transform="translate({2 * left + wide:.2f} 0) scale(-1 1)"'
    lines = [
        f'<svg viewBox="{left:.2f} {low:.2f} {wide:.2f} {high:.2f}" role="img" aria-label="{escape(name)}"><g{mirror}>',
        *(f'<line class="edge" x1="{a[0]}" y1="{a[1]}" x2="{b[0]}" y2="{b[1]}"/>' for a, b in drawn.edge),
    ]
    pads: dict[str, list[str]] = {}
    boxes: dict[str, list[tuple[float, float]]] = {}
    for pad in drawn.pads:
        ref = pad.owner.split(".", 1)[0]
        pads.setdefault(ref, []).append(_draw_pad(pad))
        reach = pad.shape.radius + 0.3
        boxes.setdefault(ref, []).extend((x + d, y + d) for x, y in pad.shape.points for d in (-reach, reach))
    for ref, number in row_of.items():
        if drawn.parts[ref].top is top:
            lines.append(_draw_part(drawn.parts[ref], number, pads[ref], boxes[ref]))
    return "\n".join([*lines, "</g></svg>"])


def _draw_pad(pad: Copper) -> str:
    if len(pad.shape.points) == 1:  # a browser draws nothing for a polygon of one corner
        ((x, y),) = pad.shape.points
        return f'<circle class="pad" cx="{x:.2f}" cy="{y:.2f}" r="{pad.shape.radius:.2f}"/>'
    corners = " ".join(f"{x:.2f},{y:.2f}" for x, y in pad.shape.points)
    return f'<polygon class="pad" stroke-width="{2 * pad.shape.radius:.2f}" points="{corners}"/>'


def _draw_part(part: Part, number: int, pads: list[str], box: list[tuple[float, float]]) -> str:
    (left, top), (right, bottom) = ((end(p[0] for p in box), end(p[1] for p in box)) for end in (min, max))
    x, y = (left + right) / 2, (top + bottom) / 2
    hole = next((net.removeprefix("hole ") for net in part.pins.values() if net.startswith("hole ")), "")
    at_hole = f' data-hole="{escape(hole)}"' if hole else ""
    flip = "" if part.top else f' transform="translate({2 * x:.2f} 0) scale(-1 1)"'
    return (
        f'<g class="part" data-row="{number}" data-ref="{part.ref}"{at_hole}>'
        f"<title>{' '.join([part.ref, escape(part.value), escape(hole)]).strip()}</title>"
        f'<rect class="place" x="{left:.2f}" y="{top:.2f}" width="{right - left:.2f}" height="{bottom - top:.2f}"/>'
        f'{"".join(pads)}<text x="{x:.2f}" y="{y + 0.5:.2f}" font-size="{LABEL_MM}"{flip}>{part.ref}</text></g>'
    )
