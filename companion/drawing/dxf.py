"""Writes a template as DXF at 1:1 by ezdxf, in millimetres. Its y points up, from the wood's lower edge."""

from io import StringIO

from companion.board.shape.geometry import Point
from companion.drawing.plan import Label, Plan, Ring

DXF_LAYER_COLOURS = {"drill": 7, "lights": 8, "engrave": 5, "cut": 1, "check": 7}


def template_dxf(plan: Plan) -> bytes:
    """The file's bytes."""
    import ezdxf
    from ezdxf.enums import TextEntityAlignment

    drawing = ezdxf.new("R2010")  # type: ignore[attr-defined]
    drawing.units = ezdxf.units.MM
    space = drawing.modelspace()

    def at(point: Point) -> tuple[float, float]:
        return point.x, plan.far.y - point.y

    for layer, marks in plan.layers.items():
        drawing.layers.add(layer, color=DXF_LAYER_COLOURS[layer])
        on = {"layer": layer}
        for mark in marks:
            if isinstance(mark, Ring):
                space.add_circle(at(mark.at), mark.across / 2, dxfattribs=on)
            elif isinstance(mark, Label):
                text = space.add_text(mark.text, height=mark.height * 0.7, dxfattribs=on)
                text.set_placement(at(mark.at), align=TextEntityAlignment.MIDDLE_CENTER)
            else:
                space.add_line(at(mark.start), at(mark.end), dxfattribs=on)
    written = StringIO()
    drawing.write(written)
    return written.getvalue().encode()
