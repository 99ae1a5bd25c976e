"""The circuit boards that come with the project, against the board files they are made for; and planted faults."""

import csv
import json
import re
import shutil
import subprocess
import zipfile
from collections import Counter
from dataclasses import replace
from functools import cache
from math import ceil, cos, dist, pi, sin
from pathlib import Path

import pytest

from companion.boards.catalog import list_board_names, load_board
from companion.boards.geometry import compute_light_positions
from companion.plugins.drawing import bill_of_materials
from companion.plugins.drawing.template import build_template
from hardware.pcb import cells, check, copper, fitting, given, stitching
from hardware.pcb.boardfile import Copper, Drawn, read
from hardware.pcb.circuit import WITH_PICO, circuit, is_fitted
from hardware.pcb.laying import Given
from hardware.pcb.laying import given as as_given
from hardware.pcb.layouts import LAYOUTS
from hardware.pcb.parts import PICO_PINS, REGISTER, WIRES
from hardware.pcb.router import Router, Task
from hardware.pcb.search import Field
from hardware.pcb.shapes import Point, Shape
from hardware.pcb.tidy import tidied

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "hardware" / "pcb" / "boards"
KICAD = "/usr/bin/python3"
SYMBOLS = Path("/usr/share/kicad/symbols/74xx.kicad_sym")
TOLD = {told["name"]: told for told in given.all_told()}


def _text(name: str) -> str:
    return (BOARDS / name / f"{name}.kicad_pcb").read_text("utf-8")


@cache
def _drawn(name: str) -> Drawn:
    return read(_text(name))


def _given(name: str) -> Given:
    return as_given(TOLD[name])


def _block(text: str, ref: str) -> str:
    """The part's own lines in the board file."""
    start = text.rindex("\n  (footprint", 0, text.index(f'reference "{ref}"'))
    return text[start : text.index("\n  )\n", start) + len("\n  )")]


def _circuit_faults(text: str) -> list[str]:
    return check.of_the_circuit(read(text), _given("loop"))


@pytest.mark.parametrize("name", given.STORED)
def test_the_board_is_what_its_board_file_says(name):
    assert check.complaints(_drawn(name), _given(name)) == []


@pytest.mark.parametrize("name", given.STORED)
def test_papers_and_board_name_the_same_parts(name):
    drawn = _drawn(name)
    parts = {ref: part for ref, part in drawn.parts.items() if is_fitted(ref)}
    netlist = json.loads((BOARDS / name / f"{name}-netlist.json").read_text("utf-8"))
    assert {ref: each["value"] for ref, each in netlist.items()} == {ref: part.value for ref, part in parts.items()}
    assert all(
        part.pins.get(pin, "") == net for ref, part in parts.items() for pin, net in netlist[ref]["nets"].items()
    )
    with (BOARDS / name / f"{name}-bom.csv").open(encoding="utf-8") as file:
        bill = {row["value"]: int(row["quantity"]) for row in csv.DictReader(file)}
    assert bill == Counter(part.value for part in parts.values())
    with (BOARDS / name / f"{name}-positions.csv").open(encoding="utf-8") as file:
        placed = {row["Ref"]: (float(row["PosX"]), -float(row["PosY"])) for row in csv.DictReader(file)}
    assert placed.keys() == parts.keys()
    assert all(abs(placed[ref][n] - parts[ref].at[n]) < 0.01 for ref in parts for n in (0, 1))


@pytest.mark.parametrize("name", given.STORED)
def test_the_archive_for_the_maker_is_whole(name):
    with zipfile.ZipFile(BOARDS / name / "fab" / f"{name}-gerbers.zip") as archive:
        inside = {Path(each).name.removeprefix(f"{name}-") for each in archive.namelist()}
        edge = archive.read(next(each for each in archive.namelist() if "Edge_Cuts" in each)).decode()
        drills = archive.read(next(each for each in archive.namelist() if each.endswith("-PTH.drl"))).decode()
    assert {"F_Cu.gbr", "B_Cu.gbr", "F_Mask.gbr", "B_Mask.gbr", "F_Paste.gbr", "Edge_Cuts.gbr", "PTH.drl"} <= inside
    drawn = _drawn(name)
    vias = sum(each.owner == "via" for each in drawn.tracks)
    plated = sum(pad.layers == ("F.Cu", "B.Cu") for pad in drawn.pads)
    assert len(re.findall(r"^X", drills, re.MULTILINE)) == vias + plated
    corners = {tuple(int(n) / 1e6 for n in found) for found in re.findall(r"X(-?\d+)Y(-?\d+)D0[12]\*", edge)}
    assert {(round(x, 2), round(-y, 2)) for x, y in corners} == {
        (round(x, 2), round(y, 2)) for a, _ in drawn.edge for x, y in [a]
    }


@pytest.mark.parametrize("name", sorted(list_board_names()))
def test_every_tile_lies_as_the_first_of_its_pattern(name):
    board, first, misfits = load_board(name), given.patterns(), set()
    for tile in board.wiring.tiles:
        here, there = (check.landmarks(as_given(given.told(*it))) for it in ((board, tile), first[tile.part]))
        both = here.keys() & there.keys()
        if here.keys() - there.keys() or not check.congruent([here[k] for k in both], [there[k] for k in both]):
            misfits.add(tile.part)
    assert not misfits


@pytest.mark.parametrize("name", sorted(list_board_names()))
def test_the_template_drills_for_the_lights_where_each_tile_has_them(name):
    board = load_board(name)
    drilled = compute_light_positions(board)
    for tile in board.wiring.tiles:
        it = as_given(given.told(board, tile))
        for lane in (lane for lane in it.lanes if len(lane) > 1):
            for hole, frame in zip(lane, cells.frames([it.places[each] for each in lane]), strict=True):
                assert dist(frame.spot(cells.LIGHT_BESIDE, 0), drilled[hole]) < 0.3, (tile.name, hole)


def _outlines(name: str) -> dict[str, fitting.Outline]:
    """The outline of each tile that is drawn, where the tile lies on its wooden board."""
    board, patterns, found = load_board(name), given.patterns(), {}
    for tile in (tile for tile in board.wiring.tiles if tile.part in TOLD):
        here, there = (check.landmarks(as_given(given.told(*it))) for it in (patterns[tile.part], (board, tile)))
        both = sorted(here.keys() & there.keys())
        corners = fitting.outline(_edge(tile.part))
        found[tile.name] = fitting.laid(corners, [here[k] for k in both], [there[k] for k in both])
    return found


@cache
def _edge(name: str) -> list[tuple[Point, Point]]:
    """The lines of the board's edge, also of a board whose file is not kept."""
    edge = LAYOUTS[name](_given(name)).edge
    return list(zip(edge, edge[1:] + edge[:1], strict=True))


@pytest.mark.parametrize("name", ["bases", "classic", "classic-61", "loop-60", "pursuit"])
def test_the_tiles_of_a_board_lie_beside_one_another_under_its_wood(name):
    outlines, wood = _outlines(name), build_template(load_board(name))
    assert list(fitting.too_near(outlines, 0.1)) == []
    for tile, outline in outlines.items():
        assert all(wood.corner.x <= x <= wood.far.x for x, _ in outline), tile
        assert all(wood.corner.y <= y <= wood.far.y for _, y in outline), tile


def test_tiles_that_overlap_are_found():
    square, cross = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)), ((-9.0, 1.0), (9.0, 1.0), (9.0, 3.0), (-9.0, 3.0))
    beside = fitting.laid(square, [(0, 0), (4, 0)], [(5, 4), (5, 0)])  # turned by a quarter, and a millimetre off
    assert list(fitting.too_near({"a": square, "b": beside}, 0.9)) == []
    assert list(fitting.too_near({"a": square, "b": beside}, 1.1)) == [("a", "b")]
    assert list(fitting.too_near({"a": square, "b": cross}, 0.1)) == [("a", "b")]
    assert list(fitting.too_near({"a": square, "b": ((1, 1), (3, 1), (3, 3), (1, 3))}, 0.1)) == [("a", "b")]


@pytest.mark.parametrize("name", sorted(list_board_names()))
def test_the_tiles_of_a_board_have_each_hole_and_each_light_once(name):
    board = load_board(name)
    told = [given.told(board, tile) for tile in board.wiring.tiles]
    assert Counter(hole for tile in told for hole in tile["places"]) == Counter(hole.id for hole in board.holes)
    assert [light for tile in told for light in tile["lights"]] == [light for light in board.wiring.pixels if light]


@pytest.mark.parametrize("name", sorted(list_board_names()))
def test_the_strip_passes_every_light_that_is_fitted_on_the_tiles(name):
    board, first = load_board(name), given.patterns()
    fitted = [light for tile in board.wiring.tiles for light in given.told(*first[tile.part])["lights"]]
    assert len(board.wiring.pixels) == len(fitted)


@pytest.mark.parametrize(("name", "last"), [("classic", 121), ("classic-61", 61)])
def test_the_lights_of_the_end_tile_at_home_that_have_no_hole_are_null(name, last):
    end = given.told(*given.patterns()["end"])
    assert end["lights"] == end["wires"][:6]  # so the light beside input 0 is the first of the strip
    board = load_board(name)
    home = board.wiring.tiles[-1]
    assert board.wiring.pixels[-6:] == board.wiring.chain[home.first : home.first + 6]
    assert board.wiring.pixels[-6:] == (f"red-{last}", None, None, f"blue-{last}", f"green-{last}", None)


def test_a_mirrored_tile_is_none_of_its_pattern():
    tile = list(check.landmarks(as_given(given.told(*given.patterns()["straight"]))).values())
    assert check.congruent([(100 - y, x) for x, y in tile], tile)
    assert not check.congruent([(-x, y) for x, y in tile], tile)
    assert not check.congruent([*tile[:-1], (tile[-1][0] + 1, tile[-1][1])], tile)


def test_lights_lie_beside_their_holes_at_the_ends_of_an_arc_too():
    """Five holes on half a turn, as the bend of the classic board: every light on the ray to the middle."""
    rays = [pi / 10 + k * pi / 5 for k in range(5)]
    found = cells.frames([(20 * cos(ray), 20 * sin(ray)) for ray in rays])
    for ray, frame in zip(rays, found, strict=True):
        assert frame.spot(3.45, 0) == pytest.approx((16.55 * cos(ray), 16.55 * sin(ray)))


def test_parts_of_the_loop_add_up():
    board = load_board("loop-60")
    count = Counter(part.kind.value for part in circuit(_given("loop").pattern).values())
    assert count["DRV5032AJ"] == count["WS2812B-2020"] == len(board.holes) == 64
    assert count["74HCS165"] == ceil(len(board.holes) / 8)
    assert count["10k"] == 64 + 2
    assert count["100nF"] == 2 * 64 + 8 + 1


def test_the_ribbons_wires_are_the_picos():
    pins = (ROOT / "firmware" / "boards" / "pico.py").read_text("utf-8")
    page = (ROOT / "docs" / "reference" / "pcb.md").read_text("utf-8")
    table = dict(re.findall(r"^\| \d+(?:, \d+)* \| (\w+) \| (GP\d+)", page, re.MULTILINE))
    assert table.keys() == {"CLK", "LOAD", "BITS", "PIXELS"} & set(WIRES)
    assert {wire: pin for wire, pin in table.items() if wire != "PIXELS"} == {
        "CLK": "GP2",
        "BITS": "GP4",
        "LOAD": "GP5",
    }
    assert all(re.search(rf"^\| {pin}\b", pins, re.MULTILINE) for wire, pin in table.items() if wire != "PIXELS")


# Faults, planted one at a time in the board as it is kept. KiCad is not needed to find them.


def test_a_short_is_found():
    drawn = _drawn("end")
    a, b = (next(pad for pad in drawn.pads if pad.owner == pin).shape.points[0] for pin in ("S5.2", "S5.1"))
    bridge = Copper(Shape((a, b), 0.1), ("F.Cu",), "3V3", "track")
    faults = copper.complaints(replace(drawn, tracks=(*drawn.tracks, bridge)))
    assert any("S5.2 (hole green-start-2)" in each and "less than" in each for each in faults)


def test_copper_in_the_midst_of_ground_is_found():
    ground = _square(*_strips("F.Cu", (0, 10)), tracks=(cells.via((5, 5), "3V3"),))
    assert copper.complaints(ground) == ["via (3V3) lies in an area of GND."]


def test_a_cut_track_is_found():
    drawn = _drawn("end")
    tracks = [each for each in drawn.tracks if each.net == "hole green-start-2"]
    cut = max(tracks, key=lambda each: dist(each.shape.points[0], each.shape.points[-1]))
    faults = copper.complaints(replace(drawn, tracks=tuple(each for each in drawn.tracks if each is not cut)))
    assert any("The net hole green-start-2 is in 2 pieces" in each for each in faults)


def test_ground_that_is_not_poured_is_found():
    faults = copper.complaints(replace(_drawn("end"), fills=()))
    assert any(each.startswith("The net GND is in") for each in faults)


def test_a_board_is_written_alike_whatever_ids_and_order_kicad_gave_it():
    def track(far: int, its_id: str) -> str:
        return f'  (segment (start 0 0) (end {far} 0) (width 0.2) (layer "F.Cu") (net 1) (tstamp {its_id}))\n'

    one, other = ('(kicad_pcb\n  (net 1 "5V")\n' + tracks + ")\n" for tracks in (
        track(1, "12ab") + track(2, "34cd"), track(2, "12ab") + track(1, "56ef")))  # fmt: skip
    assert tidied(one) == tidied(other)
    assert read(tidied(one)).tracks == read(one).tracks


@pytest.mark.parametrize("name", given.STORED)
def test_every_item_of_a_board_has_an_id_of_its_own(name):
    assert max(Counter(re.findall(r"tstamp ([0-9a-f-]+)", _text(name))).values()) == 1


def test_swapped_pins_are_found():
    text = _text("loop")
    register = _block(text, "U2")
    one, other = re.findall(r'\(net \d+ "hole lane-[78]"\)', register)
    swapped = register.replace(one, "\0").replace(other, one).replace("\0", other)
    faults = _circuit_faults(text.replace(register, swapped))
    assert "Bit 8 of the chain tells lane-8, not lane-7." in faults
    assert any(each.startswith("U2 pin") for each in faults)


def test_a_light_that_is_skipped_is_found():
    drawn = _drawn("loop")
    parts = dict(drawn.parts) | {"D9": replace(drawn.parts["D9"], pins=drawn.parts["D9"].pins | {"3": "pixel 8"})}
    faults = check.of_the_circuit(replace(drawn, parts=parts), _given("loop"))
    assert any(each.startswith("The pixels' line is wrong from pixel") for each in faults)


def test_a_missing_part_is_found():
    text = _text("loop")
    faults = _circuit_faults(text.replace(_block(text, "C3"), ""))
    assert faults == ["C3 (100nF) is missing.", "S3 has no capacitor from 3V3 to ground beside it."]


def test_a_missing_pull_up_is_found():
    text = _text("loop")
    faults = _circuit_faults(text.replace(_block(text, "R13"), ""))
    assert "S3 has an open drain and no pull-up." in faults


def test_a_wrong_part_is_found():
    faults = _circuit_faults(_text("loop").replace('value "330R"', 'value "100R"'))
    assert any(each.startswith("R3 is 100R") for each in faults)


def test_two_outputs_on_a_net_and_an_input_without_any_are_found():
    drawn = _drawn("loop")
    parts = dict(drawn.parts)
    two = parts["U2"].pins | {"9": parts["U1"].pins["9"]}
    parts["U2"] = replace(parts["U2"], pins=two)
    faults = check.of_the_circuit(replace(drawn, parts=parts), _given("loop"))
    assert any("are outputs on one net" in each for each in faults)
    assert any("U1 pin 10 (SER) is an input that nothing drives." in each for each in faults)


# The search for tracks.


def test_two_pins_so_near_that_one_track_must_make_room_both_get_tracks():
    board = Field(0, 0, 60, 30)
    upper = Task("a", frozenset({(0, 10, 10), (0, 10, 11)}), frozenset({(0, 2, 20)}))
    lower = Task("b", frozenset({(0, 10, 13), (0, 10, 14)}), frozenset({(0, 40, 2)}))
    Router(board, {"a": 1, "b": 2}).run([upper, lower])
    assert min(dist(a, b) for a in upper.way.cells for b in lower.way.cells) > 2


# Ground that tracks have cut.


def _strips(layer: str, *columns: tuple[int, int]) -> tuple[tuple[str, str, tuple[tuple[float, float], ...]], ...]:
    """Areas of ground from top to bottom of a square of 10 mm, between these columns."""
    return tuple((layer, "GND", ((a, 0), (b, 0), (b, 10), (a, 10))) for a, b in columns)


def _square(*fills, tracks=()) -> Drawn:
    corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    return Drawn({}, (), tracks, fills, tuple(zip(corners, corners[1:] + corners[:1], strict=True)))


def test_ground_in_pieces_above_is_joined_by_what_lies_below():
    above, below = _strips("F.Cu", (0, 3), (4, 6), (7, 10)), _strips("B.Cu", (0, 10))
    vias = stitching.stitches(_square(*above, *below), "GND")
    assert len(vias) == 3
    stitched = copper.joined(_square(*above, *below, tracks=tuple(vias)))
    assert len({stitched.root(number) for _, number in stitched.pieces}) == 1
    assert stitching.stitches(_square(*above, *below, tracks=tuple(vias)), "GND") == []


def test_ground_that_no_via_can_join_gets_a_track():
    cut = (*_strips("F.Cu", (0, 4), (6, 10)), *_strips("B.Cu", (0, 4), (6, 10)))
    own = tuple(cells.via((x, y), "GND") for x, y in ((1, 1), (2, 5), (9, 9)))
    assert stitching.stitches(_square(*cut, tracks=own), "GND") == []
    (task,) = stitching.bridges(_square(*cut, tracks=own), "GND", [])
    assert (0, 45, 45) in task.ends
    assert {(1, 5, 5), (1, 10, 25)} <= task.goals
    passing = stitching.bridges(_square(*cut, tracks=own), "GND", [own[0]])
    assert not any((1, 5, 5) in each.ends | each.goals for each in passing)


def test_a_track_of_ground_whose_via_went_elsewhere_is_taken_up():
    def track(*ends: tuple[float, float]) -> Copper:
        return cells.track(ends, 0.2, "GND")

    loose, behind, sound = track((5, 2), (6, 2)), track((6, 2), (7, 2)), track((3, 5), (8, 5))
    laid = [loose, behind, sound, cells.via((3, 5), "GND"), cells.via((8, 5), "GND")]
    assert stitching.without_loose_ends(_square(), "GND", laid) == laid[2:]


def _kicad() -> bool:
    if not shutil.which(KICAD):
        return False
    return subprocess.run([KICAD, "-c", "import pcbnew"], capture_output=True, check=False).returncode == 0


@pytest.mark.long
@pytest.mark.skipif(not _kicad(), reason="needs KiCad: sudo apt-get install kicad")
def test_kicad_finds_nothing_in_the_board_and_a_planted_short(tmp_path):
    for suffix in ("kicad_pcb", "kicad_pro"):
        shutil.copy(BOARDS / "loop" / f"loop.{suffix}", tmp_path)
    path = tmp_path / "loop.kicad_pcb"
    command = [KICAD, "-m", "hardware.pcb.make", "--build", str(tmp_path), "--check", str(path)]
    sound = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    a, b = (next(pad for pad in _drawn("loop").pads if pad.owner == pin).shape.points[0] for pin in ("S5.2", "S5.1"))
    net = re.search(r'\(net (\d+) "3V3"\)', _text("loop"))[1]
    line = f'(segment (start {a[0]} {a[1]}) (end {b[0]} {b[1]}) (width 0.2) (layer "F.Cu") (net {net}) (tstamp 0))'
    path.write_text(_text("loop").rstrip().removesuffix(")") + line + ")", "utf-8")
    shorted = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (sound.returncode, sound.stdout) == (0, "loop.kicad_pcb: KiCad finds nothing.\n"), (
        sound.stdout + sound.stderr
    )
    assert shorted.returncode == 1
    assert "clearance" in shorted.stdout  # so KiCad calls a track that lies on a pad of another net
    assert "actual 0.0000 mm" in (tmp_path / "loop-drc.txt").read_text("utf-8")


@pytest.mark.skipif(not SYMBOLS.exists(), reason="needs KiCad's symbols: sudo apt-get install kicad-symbols")
def test_the_registers_pins_are_those_of_kicads_symbol():
    text = SYMBOLS.read_text("utf-8")
    start = text.index('(symbol "74LS165"')
    indent = text[text.rindex("\n", 0, start) : start]  # two spaces in KiCad 6, a tab in KiCad 9
    symbol = text[start : text.index(f'{indent}(symbol "', start)]
    pins = dict(re.findall(r'\(name "([^"]+)".*?\(number "(\d+)"', symbol, re.DOTALL))
    theirs = dict(zip("ABCDEFGH", (f"D{n}" for n in range(8)), strict=True)) | {"SER": "DS", "QH": "Q7", "CLK": "CP"}
    ours = {name: pin for pin, (name, _) in REGISTER.pins.items()}
    assert {name: pins[symbol_name] for name, symbol_name in theirs.items()} == {name: ours[name] for name in theirs}


def _socket_nets() -> dict[int, str]:
    """The net that each pin of the Pico meets."""
    parts = circuit(_given("loop").pattern)
    left, right = (parts[ref].nets for ref in ("J4", "J5"))
    return {n: left[str(n)] for n in range(1, 21)} | {41 - n: right[str(n)] for n in range(1, 21)}


def test_the_sockets_lead_the_pins_of_the_firmware_and_of_the_panel_to_their_nets():
    parts, nets = circuit(_given("loop").pattern), _socket_nets()
    by_name = {name: nets[pin] for pin, name in enumerate(PICO_PINS, 1)}
    assert {wire: by_name[f"GP{gpio}"] for wire, gpio in (("CLK", 2), ("BITS", 4), ("LOAD", 5), ("PIXELS", 6))} == {
        "CLK": "CLK IN", "BITS": "BITS", "LOAD": "LOAD IN", "PIXELS": "PIXELS IN",
    }  # fmt: skip
    panel = load_board("loop-60").wiring.panel
    gpios = [*panel["buttons"].values(), panel["buzzer"], panel["display"], panel["display"] + 1]
    assert all(by_name[f"GP{gpio}"] == f"GP{gpio}" for gpio in gpios)
    assert set(parts["J6"].nets.values()) == {f"GP{gpio}" for gpio in gpios} | {"GND", "3V3"}
    assert (by_name["3V3"], by_name["VBUS"], by_name["VSYS"]) == ("3V3", "", "")
    assert {net for pin, net in nets.items() if PICO_PINS[pin - 1] == "GND"} == {"GND"}


def test_a_pico_that_is_turned_round_meets_no_supply():
    nets = _socket_nets()
    for pin, name in enumerate(PICO_PINS, 1):
        met = nets[(pin + 19) % 40 + 1]
        assert (met == "GND") == (name == "GND"), pin
        assert not (name in ("3V3", "VBUS", "VSYS") and met not in ("", "GP12")), pin


def test_only_the_boards_that_the_parts_list_knows_carry_the_pico():
    assert WITH_PICO == bill_of_materials.BOARDS_WITH_PICO
    listed = {row["value"]: int(row["quantity"]) for row in bill_of_materials.list_parts(load_board("loop-60"))}
    count = Counter(part.kind.value for part in circuit(_given("loop").pattern).values())
    assert (listed["1x20 sockets"], listed["AO3401A"], listed["SMF5.0A"]) == (
        count["Pico socket"], count["AO3401A"], count["SMF5.0A"],
    )  # fmt: skip


def test_a_supply_that_passes_the_protection_by_is_found():
    text = _text("loop")
    plug = _block(text, "J3")
    past = re.sub(r'\(net \d+ "5V IN"\)', re.search(r'\(net \d+ "5V"\)', text)[0], plug)
    assert "J3 pin 1 is on 5V, not on 5V IN." in _circuit_faults(text.replace(plug, past))
