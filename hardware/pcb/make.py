"""Makes the circuit boards. Runs with the Python that has KiCad's pcbnew, not with that of the virtual environment.

`python3 -m hardware.pcb.make GIVEN.json… --out DIR` draws each pattern, and has KiCad and our own checks look at it.
`python3 -m hardware.pcb.make --check FILE.kicad_pcb` says what KiCad finds in a file; exit code 1 if anything.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import process_time

from hardware.pcb import check, fab, kicad, papers
from hardware.pcb.boardfile import Copper, read
from hardware.pcb.cells import Spot
from hardware.pcb.circuit import circuit, fiducials, screws
from hardware.pcb.copper import joined
from hardware.pcb.joining import Joining, pruned
from hardware.pcb.laying import Given, Layout, beside_pin_1, given
from hardware.pcb.layouts import LAYOUTS
from hardware.pcb.parts import REGISTER, SHIFTER
from hardware.pcb.shapes import Point
from hardware.pcb.stitching import bridges, stitches, without_loose_ends

ROUNDS = 6
"""So many times ground is looked at: a track that makes it whole may push others, which cut it elsewhere."""


def draw(it: Given, out: Path, *, keep: bool) -> Path:
    """Draws a pattern: places parts, finds tracks or keeps those it has, pours ground, writes the papers."""
    name = it.pattern.name
    layout, parts = LAYOUTS[name](it), circuit(it.pattern)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.kicad_pcb"
    kept = read(path.read_text(encoding="utf-8")).tracks if keep else ()
    drawing = kicad.Drawing(path, f"Cribbage board that knows: {name}")
    drawing.edge(layout.edge)
    for part in parts.values():
        drawing.place(part, layout.spots[part.ref])
    for part, at in zip(screws(len(layout.screws), small=layout.small_screws), layout.screws, strict=True):
        drawing.place(part, Spot(at, 0))
    for part, at in zip(fiducials(len(layout.fiducials)), layout.fiducials, strict=True):
        drawing.place(part, Spot(at, 0))
    for part in (part for part in parts.values() if part.kind in (REGISTER, SHIFTER)):
        drawing.dot(beside_pin_1(layout.spots[part.ref]))
    for text, at, top in layout.words:
        drawing.say(text, at, top=top)
    if kept:
        _lay(drawing, pruned(kept, kept), layout.edge)
    else:
        _join(drawing, layout, path)
    for suffix, text in (
        ("netlist.json", papers.netlist(parts)),
        ("bom.csv", papers.bill(parts)),
        ("positions.csv", papers.positions(parts, layout.spots)),
    ):
        (out / f"{name}-{suffix}").write_text(text, encoding="utf-8")
    return path


def _lay(drawing: kicad.Drawing, copper: list[Copper], edge: list[Point]) -> None:
    drawing.lift()
    drawing.lay(copper)
    drawing.ground(edge)
    drawing.save()


def _join(drawing: kicad.Drawing, layout: Layout, path: Path) -> None:
    """Finds the tracks; then, while ground is in pieces, the vias and tracks that make it whole."""
    drawing.save()
    placed = read(path.read_text(encoding="utf-8"))
    for fault in joined(replace(placed, tracks=tuple(layout.copper))).faults:
        raise ValueError(f"{path.stem}: the layout lays copper upon copper. {fault}")
    drawing.lay(layout.copper)
    drawing.save()
    joining = Joining(read(path.read_text(encoding="utf-8")))
    for _ in range(ROUNDS):
        copper = [*layout.copper, *pruned(joining.copper(), layout.copper)]
        _lay(drawing, copper, layout.edge)
        extra = stitches(read(path.read_text(encoding="utf-8")), "GND")
        if extra:
            _lay(drawing, [*copper, *extra], layout.edge)
        apart = bridges(read(path.read_text(encoding="utf-8")), "GND", extra)
        if not apart:
            _take_up_loose_ends(drawing, path, layout.edge, copper, extra)
            return
        print(f"{path.stem}: ground is in {len(apart) + 1} pieces.", flush=True)
        joining.more(apart)


def _take_up_loose_ends(
    drawing: kicad.Drawing, path: Path, edge: list[Point], copper: list[Copper], stitched: list[Copper]
) -> None:
    """Takes up ground's tracks that end nowhere, unless ground falls to pieces without them."""
    whole = [*copper, *stitched]
    kept = without_loose_ends(read(path.read_text(encoding="utf-8")), "GND", whole)
    if len(kept) == len(whole):
        return
    _lay(drawing, kept, edge)
    if bridges(read(path.read_text(encoding="utf-8")), "GND", stitched):
        _lay(drawing, whole, edge)


def gerbers(path: Path, build: Path) -> None:
    """Write the archive of Gerber and drill files, and all else that the assembly house needs."""
    build.mkdir(parents=True, exist_ok=True)
    packed = fab.pack_gerbers({each.name: each.read_bytes() for each in kicad.plot(path, build)})
    (path.parent / "fab").mkdir(exist_ok=True)
    (path.parent / "fab" / f"{path.stem}-gerbers.zip").write_bytes(packed)
    fab.write_fab_files(path.parent)


def theirs(path: Path, build: Path) -> list[str]:
    """What KiCad finds wrong with a board."""
    build.mkdir(parents=True, exist_ok=True)
    return [f"KiCad: {n} x {kind}" for kind, n in kicad.check(path, build / f"{path.stem}-drc.txt").items()]


def _in_a_fresh_process(path: Path, build: Path) -> list[str]:
    """The same; pcbnew reads a project's rules once only, and the process that draws has others."""
    command = [sys.executable, "-m", "hardware.pcb.make", "--build", str(build), "--check", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return [f"KiCad's check did not run: {done.stderr}"]
    return done.stdout.splitlines() if done.returncode else []


def ours(path: Path, it: Given) -> list[str]:
    """What our own checks find, and whether KiCad reads the same nets as they do."""
    drawn = read(path.read_text(encoding="utf-8"))
    complaints = check.complaints(drawn, it)
    pads = {pad.owner: pad.net for pad in drawn.pads if not pad.owner.endswith(".")}
    if pads != {pin: net for pin, net in kicad.net_of_pads(path).items() if pin in pads}:
        complaints.append("KiCad reads other nets from the file than we do.")
    return complaints


def main() -> int:
    """The command."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("given", nargs="*", type=Path)
    asked.add_argument("--out", type=Path, default=Path("hardware/pcb/boards"))
    asked.add_argument("--build", type=Path, default=Path("build/pcb"))
    asked.add_argument("--check", type=Path)
    asked.add_argument("--keep-tracks", action="store_true", help="search for no tracks, keep those of the file")
    said = asked.parse_args()
    said.build = said.build.resolve()  # KiCad would take it from the folder of the board
    if said.check:
        complaints = theirs(said.check, said.build)
        print("\n".join(complaints) or f"{said.check.name}: KiCad finds nothing.")
        return 1 if complaints else 0
    bad = 0
    for file in said.given:
        begun = process_time()
        it = given(json.loads(file.read_text(encoding="utf-8")))
        folder = said.out / it.pattern.name
        path = draw(it, folder, keep=said.keep_tracks)
        complaints = _in_a_fresh_process(path, said.build / it.pattern.name) + ours(path, it)
        gerbers(path, said.build / it.pattern.name)
        seconds = round(process_time() - begun)
        print(
            f"{it.pattern.name}: {len(complaints)} complaints, {seconds} s of one core.",
            *complaints,
            sep="\n",
            flush=True,
        )
        bad += bool(complaints)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
