// The part of the page that checks pegs in which players add their own board: a photograph without pegs, its corners, the holes
// that the table finds, and a line drawn over each lane. The table keeps the board file, not the picture.

import { escapeHtml, findElement, onButtonClick, setText } from "../../core/dom.js";
import { formatMessage } from "../../core/i18n.js";
import { BoardPhoto, askForPhoto, renderBoardPhoto, renderPhotoButtons } from "./board-photo.js";

/** @typedef {import("./board-photo.js").Point} Point */
/** @typedef {{ holes: number[][], lanes: number[][][], is_kept: boolean }} MappedBoard */

const MAX_LANES = 4, MAX_LINE_POINTS = 120;
const LANE_COLOURS = ["#d32f2f", "#1565c0", "#2e7d32", "#f9a825"];

/**
 * Write this part of the page.
 * @param {HTMLElement} el
 * @param {(isKept: boolean) => void} onEnd
 */
export function writeOwnBoard(el, onEnd) {
  const section = document.createElement("div");
  section.className = "peg-part";
  section.innerHTML = `<h2>${escapeHtml(formatMessage("My own board"))}</h2>
    <p>${escapeHtml(formatMessage("Take all pegs out of the board. Photograph the whole board from straight above, at least 60 cm away, in even light."))}</p>
    ${renderPhotoButtons()}
    <form hidden>
      <p data-say></p>
      ${renderBoardPhoto()}
      <div class="peg-colours">
        <label>${escapeHtml(formatMessage("Length of the wood in mm"))}<input type="number" min="100" max="1000" required data-length></label>
        <label>${escapeHtml(formatMessage("Holes of a lane, without its start"))}<select data-holes><option>121</option><option>61</option><option value="60">${escapeHtml(formatMessage("60, twice round"))}</option></select></label>
      </div>
      <div class="choices"><button class="button" data-find>${escapeHtml(formatMessage("Find the holes"))}</button>
        <button type="button" class="button" data-undo hidden>${escapeHtml(formatMessage("Remove the last line"))}</button>
        <button type="button" class="button" data-keep hidden>${escapeHtml(formatMessage("Keep this board"))}</button></div>
    </form>
    <p class="sheet-error" role="alert"></p>
    <p role="status"></p>
    <div class="choices"><button type="button" class="button" data-back>${escapeHtml(formatMessage("Back to the check"))}</button></div>`;
  el.replaceChildren(section);
  const [form, say, find, undo, keep, error, status] = ["form", "[data-say]", "[data-find]", "[data-undo]", "[data-keep]", "[role=alert]", "[role=status]"].map((each) => findElement(section, each));
  const input = /** @type {HTMLInputElement} */ (findElement(section, "input[type=file]"));
  const length = /** @type {HTMLInputElement} */ (findElement(section, "[data-length]"));
  const holes = /** @type {HTMLSelectElement} */ (findElement(section, "[data-holes]"));
  const photo = new BoardPhoto(section, forget);
  const overlay = Object.assign(document.createElement("canvas"), { className: "peg-overlay", hidden: true });
  photo.canvas.after(overlay);
  /** @type {Point[][]} */
  let lines = [];
  /** @type {Point[]} */
  let line = [];

  for (const each of [length, holes]) each.addEventListener("change", forget);

  onButtonClick(section, ({ photo: kind, back, undo: removes, keep: keeps }) => {
    if (kind) askForPhoto(input, kind);
    if (back !== undefined) onEnd(false);
    if (removes !== undefined) (lines = lines.slice(0, -1), send(lines));
    if (keeps !== undefined) send(lines, true);
  });

  input.addEventListener("change", async () => {
    const isShown = await photo.openChosen(input, form, error);
    if (isShown && photo.lengthMm && !length.value) length.value = String(photo.lengthMm);
  });

  /** Begin again: the corners or the size have changed. */
  function forget() {
    photo.attempt += 1;
    lines = [];
    photo.isOpen = true;
    photo.frame.classList.remove("drawing");
    overlay.hidden = undo.hidden = keep.hidden = true;
    find.hidden = false;
    setText(error, "");
    setText(status, "");
    setText(say, formatMessage("Drag each number to a corner of the wood, clockwise. Remember which corner number 1 is: take the same one for each check."));
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send([]);
  });

  /**
   * Send the photograph with these lines and show what was found.
   * @param {Point[][]} drawn
   * @param {boolean} [keeps]
   */
  async function send(drawn, keeps = false) {
    const number = ++photo.attempt;
    setText(error, "");
    setText(status, formatMessage("Looking for the holes …"));
    const query = { length: length.value, holes: holes.value, ...(keeps ? { keep: "yes" } : {}) };
    const { data, error: refusal, toPhoto } = await photo.post("/api/pegs/board", query, drawn);
    if (number !== photo.attempt) return;
    setText(status, "");
    setText(error, refusal);
    const found = /** @type {MappedBoard | null} */ (data);
    if (found?.is_kept) return onEnd(true);
    if (!found) return;
    lines = drawn;
    showFound(found.holes.map(toPhoto), found.lanes.map((lane) => lane.map(toPhoto)));
  }

  /**
   * Show the holes as rings and each lane as a line, and ask for the next lane.
   * @param {Point[]} rings
   * @param {Point[][]} lanes
   */
  function showFound(rings, lanes) {
    photo.isOpen = false;
    photo.frame.classList.add("drawing");
    Object.assign(overlay, { width: photo.canvas.width, height: photo.canvas.height, hidden: false });
    const context = overlay.getContext("2d"), size = overlay.width / overlay.clientWidth;
    if (context) {
      context.lineWidth = 1.5 * size;
      context.strokeStyle = "#fff";
      for (const { x, y } of rings) drawRing(context, x * overlay.width, y * overlay.height, 4 * size);
      lanes.forEach((lane, n) => {
        context.strokeStyle = LANE_COLOURS[n];
        context.lineWidth = 2.5 * size;
        context.beginPath();
        for (const { x, y } of lane) context.lineTo(x * overlay.width, y * overlay.height);
        context.stroke();
        for (const { x, y } of lane) drawRing(context, x * overlay.width, y * overlay.height, 3 * size);
      });
    }
    find.hidden = true;
    undo.hidden = !lanes.length;
    keep.hidden = lanes.length < 2;
    setText(say, lanes.length >= MAX_LANES ? formatMessage("Look whether each line follows its lane, then keep the board.")
      : formatMessage("Lane {n}: draw a line with your finger over its holes, from the farther start hole to the last hole. Do not lift the finger.", { n: lanes.length + 1 }));
  }

  photo.frame.addEventListener("pointerdown", (event) => {
    if (photo.isOpen || lines.length >= MAX_LANES) return;
    line = [photo.placeOf(event)];
    photo.frame.setPointerCapture(event.pointerId);
  });
  photo.frame.addEventListener("pointermove", (event) => {
    const context = overlay.getContext("2d"), last = line.at(-1), at = photo.placeOf(event);
    if (!last || !context) return;
    photo.showLoupe(at);
    const size = overlay.width / overlay.clientWidth;
    if (Math.hypot((at.x - last.x) * overlay.clientWidth, (at.y - last.y) * overlay.clientHeight) < 3) return;
    line.push(at);
    context.strokeStyle = LANE_COLOURS[lines.length];
    context.lineWidth = 2 * size;
    context.beginPath();
    for (const { x, y } of [last, at]) context.lineTo(x * overlay.width, y * overlay.height);
    context.stroke();
  });
  photo.frame.addEventListener("pointerup", () => {
    const drawn = thin(line);
    line = [];
    if (drawn.length > 1) send([...lines, drawn]);
  });
  photo.frame.addEventListener("pointercancel", () => (line = []));
  forget();
}

/** Return at most MAX_LINE_POINTS points of a line, its first and its last among them. @param {Point[]} line */
function thin(line) {
  const step = Math.max(1, Math.ceil(line.length / (MAX_LINE_POINTS - 1)));
  return line.filter((_, n) => n % step === 0 || n === line.length - 1);
}

/** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius */
function drawRing(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.stroke();
}
