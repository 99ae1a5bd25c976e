// An image of a game or an evening for sharing. The SVG of the page is drawn on a canvas shape by shape, because the content security
// policy forbids loading an SVG as an image.

const [WIDTH_PX, MARGIN_PX, LINE_PX] = [960, 40, 44];
const FONT = "system-ui, sans-serif";

const FRAME = "#e9b949";

/**
 * Draw a canvas with a heading, lines of text and, if there is a chart, its lines, paths and texts, as they look on the page.
 * @param {SVGSVGElement | null} svg
 * @param {string} heading
 * @param {string[]} lines
 */
export function drawShareImage(svg, heading, lines) {
  const box = svg?.viewBox.baseVal;
  const scale = box ? (WIDTH_PX - 2 * MARGIN_PX) / box.width : 1;
  const top = MARGIN_PX + LINE_PX * (lines.length + 1.6);
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH_PX, height: Math.round(top + (box?.height ?? 0) * scale + MARGIN_PX) });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const page = getComputedStyle(document.documentElement);
  pen.fillStyle = page.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.strokeStyle = FRAME;
  pen.lineWidth = 12;
  pen.strokeRect(6, 6, canvas.width - 12, canvas.height - 12);
  pen.fillStyle = page.color;
  pen.font = `bold 40px ${FONT}`;
  pen.fillText(heading, MARGIN_PX, MARGIN_PX + LINE_PX * 0.8, WIDTH_PX - 2 * MARGIN_PX);
  pen.font = `30px ${FONT}`;
  lines.forEach((line, i) => pen.fillText(line, MARGIN_PX, MARGIN_PX + LINE_PX * (i + 1.9), WIDTH_PX - 2 * MARGIN_PX));
  pen.translate(MARGIN_PX, top);
  pen.scale(scale, scale);
  for (const shape of svg?.children ?? []) drawShape(pen, shape);
  return canvas;
}

/**
 * Draw one shape of the SVG.
 * @param {CanvasRenderingContext2D} pen
 * @param {Element} shape
 */
function drawShape(pen, shape) {
  const style = getComputedStyle(shape);
  const attribute = (/** @type {string} */ name) => Number(shape.getAttribute(name));
  pen.strokeStyle = style.stroke;
  pen.lineWidth = parseFloat(style.strokeWidth) || 1;
  pen.setLineDash((shape.getAttribute("stroke-dasharray") ?? "").split(/[ ,]+/).filter(Boolean).map(Number));
  if (shape.tagName === "line") pen.stroke(new Path2D(`M${attribute("x1")} ${attribute("y1")}L${attribute("x2")} ${attribute("y2")}`));
  if (shape.tagName === "path") pen.stroke(new Path2D(shape.getAttribute("d") ?? ""));
  if (shape.tagName !== "text") return;
  pen.font = `${style.fontSize} ${FONT}`;
  pen.fillStyle = style.fill;
  pen.textAlign = style.textAnchor === "end" ? "right" : "left";
  pen.fillText(shape.textContent ?? "", attribute("x"), attribute("y"));
}

/**
 * Share the image, or save it as a file where sharing is not available (it needs https).
 * @param {HTMLCanvasElement} canvas
 * @param {string} name
 */
export async function shareImage(canvas, name) {
  const blob = await new Promise((/** @type {(found: Blob | null) => void} */ done) => canvas.toBlob(done, "image/png"));
  if (!blob) return;
  const file = new File([blob], name, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file] }).catch(() => {}); // rejected when the user cancels
    return;
  }
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
