"""Build SVG drawings with the standard library's ElementTree."""

from io import BytesIO
from xml.etree import ElementTree

from companion.boards.geometry import Point

Element = ElementTree.Element


def create_svg(corner: Point, far: Point, scale: float = 1) -> Element:
    """Return an empty drawing of the area between two corners in millimetres, enlarged by `scale`."""
    width, height = far.x - corner.x, far.y - corner.y
    attributes = {
        "xmlns": "http://www.w3.org/2000/svg",
        "xmlns:inkscape": "http://www.inkscape.org/namespaces/inkscape",
        "width": f"{scale * width:g}mm",
        "height": f"{scale * height:g}mm",
        "viewBox": f"{corner.x:g} {corner.y:g} {width:g} {height:g}",
    }
    return ElementTree.Element("svg", attributes)


def add_element(parent: Element, tag: str, text: str | None = None, **attributes: object) -> Element:
    """Add an element to `parent` and return it. An underscore in an attribute's name stands for a hyphen."""
    element = ElementTree.SubElement(
        parent, tag, {name.replace("_", "-"): str(value) for name, value in attributes.items()}
    )
    element.text = text
    return element


def add_circle(parent: Element, at: Point, diameter: float, **attributes: object) -> Element:
    """Add a circle to `parent` and return it."""
    return add_element(parent, "circle", None, cx=at.x, cy=at.y, r=diameter / 2, **attributes)


def add_text(parent: Element, text: str, x: float, y: float, **attributes: object) -> Element:
    """Add a text to `parent` and return it."""
    return add_element(parent, "text", text, x=x, y=y, **attributes)


def format_svg(drawing: Element) -> bytes:
    """Return the SVG file."""
    ElementTree.indent(drawing, " ")
    written = BytesIO()
    ElementTree.ElementTree(drawing).write(written, encoding="utf-8", xml_declaration=True)
    return written.getvalue() + b"\n"
