// A picture of a game to share, drawn on the phone: the page's own SVG put onto a canvas, shape by shape, for this page
// may load no picture that it made itself.

const [WIDE, EDGE, LINE] = [960, 40, 44];
const FONT = "system-ui, sans-serif";

/**
 * A canvas with a heading, lines of text and a chart of lines, paths and texts, as they look on the page.
 * @param {SVGSVGElement} svg
 * @param {string} heading
 * @param {string[]} lines
 */
export function painted(svg, heading, lines) {
  const box = svg.viewBox.baseVal;
  const scale = (WIDE - 2 * EDGE) / box.width;
  const top = EDGE + LINE * (lines.length + 1.6);
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDE, height: Math.round(top + box.height * scale + EDGE) });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const page = getComputedStyle(document.documentElement);
  pen.fillStyle = page.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = page.color;
  pen.font = `bold 40px ${FONT}`;
  pen.fillText(heading, EDGE, EDGE + LINE * 0.8, WIDE - 2 * EDGE);
  pen.font = `30px ${FONT}`;
  lines.forEach((line, i) => pen.fillText(line, EDGE, EDGE + LINE * (i + 1.9), WIDE - 2 * EDGE));
  pen.translate(EDGE, top);
  pen.scale(scale, scale);
  for (const shape of svg.children) paint(pen, shape);
  return canvas;
}

/**
 * @param {CanvasRenderingContext2D} pen
 * @param {Element} shape
 */
function paint(pen, shape) {
  const look = getComputedStyle(shape);
  const at = (/** @type {string} */ name) => Number(shape.getAttribute(name));
  pen.strokeStyle = look.stroke;
  pen.lineWidth = parseFloat(look.strokeWidth) || 1;
  pen.setLineDash((shape.getAttribute("stroke-dasharray") ?? "").split(/[ ,]+/).filter(Boolean).map(Number));
  if (shape.tagName === "line") pen.stroke(new Path2D(`M${at("x1")} ${at("y1")}L${at("x2")} ${at("y2")}`));
  if (shape.tagName === "path") pen.stroke(new Path2D(shape.getAttribute("d") ?? ""));
  if (shape.tagName !== "text") return;
  pen.font = `${look.fontSize} ${FONT}`;
  pen.fillStyle = look.fill;
  pen.textAlign = look.textAnchor === "end" ? "right" : "left";
  pen.fillText(shape.textContent ?? "", at("x"), at("y"));
}

/**
 * Share it as this phone does; where it cannot (it asks for an encrypted page), it is kept as a file.
 * @param {HTMLCanvasElement} canvas
 * @param {string} name
 */
export async function share(canvas, name) {
  const blob = await new Promise((/** @type {(found: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"));
  if (!blob) return;
  const file = new File([blob], name, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {}); // who closes the phone's own sheet has shared nothing
    return;
  }
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
