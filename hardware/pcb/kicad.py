"""Draws a board with pcbnew, KiCad's own library: places parts, lays copper, fills, checks, plots. Needs KiCad 6."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pcbnew  # type: ignore[import-not-found]

from hardware.pcb.boardfile import Copper
from hardware.pcb.cells import Spot
from hardware.pcb.circuit import Placed
from hardware.pcb.parts import BULK
from hardware.pcb.router import DRILL, RULE, TRACK, VIA
from hardware.pcb.shapes import Point
from hardware.pcb.tidy import tidied

FOOTPRINTS = Path("/usr/share/kicad/footprints")


def _nm(mm: float) -> int:
    """Millimetres as KiCad counts them. Its own FromMM cuts off: a place that was read back moved by a nanometre."""
    return round(float(mm) * 1_000_000)


def _at(point: Point) -> pcbnew.wxPoint:
    return pcbnew.wxPoint(_nm(point[0]), _nm(point[1]))


class Drawing:
    """A board being drawn. `save` writes it; everything is in millimetres."""

    def __init__(self, path: Path, title: str) -> None:
        self._path = path
        self._board = pcbnew.NewBoard(str(path))
        self._board.GetTitleBlock().SetTitle(title)
        rules = self._board.GetDesignSettings()
        rules.m_TrackMinWidth = _nm(TRACK)
        rules.m_ViasMinSize = _nm(VIA)
        rules.m_MinThroughDrill = _nm(DRILL)
        rules.m_MinClearance = _nm(RULE)
        rules.m_CopperEdgeClearance = _nm(0.3)
        rules.m_MaxError = _nm(0.03)
        self._nets: dict[str, pcbnew.NETINFO_ITEM] = {}
        self._loaded: dict[str, pcbnew.FOOTPRINT] = {}

    def _net(self, name: str) -> pcbnew.NETINFO_ITEM:
        if name not in self._nets:
            self._nets[name] = pcbnew.NETINFO_ITEM(self._board, name)
            self._board.Add(self._nets[name])
        return self._nets[name]

    def edge(self, outline: list[Point]) -> None:
        """The board's outline."""
        for a, b in zip(outline, outline[1:] + outline[:1], strict=True):
            line = pcbnew.PCB_SHAPE(self._board)
            line.SetShape(pcbnew.SHAPE_T_SEGMENT)
            line.SetLayer(pcbnew.Edge_Cuts)
            line.SetStart(_at(a))
            line.SetEnd(_at(b))
            line.SetWidth(_nm(0.1))
            self._board.Add(line)

    def place(self, part: Placed, spot: Spot) -> None:
        """Sets a part down and gives its pins their nets."""
        library, name = part.kind.footprint.split(":")
        if name not in self._loaded:
            self._loaded[name] = pcbnew.FootprintLoad(str(FOOTPRINTS / f"{library}.pretty"), name)
        drawn = pcbnew.FOOTPRINT(self._loaded[name])
        drawn.SetReference(part.ref)
        drawn.SetValue(part.kind.value)
        drawn.SetPosition(_at(spot.at))
        self._board.Add(drawn)
        drawn.SetOrientationDegrees(spot.turn)
        if not spot.top:
            drawn.Flip(drawn.GetPosition(), True)
        for pad in drawn.Pads():
            net = part.nets.get(pad.GetNumber(), "")
            if net:
                pad.SetNet(self._net(net))
        self._quiet(drawn, part)

    def _quiet(self, drawn: pcbnew.FOOTPRINT, part: Placed) -> None:
        """Leaves out what makes the file long and the print crowded: names of small parts, drawings for the eye."""
        drawn.Value().SetVisible(False)
        drawn.Reference().SetVisible(part.ref[0] == "U")  # plugs have words of the layout
        drawn.Reference().SetTextSize(pcbnew.wxSize(_nm(0.8), _nm(0.8)))
        drawn.Reference().SetTextThickness(_nm(0.12))
        drawn.Models().clear()
        keep = {pcbnew.F_CrtYd, pcbnew.B_CrtYd} | (
            {pcbnew.F_SilkS, pcbnew.B_SilkS} if part.ref[0] in "UJDS" or part.kind is BULK else set()
        )
        for item in list(drawn.GraphicalItems()):
            if item.GetLayer() not in keep:
                drawn.Delete(item)

    def say(self, text: str, at: Point, *, top: bool) -> None:
        """Prints a word on the board."""
        word = pcbnew.PCB_TEXT(self._board)
        word.SetText(text)
        word.SetPosition(_at(at))
        word.SetLayer(pcbnew.F_SilkS if top else pcbnew.B_SilkS)
        word.SetMirrored(not top)
        word.SetTextSize(pcbnew.wxSize(_nm(1.0), _nm(1.0)))
        word.SetTextThickness(_nm(0.15))
        self._board.Add(word)

    def dot(self, at: Point) -> None:
        """Prints a dot above."""
        dot = pcbnew.PCB_SHAPE(self._board)
        dot.SetShape(pcbnew.SHAPE_T_CIRCLE)
        dot.SetFilled(True)
        dot.SetLayer(pcbnew.F_SilkS)
        dot.SetStart(_at(at))
        dot.SetEnd(_at((at[0] + 0.2, at[1])))
        dot.SetWidth(_nm(0.2))
        self._board.Add(dot)

    def lay(self, copper: Iterable[Copper]) -> None:
        """Tracks and vias, beside those that are there."""
        for each in copper:
            if each.owner == "via":
                self.via(each.shape.points[0], each.net)
                continue
            self._track(each.shape.points[0], each.shape.points[-1], each.shape.radius * 2, each.layers[0], each.net)

    def lift(self) -> None:
        """Takes up all tracks, vias and ground."""
        for each in [*self._board.GetTracks(), *self._board.Zones()]:
            self._board.Delete(each)

    def _track(self, a: Point, b: Point, width: float, layer: str, net: str) -> None:
        line = pcbnew.PCB_TRACK(self._board)
        line.SetStart(_at(a))
        line.SetEnd(_at(b))
        line.SetWidth(_nm(width))
        line.SetLayer(self._board.GetLayerID(layer))
        line.SetNet(self._net(net))
        self._board.Add(line)

    def via(self, point: Point, net: str) -> None:
        """A plated hole from one side to the other."""
        via = pcbnew.PCB_VIA(self._board)
        via.SetPosition(_at(point))
        via.SetWidth(_nm(VIA))
        via.SetDrill(_nm(DRILL))
        via.SetNet(self._net(net))
        self._board.Add(via)

    def ground(self, outline: list[Point]) -> None:
        """Ground wherever nothing else is, on both sides."""
        for layer in (pcbnew.F_Cu, pcbnew.B_Cu):
            zone = pcbnew.ZONE(self._board)
            zone.SetLayer(layer)
            zone.SetNet(self._net("GND"))
            zone.SetLocalClearance(_nm(0.26))
            zone.SetMinThickness(_nm(0.25))
            zone.SetThermalReliefGap(_nm(0.25))
            zone.SetThermalReliefSpokeWidth(_nm(0.3))
            zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)
            shape = zone.Outline()
            shape.NewOutline()
            for x, y in outline:
                shape.Append(_nm(x), _nm(y))
            self._board.Add(zone)
        self.pour()

    def pour(self) -> None:
        """Fills the areas of ground anew."""
        pcbnew.ZONE_FILLER(self._board).Fill(self._board.Zones())

    def save(self) -> None:
        """Writes the board and its project."""
        pcbnew.SaveBoard(str(self._path), self._board)
        self._path.write_text(tidied(self._path.read_text(encoding="utf-8")), encoding="utf-8")
        project = self._path.with_suffix(".kicad_pro")
        settings = json.loads(project.read_text(encoding="utf-8"))
        for each in settings["net_settings"]["classes"]:
            each |= {"clearance": RULE, "track_width": TRACK, "via_diameter": VIA, "via_drill": DRILL}
        project.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")


def check(path: Path, report: Path) -> dict[str, int]:
    """KiCad's own check of a board: how many of each complaint. The report says where."""
    board = pcbnew.LoadBoard(str(path))
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    found: dict[str, int] = {}
    for line in report.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            kind = line[1:].split("]")[0]
            found[kind] = found.get(kind, 0) + 1
    return found


def plot(path: Path, out: Path) -> list[Path]:
    """Gerber files of all layers, the drill files, and where a machine sets each part."""
    board = pcbnew.LoadBoard(str(path))
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(str(out))
    options.SetUseGerberProtelExtensions(False)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    layers = {
        "F_Cu": pcbnew.F_Cu, "B_Cu": pcbnew.B_Cu, "F_Mask": pcbnew.F_Mask, "B_Mask": pcbnew.B_Mask,
        "F_Silkscreen": pcbnew.F_SilkS, "B_Silkscreen": pcbnew.B_SilkS, "F_Paste": pcbnew.F_Paste,
        "Edge_Cuts": pcbnew.Edge_Cuts,
    }  # fmt: skip
    for name, layer in layers.items():
        control.SetLayer(layer)
        control.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        control.PlotLayer()
    control.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(out), True, False)
    return sorted(out.glob(f"{path.stem}*"))


def net_of_pads(path: Path) -> Mapping[str, str]:
    """What KiCad itself reads back from a board: the net of each pad."""
    board = pcbnew.LoadBoard(str(path))
    return {
        f"{drawn.GetReference()}.{pad.GetNumber()}": pad.GetNetname()
        for drawn in board.GetFootprints()
        for pad in drawn.Pads()
        if pad.GetNumber()
    }
