"""Writes a template as SVG at 1:1 by svgwrite: a layer a group, in the board's own millimetres."""

from io import StringIO

from companion.drawing.plan import Label, Plan, Ring

SVG_LAYER_COLOURS = {"drill": "black", "lights": "gray", "engrave": "blue", "cut": "red", "check": "black"}


def template_svg(plan: Plan) -> bytes:
    """The file's bytes."""
    import svgwrite
    from svgwrite.extensions import Inkscape

    corner, far = plan.frame
    wide, high = far.x - corner.x, far.y - corner.y
    box = f"{corner.x:g} {corner.y:g} {wide:g} {high:g}"
    drawing = svgwrite.Drawing(size=(f"{wide:g}mm", f"{high:g}mm"), viewBox=box, debug=False)
    layers = Inkscape(drawing)
    for layer, marks in plan.layers.items():
        style = {"fill": "none", "stroke": SVG_LAYER_COLOURS[layer], "stroke_width": 0.1}
        group = drawing.add(layers.layer(label=layer, id=layer, **style))
        for mark in marks:
            if isinstance(mark, Ring):
                name = {"id": mark.name if layer == "drill" else f"light-of-{mark.name}"} if mark.name else {}
                group.add(drawing.circle((mark.at.x, mark.at.y), mark.across / 2, **name))
            elif isinstance(mark, Label):
                style = {"text_anchor": "middle", "font_size": mark.height, "font_family": "sans-serif"}
                at = (mark.at.x, mark.at.y + 0.35 * mark.height)
                group.add(drawing.text(mark.text, at, fill=SVG_LAYER_COLOURS[layer], stroke="none", **style))
            else:
                group.add(drawing.line(tuple(mark.start), tuple(mark.end)))
    written = StringIO()
    drawing.write(written, pretty=True, indent=1)
    return written.getvalue().encode()
